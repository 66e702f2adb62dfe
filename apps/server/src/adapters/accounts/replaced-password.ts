import type pg from "pg";
import { deleteVerifications } from "./unverified-accounts.ts";

const SIGN_IN_PATH = "/sign-in/email";

interface Credential {
  readonly userId: string;
  readonly password: string | null;
}

/**
 * Signing in looks at the password, and a moment later makes a session. Where the password was replaced in between, the sessions that it had
 * opened have ended before this one was there: it is ended here. The hash is read before and after. If it is the same after
 * the session was made, whoever replaces it later ends this session with the others.
 */
export async function refuseReplacedPassword(pool: pg.Pool, request: Request, answerOf: () => Promise<Response>): Promise<Response> {
  if (request.method !== "POST" || !new URL(request.url).pathname.endsWith(SIGN_IN_PATH)) return answerOf();
  const before = await credentialOf(pool, await emailIn(request));
  const answer = await answerOf();
  if (!answer.ok || !before) return answer;
  const { rows } = await pool.query<Credential>(
    `SELECT "userId", password FROM "account" WHERE "userId" = $1 AND "providerId" = 'credential'`,
    [before.userId],
  );
  if (rows[0]?.password === before.password) return answer;
  const { token } = (await answer.json()) as { token?: string };
  if (token !== undefined) await pool.query(`DELETE FROM "session" WHERE token = $1`, [token]);
  // Or the second factor is waited for.
  await deleteVerifications(pool, before.userId);
  return Response.json({ code: "INVALID_EMAIL_OR_PASSWORD", message: "Invalid email or password" }, { status: 401 });
}

async function credentialOf(pool: pg.Pool, email: string): Promise<Credential | undefined> {
  const { rows } = await pool.query<Credential>(
    `SELECT "account"."userId", "account".password FROM "user" JOIN "account" ON "account"."userId" = "user".id
     WHERE "user".email = $1 AND "account"."providerId" = 'credential'`,
    [email],
  );
  return rows[0];
}

/** As the library reads it. */
async function emailIn(request: Request): Promise<string> {
  const body = (await request
    .clone()
    .json()
    .catch(() => null)) as { email?: unknown } | null;
  return typeof body?.email === "string" ? body.email.toLowerCase() : "";
}
