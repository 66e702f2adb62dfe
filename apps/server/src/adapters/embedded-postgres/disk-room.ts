import { statfs } from "node:fs/promises";

const MB = 1024 * 1024;
/** With less, PostgreSQL cannot make the next file of its log. */
const LEAST_BYTES = 16 * MB;

export const DID_NOT_START = "PostgreSQL did not start.";

/**
 * Whether a start failed because the disk is full. PostgreSQL says so in its log, unless that lies on the same disk and took
 * no more words.
 */
export async function isForLackOfRoom(folder: string, error: unknown): Promise<boolean> {
  if (/No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/.test(String(error))) return true;
  if (!String(error).includes(DID_NOT_START)) return false;
  return hasLittleRoom(folder);
}

export async function hasLittleRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < LEAST_BYTES;
}

/** PostgreSQL lets its log grow to 1 GB before it writes out what is in it. On a small disk it may take a tenth. */
export async function logSettings(folder: string): Promise<Readonly<Record<string, string>>> {
  const { blocks, bsize } = await statfs(folder);
  const most = Math.floor(Math.max(48, (blocks * bsize) / MB / 10));
  if (most >= 1024) return {};
  // Small files of the log are written out often: that is intended, and no news for PostgreSQL's own log.
  return { max_wal_size: `${most}MB`, min_wal_size: `${Math.min(80, most)}MB`, checkpoint_warning: "0" };
}
