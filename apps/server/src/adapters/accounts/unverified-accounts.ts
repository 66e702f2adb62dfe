import type pg from "pg";
import type { UserId } from "#domain/ids";

/** Links that replace the password or the address, second factors that are waited for, and devices that are not asked for one. */
export async function deleteVerifications(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query(`DELETE FROM "verification" WHERE value = $1`, [userId]);
}

/**
 * A person who opens an email to an unverified address owns the address, and perhaps did not make the account: anybody can give
 * an address at sign-up, or open an invitation that they sent. The password was just replaced; sessions, passkeys and
 * connected tools go too. The second factor stays, or an email would be a way around it.
 */
export async function takeOverUnverified(pool: pg.Pool, userId: UserId, disconnect: (userId: UserId) => Promise<void>): Promise<void> {
  const { rowCount } = await pool.query(`SELECT FROM "user" WHERE id = $1 AND NOT "emailVerified"`, [userId]);
  if (rowCount === 0) return;
  await pool.query(`DELETE FROM "session" WHERE "userId" = $1`, [userId]);
  await pool.query(`DELETE FROM "passkey" WHERE "userId" = $1`, [userId]);
  await disconnect(userId);
  // Last: a take-over that failed half way is repeated with the next email.
  await pool.query(`UPDATE "user" SET "emailVerified" = true WHERE id = $1`, [userId]);
}
