import type pg from "pg";

/** Links to replace the password or the address, second factors that were waited for, and devices that were not to be asked for one. */
export async function forgetOpenDoors(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query(`DELETE FROM "verification" WHERE value = $1`, [userId]);
}

/**
 * Whoever opens a letter to an address that nobody had proved is its owner, and perhaps not the one who made the account: anybody
 * can give an address at sign-up, or open an invitation that they sent. The password was just replaced and all sessions end with
 * it; passkeys go too. The second factor stays, or a letter would be a way around it. True when it was the first proof.
 */
export async function takeOverUnproven(pool: pg.Pool, userId: string): Promise<boolean> {
  const { rowCount } = await pool.query(`UPDATE "user" SET "emailVerified" = true WHERE id = $1 AND NOT "emailVerified"`, [userId]);
  if (rowCount === 0) return false;
  await pool.query(`DELETE FROM "passkey" WHERE "userId" = $1`, [userId]);
  return true;
}
