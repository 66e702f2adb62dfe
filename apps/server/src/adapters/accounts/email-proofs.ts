import { randomBytes } from "node:crypto";
import type pg from "pg";
import type { Accounts } from "#ports/accounts";
import type { Auth } from "./auth.ts";
import { deleteVerifications } from "./unverified-accounts.ts";

const HOUR_MILLIS = 60 * 60 * 1_000;
const UNIQUE_VIOLATION = "23505";

/** The address is part of the look-up: a link that was mailed to one address proves no other. */
const identifierOf = (email: string, token: string): string => `prove-email:${token}:${email}`;
const signUpOf = (email: string, token: string): string => `sign-up:${token}:${email}`;

/**
 * Letters that show whose an address is. The library has such letters too, but theirs work as often as one likes, go on working
 * when the password is changed, and sign in whoever holds one, past the second factor. These are rows like the links for a new
 * password: kept as a hash, used once, and void when the person closes their doors.
 */
export function emailProofs(
  pool: pg.Pool,
  auth: Auth,
): Pick<Accounts, "takeEmail" | "startEmailProof" | "finishEmailProof" | "startSignUp" | "finishSignUp"> {
  /** False when another account has the address. */
  async function setEmail(id: string, email: string, isVerified: boolean): Promise<boolean> {
    try {
      await pool.query(`UPDATE "user" SET email = $2, "emailVerified" = $3, "updatedAt" = now() WHERE id = $1`, [id, email, isVerified]);
    } catch (error) {
      if ((error as { code?: unknown }).code === UNIQUE_VIOLATION) return false;
      throw error;
    }
    // Links that were mailed to the old address must not open the account any longer.
    await deleteVerifications(pool, id);
    return true;
  }

  async function start(identifierWith: (token: string) => string, value: string): Promise<string> {
    const { internalAdapter } = await auth.$context;
    const token = randomBytes(32).toString("base64url");
    const expiresAt = new Date(Date.now() + HOUR_MILLIS);
    await internalAdapter.createVerificationValue({ identifier: identifierWith(token), value, expiresAt });
    return token;
  }

  return {
    takeEmail: (id, email) => setEmail(id, email, false),

    startEmailProof: (id, email) => start((token) => identifierOf(email, token), id),

    async finishEmailProof(id, email, token) {
      const { internalAdapter } = await auth.$context;
      const identifier = identifierOf(email, token);
      // Checked before it is used up: opening the link in the wrong account must not spoil it for the right one.
      const proof = await internalAdapter.findVerificationValue(identifier);
      if (proof?.value !== id || !(await internalAdapter.consumeVerificationValue(identifier))) return "unknown";
      return (await setEmail(id, email, true)) ? "done" : "taken";
    },

    startSignUp: (email) => start((token) => signUpOf(email, token), email),

    async finishSignUp(email, token) {
      const { internalAdapter } = await auth.$context;
      return (await internalAdapter.consumeVerificationValue(signUpOf(email, token)))?.value === email;
    },
  };
}
