import { storageFull } from "#domain/disk-space";
import type { Operation, Scope } from "./operation.ts";
import type { Services } from "./services.ts";

/** An input of more bytes is a large save. */
export const LARGE_WRITES = 256 * 1024;

/** They write as much as the file or the number that they are given says. */
const LARGE: ReadonlySet<string> = new Set(["import_website", "seed_website"]);

/**
 * Operations that free space, take something from readers, or take access away: they go on when the disk is full, in the space
 * that refusing the others has kept free.
 */
export const RUNS_ON_FULL_DISK: ReadonlySet<string> = new Set([
  "unpublish_post",
  "delete_post",
  "purge_post",
  "delete_term",
  "delete_media",
  "purge_media",
  "delete_website",
  "delete_workspace",
  "delete_webhook",
  "pause_webhook",
  "revoke_key",
  "revoke_invitation",
  "remove_member",
  "leave_workspace",
  "disconnect",
  "disconnect_left",
  // Takes content out of the install while one still can; all it writes is a line of the activity log.
  "export_website",
]);

/** Runs a change where there is room for it, and words the refusal of a disk that is full all the same. */
export async function withDiskSpace<S extends Scope, Input, Output>(
  { disk }: Pick<Services, "disk">,
  { name, activity }: Operation<S, Input, Output>,
  input: unknown,
  run: () => Promise<Output>,
): Promise<Output> {
  if (activity === "none") return run();
  if (disk.hasDatabase && !RUNS_ON_FULL_DISK.has(name)) {
    const { level } = await disk.read();
    if (level === "full" || (level === "tight" && (LARGE.has(name) || sizeOf(input) > LARGE_WRITES))) throw storageFull(level);
  }
  try {
    return await run();
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    const failure = storageFull("full");
    failure.cause = error;
    throw failure;
  }
}

/** Before each piece of something large that is written as it comes. */
export async function requireDiskSpaceForMore({ disk }: Pick<Services, "disk">): Promise<void> {
  if (!disk.hasDatabase) return;
  const { level } = await disk.read();
  if (level === "tight" || level === "full") throw storageFull(level);
}

export function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, part) => sum + sizeOf(part), 0);
}

/** disk_full of PostgreSQL, the system's own codes, and OutOfDiskSpace of MongoDB. */
const FULL: ReadonlySet<unknown> = new Set(["53100", "ENOSPC", "EDQUOT", 14_031]);

/** Whether a disk was full, ours or a database's: a store keeps the reason of its refusal as the cause. */
export function isDiskFull(error: unknown): boolean {
  for (let reason = error; reason instanceof Error; reason = reason.cause) if ("code" in reason && FULL.has(reason.code)) return true;
  return false;
}
