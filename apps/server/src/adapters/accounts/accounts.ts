import { randomUUID } from "node:crypto";
import { normaliseEmail } from "#domain/email";
import { invalid } from "#domain/failure";
import { newId, type UserId } from "#domain/ids";
import { PASSWORD, passwordProblem } from "#domain/password";
import type { Account, Accounts } from "#ports/accounts";
import { type Auth, type AuthOptions, createAuth } from "./auth.ts";
import { emailProofs } from "./email-proofs.ts";
import { cacheSessionCookies, type LookUp } from "./session-cookie-cache.ts";

const COLUMNS = `id, email, "emailVerified", name, "createdAt"`;

/**
 * People who can sign in. Passwords are hashed by the auth library (scrypt), which also checks them when someone signs in;
 * the rows are written here in one statement, so that there is never a person without a password.
 */
export function openAccounts(options: AuthOptions & { readonly lookUp?: LookUp }): Accounts & { readonly auth: Auth } {
  const { pool } = options;
  const auth = createAuth(options);
  cacheSessionCookies(auth, options.lookUp ?? (({ text, values }) => pool.query(text, values)));
  return {
    auth,
    ...emailProofs(pool, auth),

    async create({ email, name, password, emailVerified = false }) {
      const address = normaliseEmail(email);
      if (address === null) throw invalid([{ field: "email", message: "is not an email address" }]);
      const problem = passwordProblem(password);
      if (problem) throw invalid([{ field: "password", message: problem }]);
      const { password: passwords } = await auth.$context;
      const { rows } = await pool.query<Account>(
        `WITH person AS (
           INSERT INTO "user" (id, name, email, "emailVerified") VALUES ($1, $2, $3, $6)
           ON CONFLICT (email) DO NOTHING
           RETURNING ${COLUMNS}
         ), credential AS (
           INSERT INTO "account" (id, "accountId", "providerId", "userId", password, "updatedAt")
           SELECT $4, id, 'credential', id, $5, "createdAt" FROM person
         )
         SELECT ${COLUMNS} FROM person`,
        [newId("user"), name, address, randomUUID(), await passwords.hash(password), emailVerified],
      );
      return rows[0] ?? null;
    },

    async get(id) {
      const { rows } = await pool.query<Account>(`SELECT ${COLUMNS} FROM "user" WHERE id = $1`, [id]);
      return rows[0] ?? null;
    },

    async getMany(ids) {
      const { rows } = await pool.query<Account>(`SELECT ${COLUMNS} FROM "user" WHERE id = ANY ($1) ORDER BY id`, [ids]);
      return rows;
    },

    async findByEmail(email) {
      const address = normaliseEmail(email);
      if (address === null) return null;
      const { rows } = await pool.query<Account>(`SELECT ${COLUMNS} FROM "user" WHERE email = $1`, [address]);
      return rows[0] ?? null;
    },

    async verifyPassword(id: UserId, password) {
      // Longer than any can be: not worth the hashing.
      if (password.length > PASSWORD.maxCharacters) return false;
      const { rows } = await pool.query<{ password: string | null }>(
        `SELECT password FROM "account" WHERE "userId" = $1 AND "providerId" = 'credential'`,
        [id],
      );
      const hash = rows[0]?.password;
      if (!hash) return false;
      const { password: passwords } = await auth.$context;
      return passwords.verify({ hash, password });
    },

    // The library removes one when its cookie comes back; most never do.
    async forgetSessions(before, limit) {
      const { rowCount } = await pool.query(
        `DELETE FROM "session" WHERE id IN (SELECT id FROM "session" WHERE "expiresAt" < $1 ORDER BY "expiresAt" LIMIT $2)`,
        [before, limit],
      );
      return rowCount ?? 0;
    },
  };
}
