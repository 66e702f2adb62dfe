import { fail, type Failure } from "#domain/failure";

/** ok · low: owners are warned · tight: images and large saves are refused · full: every save is refused. Reading always goes on. */
export const DISK_LEVELS = ["ok", "low", "tight", "full"] as const;
export type DiskLevel = (typeof DISK_LEVELS)[number];

/** Below so many free bytes a level begins. 0: never. */
export type DiskLimits = Readonly<Record<Exclude<DiskLevel, "ok">, number>>;

export interface DiskReading {
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly limits: DiskLimits;
  readonly level: DiskLevel;
}

const MB = 1024 * 1024;
/**
 * A share of the disk within bounds. PostgreSQL writes its log in files of 16 MB and ends when it cannot make the next one,
 * so the lowest bounds leave room for two of them, however small the disk is.
 */
const DEFAULTS: Readonly<Record<keyof DiskLimits, { share: number; least: number; most: number }>> = {
  low: { share: 0.2, least: 96 * MB, most: 2048 * MB },
  tight: { share: 0.1, least: 64 * MB, most: 500 * MB },
  full: { share: 0.05, least: 32 * MB, most: 100 * MB },
};

/** The limits for a disk of this size; `set` holds those that the operator chose. */
export function diskLimits(totalBytes: number, set: Partial<DiskLimits>): DiskLimits {
  const limit = (level: keyof DiskLimits): number => {
    const { share, least, most } = DEFAULTS[level];
    return set[level] ?? Math.min(most, Math.max(least, Math.floor(totalBytes * share)));
  };
  return { low: limit("low"), tight: limit("tight"), full: limit("full") };
}

export function readingOf(freeBytes: number, totalBytes: number, set: Partial<DiskLimits>): DiskReading {
  const limits = diskLimits(totalBytes, set);
  const level = (["full", "tight", "low"] as const).find((name) => freeBytes < limits[name]) ?? "ok";
  return { freeBytes, totalBytes, limits, level };
}

export const isWorse = (level: DiskLevel, than: DiskLevel): boolean => DISK_LEVELS.indexOf(level) > DISK_LEVELS.indexOf(than);

const megabytes = (bytes: number): string => `${Math.floor(bytes / MB).toLocaleString("en")} MB`;

/** The meaning of a level and what to do, for the owners and the operator of the install. `hasDatabase`: the embedded database lies there too. */
export function diskWords({ freeBytes, limits, level }: DiskReading, hasDatabase: boolean): { message: string; next: string } {
  const message = `Only ${megabytes(freeBytes)} are free on the disk of the data folder.`;
  const makeRoom = "Make room on the disk, or make it larger.";
  if (level === "full" && hasDatabase)
    return { message: `${message} Nothing can be saved.`, next: `${makeRoom} Reading and deleting go on, and nothing is lost.` };
  if (level === "full" || level === "tight") {
    const refused = hasDatabase ? "Images and large saves are refused." : "Images are refused.";
    return { message: `${message} ${refused}`, next: `${makeRoom} Everything else goes on.` };
  }
  return { message, next: `${makeRoom} Below ${megabytes(limits.tight)} images ${hasDatabase ? "and large saves " : ""}are refused.` };
}

/** The refusal of a save. Without numbers: those are for the operator of the server. */
export const storageFull = (level: "tight" | "full"): Failure =>
  fail(
    "STORAGE_FULL",
    level === "full"
      ? "The server's disk is full, so nothing can be saved. You can still read and delete. Ask the server's administrator to make room, then save again."
      : "The server's disk is nearly full, so images and large posts cannot be saved. Small saves still work. Ask the server's administrator to make room, then try again.",
  );
