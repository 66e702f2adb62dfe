import { setTimeout as delay } from "node:timers/promises";
import { fileKey, type MediaFile, type StoreName } from "#domain/media-file";
import { timestamp } from "#domain/time";
import type { Services } from "#operations/kernel/services";
import { sha256Of } from "#operations/media/helpers/store-file";
import type { MediaRef } from "#ports/content-store";

const BATCH = 100;
/** Files that are moved side by side; each is in memory twice for a moment. */
const SIDE_BY_SIDE = 4;
/** How long a reader may take from finding a file to opening it, in milliseconds. */
const READERS_MILLIS = 5_000;

export interface Moved {
  /** Files that were copied and are now read from the other store. */
  readonly moved: number;
  /** Keys whose bytes are not there, or not those that the ledger knows. They stay where they are. */
  readonly faulty: readonly string[];
  /** Files that lie elsewhere and could not be moved yet, because nobody has read them since an older version took them in. */
  readonly unread: number;
}

/**
 * Moves every file of the install to one store, while it is read and written. A file is copied, read back and compared, and then the ledger
 * says where it lies: whoever is killed in between starts again and copies at most that file twice. The copies in the store before go last,
 * when every reader that found them there has opened them.
 */
export async function moveImages(
  services: Services,
  to: StoreName,
  { onFile = () => {}, readersMillis = READERS_MILLIS }: { onFile?: () => void; readersMillis?: number } = {},
): Promise<Moved> {
  let moved = 0;
  let unread = 0;
  const faulty: string[] = [];
  await eachFile(services, async (file) => {
    if (file.store === to || file.state !== "kept") return;
    const result = file.sha256 === null ? "unread" : await moveFile(services, file, to);
    if (result === "unread") unread += 1;
    if (result === "moved") moved += 1;
    if (result === "faulty") faulty.push(fileKey(file));
    onFile();
  });
  await delay(moved > 0 ? readersMillis : 0);
  await eachFile(services, async (file) => {
    if (file.store === to && file.state === "kept") await removeCopies(services, file);
  });
  return { moved, faulty, unread };
}

async function eachFile(services: Services, work: (file: MediaFile) => Promise<void>): Promise<void> {
  let after: MediaRef | null = null;
  for (;;) {
    const files: readonly MediaFile[] = await services.platform.mediaFiles.listBetween(after, null, BATCH);
    for (let at = 0; at < files.length; at += SIDE_BY_SIDE) await Promise.all(files.slice(at, at + SIDE_BY_SIDE).map(work));
    const last = files.at(-1);
    if (!last || files.length < BATCH) return;
    after = { websiteId: last.websiteId, id: last.mediaId };
  }
}

/** "faulty": the bytes are missing, or others than the ledger knows. "changed": somebody removed or changed it meanwhile. */
async function moveFile({ images, platform, clock }: Services, file: MediaFile, to: StoreName): Promise<"moved" | "faulty" | "changed"> {
  const key = fileKey(file);
  const bytes = await images.of(file.store).get(key);
  if (!bytes || sha256Of(bytes) !== file.sha256) return "faulty";
  const target = images.of(to);
  await target.put(key, bytes, file.contentType);
  const copy = await target.get(key);
  if (!copy || sha256Of(copy) !== file.sha256) throw new Error(`The copy of ${key} is not what was written. Nothing was removed.`);
  if (await platform.mediaFiles.moveTo(file, to, timestamp(clock()))) return "moved";
  // Where somebody else moved it, the copy is theirs.
  const now = await platform.mediaFiles.get(file.websiteId, file.mediaId);
  if (now?.store !== to) await target.delete(key);
  return "changed";
}

/** Also what an earlier run left that was killed before it came to this. */
async function removeCopies({ images, platform }: Services, file: MediaFile): Promise<void> {
  for (const store of images.names.filter((name) => name !== file.store)) {
    const now = await platform.mediaFiles.get(file.websiteId, file.mediaId);
    if (now?.store === file.store) await images.of(store).delete(fileKey(file));
  }
}
