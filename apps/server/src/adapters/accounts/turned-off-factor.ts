import type { GenericEndpointContext } from "better-auth";
import { getSessionFromCtx } from "better-auth/api";
import type pg from "pg";

/**
 * The library turns a second factor off in two statements. Where only the first was written, the secret lies there still, and the library
 * would refuse its owner to turn one on again.
 */
export async function deleteTurnedOff(pool: pg.Pool, context: GenericEndpointContext): Promise<void> {
  const session = await getSessionFromCtx(context);
  if (!session) return;
  await pool.query(
    `DELETE FROM "twoFactor" USING "user"
     WHERE "user".id = $1 AND "userId" = "user".id AND verified IS NOT FALSE AND "twoFactorEnabled" IS NOT TRUE`,
    [session.user.id],
  );
}
