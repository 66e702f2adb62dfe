import type pg from "pg";
import type { UserId } from "#domain/ids";

/** Links to replace the password or the address, second factors that were waited for, and devices that were not to be asked for one. */
export async function forgetOpenDoors(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query(`DELETE FROM "verification" WHERE value = $1`, [userId]);
}

/**
 * Whoever opens a letter to an address that nobody had proved is its owner, and perhaps not the one who made the account: anybody
 * can give an address at sign-up, or open an invitation that they sent. The password was just replaced; sessions, passkeys and
 * connected tools go too. The second factor stays, or a letter would be a way around it.
 */
export async function takeOverUnproven(pool: pg.Pool, userId: UserId, disconnect: (userId: UserId) => Promise<void>): Promise<void> {
  const { rowCount } = await pool.query(`SELECT FROM "user" WHERE id = $1 AND NOT "emailVerified"`, [userId]);
  if (rowCount === 0) return;
  await pool.query(`DELETE FROM "session" WHERE "userId" = $1`, [userId]);
  await pool.query(`DELETE FROM "passkey" WHERE "userId" = $1`, [userId]);
  await disconnect(userId);
  // Last: what failed half way is done again with the next letter.
  await pool.query(`UPDATE "user" SET "emailVerified" = true WHERE id = $1`, [userId]);
}
