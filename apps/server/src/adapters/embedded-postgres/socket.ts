import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

export const PORT = 5432;
const NAME = `/.s.PGSQL.${PORT}`;
/** The address of a Unix socket has room for 107 bytes on Linux and 103 on macOS. */
const LONGEST = 103;

/** A path of the folder that is short enough to reach the socket in it, and how to clean up after use. */
export async function reachSocket(folder: string): Promise<{ host: string; release: () => Promise<void> }> {
  if (Buffer.byteLength(folder + NAME) <= LONGEST) return { host: folder, release: async () => {} };
  // A private folder: nobody else can put another link in its place.
  const base = Buffer.byteLength(tmpdir()) <= 60 ? tmpdir() : "/tmp";
  const link = await mkdtemp(path.join(base, "stet-"));
  const host = path.join(link, "s");
  await symlink(folder, host);
  return { host, release: () => rm(link, { recursive: true, force: true }) };
}
