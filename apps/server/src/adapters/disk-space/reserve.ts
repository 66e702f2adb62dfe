import { randomBytes } from "node:crypto";
import { open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";

const MB = 1024 * 1024;
const fileIn = (folder: string): string => path.join(folder, "reserve");

/** Enough for PostgreSQL to start after a crash: one file of its log (16 MB), and some. */
export const reserveBytes = (totalBytes: number): number => Math.min(64 * MB, Math.max(24 * MB, Math.floor(totalBytes / 20 / MB) * MB));

/**
 * A file that only takes room. When the disk is full to the last byte, PostgreSQL cannot start after a crash, because it
 * must write a little first; then this file is removed for it.
 */
export async function keepReserve(folder: string, bytes: number): Promise<void> {
  const file = fileIn(folder);
  const found = await stat(file).catch(() => null);
  if (found?.size === bytes) return;
  const unfinished = `${file}.part`;
  try {
    const handle = await open(unfinished, "w", 0o600);
    try {
      // Noise, so that it takes its room also where files are compressed.
      const piece = randomBytes(MB);
      for (let written = 0; written < bytes; written += MB) await handle.write(piece);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Whether there was one to give up. */
export async function releaseReserve(folder: string): Promise<boolean> {
  const found = await stat(fileIn(folder)).catch(() => null);
  await rm(fileIn(folder), { force: true });
  return found !== null;
}
