import { setTimeout as delay } from "node:timers/promises";
import { fileKey, type ManagedStore, type MediaFile } from "#domain/media-file";
import type { Services } from "#operations/kernel/services";
import type { MediaRef } from "#ports/media-records";
import { moveFile } from "./moving/move-file.ts";

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
 * Moves every file that lies with the install to one store, while it is read and written; what lies in stores of websites' owners stays there. A file is copied, read back and compared, and then the ledger
 * says where it lies: whoever is killed in between starts again and copies at most that file twice. The copies in the store before go last,
 * when every reader that found them there has opened them.
 */
export async function moveImages(
  services: Services,
  to: ManagedStore,
  { onFile = () => {}, readersMillis = READERS_MILLIS }: { onFile?: () => void; readersMillis?: number } = {},
): Promise<Moved> {
  let moved = 0;
  let unread = 0;
  const faulty: string[] = [];
  await eachFile(services, async (file) => {
    if (file.store === to || file.store === "own" || file.state !== "kept") return;
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

/** Also what an earlier run left that was killed before it came to this. */
async function removeCopies({ images, platform }: Services, file: MediaFile): Promise<void> {
  for (const store of images.names.filter((name) => name !== file.store)) {
    const now = await platform.mediaFiles.get(file.websiteId, file.mediaId);
    if (now?.store === file.store) await images.of(store).delete(fileKey(file));
  }
}
