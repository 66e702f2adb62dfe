import { createOTP } from "@better-auth/utils/otp";
import type { GenericEndpointContext } from "better-auth";
import { getSessionFromCtx } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import type pg from "pg";
import { isSameSecret } from "#domain/same-secret";

const PERIOD_MILLIS = 30_000;
/** The library takes the code of this moment, the one before and the one after. */
const STEPS = [-1, 0, 1];

export const TOTP_PATH = "/two-factor/verify-totp";

/**
 * Takes a code before the library looks at it, or answers false: it was taken before, or a newer one was (RFC 6238, 5.2). Of two
 * who come with one code at the same moment, on whatever nodes, one gets it. A code that is wrong is left to the library, which
 * counts the guess.
 */
export async function useTotpCodeOnce(pool: pg.Pool, context: GenericEndpointContext): Promise<boolean> {
  const { code } = (context.body ?? {}) as { code?: unknown };
  const userId = typeof code === "string" ? await whoseCode(context) : null;
  if (userId === null) return true;
  const { rows } = await pool.query<{ secret: string }>(`SELECT secret FROM "twoFactor" WHERE "userId" = $1`, [userId]);
  if (!rows[0]) return true;
  const otp = createOTP(await symmetricDecrypt({ key: context.context.secretConfig, data: rows[0].secret }));
  const now = Math.floor(Date.now() / PERIOD_MILLIS);
  for (const step of STEPS.map((offset) => now + offset)) {
    if (!isSameSecret(await otp.hotp(step), code as string)) continue;
    // A step that no clock can have reached yet was taken when one was wrong: it must not keep anybody out.
    // The library turns it on in two statements. Where only the first was written, it would refuse every code of somebody who signs in.
    const { rowCount } = await pool.query(
      `UPDATE "twoFactor"
       SET "lastStep" = $2, verified = verified OR EXISTS (SELECT FROM "user" WHERE id = $1 AND "twoFactorEnabled")
       WHERE "userId" = $1 AND (coalesce("lastStep", -1) < $2 OR "lastStep" > $3)`,
      [userId, step, now + 1],
    );
    return rowCount === 1;
  }
  return true;
}

/** A person who turns it on is signed in; one who is signing in has passed the password, and holds a cookie that says so. */
async function whoseCode(context: GenericEndpointContext): Promise<string | null> {
  const session = await getSessionFromCtx(context);
  if (session) return session.user.id;
  const { createAuthCookie, internalAdapter, secret } = context.context;
  const half = await context.getSignedCookie(createAuthCookie("two_factor").name, secret);
  return half ? ((await internalAdapter.findVerificationValue(half))?.value ?? null) : null;
}
