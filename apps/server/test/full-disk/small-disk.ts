import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { open, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Part } from "#test/parts";

const MB = 1024 * 1024;

/** A real disk of a few megabytes, which a test can fill. */
export interface SmallDisk {
  readonly folder: string;
  freeBytes(): Promise<number>;
  /** Another program takes what is left but so many bytes; without them, to the last one. */
  fill(leftBytes?: number): Promise<void>;
  /** It gives back what it took. */
  empty(): Promise<void>;
}

/** A tmpfs, which only root can mount, and not in every container. */
export function mountSmallDisk(megabytes: number): Part<SmallDisk & { unmount(): void }> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return { missing: "only root on Linux can mount a tmpfs" };
  const folder = mkdtempSync(path.join(tmpdir(), "stet-small-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", folder], { encoding: "utf8" });
  if (mounted.status !== 0) {
    rmdirSync(folder);
    return { missing: `a tmpfs cannot be mounted here: ${mounted.error?.message ?? mounted.stderr.trim()}` };
  }
  const filler = path.join(folder, "filler");
  const freeBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  };
  return {
    detail: `a tmpfs of ${megabytes} MB`,
    part: {
      folder,
      freeBytes,
      async fill(leftBytes = 0) {
        const file = await open(filler, "a");
        // Ever smaller pieces, because one that does not fit may be written in part or not at all.
        for (let bytes = MB; bytes >= 4096;) {
          const fits = (await freeBytes()) - bytes >= leftBytes;
          const written = fits ? await file.write(Buffer.alloc(bytes)).catch(() => null) : null;
          if (written?.bytesWritten !== bytes) bytes /= 2;
        }
        await file.close();
      },
      empty: () => rm(filler, { force: true }),
      unmount() {
        // Lazily: a process that is about to end may still have a file open.
        spawnSync("umount", ["--lazy", folder]);
        rmdirSync(folder);
      },
    },
  };
}
