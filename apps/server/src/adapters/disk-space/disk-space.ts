import type { StatsFs } from "node:fs";
import { statfs } from "node:fs/promises";
import path from "node:path";
import { type DiskLevel, type DiskLimits, diskWords, isWorse, readingOf, type DiskReading } from "#domain/disk-space";
import type { DiskSpace } from "#ports/disk-space";
import { keepReserve, reserveBytes } from "./reserve.ts";

export interface DiskSpaceOptions {
  /** The data folder. */
  readonly folder: string;
  /** The limits that the operator chose. */
  readonly limits: Partial<DiskLimits>;
  /** Has the embedded database write out its log, so that the old parts of it can be removed. Null: the database is elsewhere. */
  readonly checkpoint: (() => Promise<void>) | null;
  readonly report: (level: DiskLevel, message: string) => void;
}

const AGE_MILLIS = 1_000;
const AGE_MILLIS_WHEN_LITTLE = 100;
const CHECKPOINT_EVERY_MILLIS = 10_000;

export function openDiskSpace({ folder, limits, checkpoint, report }: DiskSpaceOptions): DiskSpace {
  const hasDatabase = checkpoint !== null;
  let last: { reading: DiskReading; at: number } | null = null;
  /** The level that was logged last. Null: this process only looks, and logs none. */
  let told: DiskLevel | null = null;
  let keepsReserve = true;
  let checkpointAt = -CHECKPOINT_EVERY_MILLIS;

  async function measure(): Promise<DiskReading> {
    const { bavail, blocks, bsize } = await nearestDisk(folder);
    // The space that other users than root may take; PostgreSQL does not run as root.
    const reading = readingOf(bavail * bsize, blocks * bsize, limits);
    last = { reading, at: performance.now() };
    if (told !== null) tell(reading);
    return reading;
  }

  function tell(reading: DiskReading): void {
    if (reading.level === told) return;
    told = reading.level;
    const { message, next } = diskWords(reading, hasDatabase);
    report(told, told === "ok" ? "There is enough room on the disk of the data folder again." : `${message} ${next}`);
  }

  async function read(): Promise<DiskReading> {
    if (last && performance.now() - last.at < (last.reading.level === "ok" ? AGE_MILLIS : AGE_MILLIS_WHEN_LITTLE)) return last.reading;
    return measure();
  }

  return {
    hasDatabase,
    read,
    measure,
    async tend() {
      told ??= "ok";
      let reading = await measure();
      if (!checkpoint) return reading;
      if (isWorse(reading.level, "low") && performance.now() - checkpointAt > CHECKPOINT_EVERY_MILLIS) {
        checkpointAt = performance.now();
        await checkpoint();
        reading = await measure();
      }
      const reserve = reserveBytes(reading.totalBytes);
      if (keepsReserve && reading.freeBytes > reading.limits.tight + reserve) {
        await keepReserve(folder, reserve).catch((error: unknown) => {
          keepsReserve = false;
          report("low", `No reserve is kept for a full disk, because its file cannot be written: ${String(error)}`);
        });
      }
      return reading;
    },
  };
}

/** An install whose database and secret come from elsewhere may have no data folder yet: it will lie where its parent does. */
async function nearestDisk(folder: string): Promise<StatsFs> {
  try {
    return await statfs(folder);
  } catch (error) {
    const parent = path.dirname(folder);
    if (parent === folder) throw error;
    return nearestDisk(parent);
  }
}
