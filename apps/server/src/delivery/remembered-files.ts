import { LRUCache } from "lru-cache";
import { isId } from "#domain/ids";
import { variantName } from "#domain/image-variant";
import { ownBytes } from "#domain/own-bytes";
import type { Signals } from "#ports/signals";
import type { FindMediaFile, OpenedFile, ServedFile } from "./media-file.ts";

/** Larger ones are read as they are taken: many who take them slowly must not fill the memory. */
const MOST_BYTES_EACH = 256 * 1024;
const MOST_BYTES = 32 * 1024 * 1024;

export interface MediaFiles {
  readonly find: FindMediaFile;
  /** The file if it is in memory, at once. */
  inMemory(...asked: Parameters<FindMediaFile>): OpenedFile | null;
}

/**
 * Small files that were asked for, kept in memory: most requests are for few images, and the two rows and the file behind one take many
 * times as long as sending it. Only what is final is kept, and nothing of a website whose files or settings changed: here at once, on
 * other nodes within a second, as with all that readers get.
 */
export function rememberFiles(findAnew: FindMediaFile, signals: Pick<Signals, "subscribe">): MediaFiles {
  const kept = new LRUCache<string, OpenedFile>({ maxSize: MOST_BYTES });
  let changes = 0;

  signals.subscribe((signal) => {
    // With a workspace that is closed go all its websites, and which those are is not known here.
    const isAboutAll = signal === "everything" || (signal.topic === "closed" && isId("workspace", signal.id));
    if (!isAboutAll && signal.topic !== "files" && signal.topic !== "access") return;
    changes += 1;
    if (isAboutAll) return kept.clear();
    const gone = [...kept.keys()].filter((key) => key.startsWith(`${signal.id}/`));
    for (const key of gone) kept.delete(key);
  });

  const inMemory: MediaFiles["inMemory"] = (...asked) => kept.get(keyOf(...asked)) ?? null;

  async function find(...asked: Parameters<FindMediaFile>): Promise<ServedFile | null> {
    const hot = inMemory(...asked);
    if (hot) return { ...hot, open: async () => hot };
    const before = changes;
    const found = await findAnew(...asked);
    if (!found?.isFinal) return found;
    return {
      ...found,
      async open() {
        const opened = await found.open();
        if (!opened?.isFinal || opened.size > MOST_BYTES_EACH) return opened;
        const bytes = await bytesOf(opened);
        // What is cut short is told of when it is sent.
        if (bytes.byteLength !== opened.size) return opened;
        const whole = { ...opened, bytes };
        // What was read before a change must not be kept after it.
        if (changes === before) kept.set(keyOf(...asked), whole, { size: bytes.byteLength + 1_000 });
        return whole;
      },
    };
  }
  return { find, inMemory };
}

/** Where the image has settings, their number is in the name of the file. */
const keyOf = (...[websiteId, fileName, variant]: Parameters<FindMediaFile>): string =>
  `${websiteId}/${fileName}/${variant ? variantName(variant, null) : ""}`;

async function bytesOf({ size, read }: OpenedFile): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of read(0, size - 1)) pieces.push(piece);
  return ownBytes(...pieces);
}
