import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LRUCache } from "lru-cache";
import { DAY, HOUR } from "#domain/time";
import type { VariantFiles } from "#ports/variant-files";

export interface DiskVariantsOptions {
  /** Holds nothing but this; what lies there of another recipe is removed. */
  readonly folder: string;
  /** How variants are made: part of where they lie. */
  readonly recipe: string;
  readonly maxBytes: number;
  /** Whether the disk has room for so many more bytes. */
  readonly hasRoom: (bytes: number) => Promise<boolean>;
  readonly onTrouble: (message: string, error: unknown) => void;
}

interface Kept {
  readonly bytes: number;
  /** When it was last read, as the file says, in milliseconds: exact to an hour. */
  readonly readAt: number;
}

export interface DiskVariants extends VariantFiles {
  /** Ends when what was there at the start is counted. */
  readonly counted: Promise<void>;
  close(): Promise<void>;
}

/** Of an image that is deleted nobody reads a variant: it goes after this time, also on nodes that were not told. */
const UNREAD_MILLIS = 30 * DAY;
const PART = ".part";

/**
 * Variants as files in one folder for each website. How much they take together is bounded, and known again after a restart: the time
 * of a file says when it was last read. By the machine's clock, as the files are.
 */
export function openDiskVariants({ folder, recipe, maxBytes, hasRoom, onTrouble }: DiskVariantsOptions): DiskVariants {
  const here = join(folder, recipe);
  const pathOf = (key: string): string => join(here, ...key.split("/"));
  const remove = (key: string): void =>
    void rm(pathOf(key), { force: true }).catch((error: unknown) => onTrouble("A variant of an image cannot be removed", error));
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes),
    dispose: (_, key, reason) => reason !== "set" && remove(key),
  });

  /** Found first: what is walked must not change meanwhile. */
  function removeWhere(goes: (key: string, entry: Kept) => boolean): void {
    const found = [...kept.entries()].filter(([key, entry]) => goes(key, entry));
    for (const [key] of found) kept.delete(key);
  }
  const removeUnread = (): void => removeWhere((_, { readAt }) => readAt < Date.now() - UNREAD_MILLIS);

  const counted = (async () => {
    await mkdir(here, { recursive: true, mode: 0o700 });
    for (const name of await readdir(folder)) if (name !== recipe) await rm(join(folder, name), { recursive: true, force: true });
    const found: { key: string; kept: Kept }[] = [];
    for (const website of await readdir(here)) {
      for (const name of await readdir(join(here, website))) {
        const key = `${website}/${name}`;
        const file = await stat(pathOf(key)).catch(() => null);
        // Of a node that was ended while it wrote; one that writes now is younger.
        if (file && name.endsWith(PART) && file.mtimeMs < Date.now() - HOUR) remove(key);
        else if (file && !name.endsWith(PART)) found.push({ key, kept: { bytes: file.size, readAt: file.mtimeMs } });
      }
    }
    for (const { key, kept: entry } of found.toSorted((a, b) => a.kept.readAt - b.kept.readAt)) kept.set(key, entry);
    removeUnread();
  })().catch((error: unknown) => onTrouble("The variants of images cannot be counted", error));
  const timer = setInterval(removeUnread, HOUR);
  timer.unref();

  async function noteRead(key: string, bytes: number): Promise<void> {
    const now = Date.now();
    const entry = kept.get(key);
    if (entry && entry.readAt > now - HOUR) return;
    // Not counted yet: another node made it.
    kept.set(key, { bytes, readAt: now });
    await utimes(pathOf(key), new Date(now), new Date(now)).catch(() => {});
  }

  return {
    counted,
    async size(key) {
      const file = await stat(pathOf(key)).catch(() => null);
      if (file) await noteRead(key, file.size);
      return file?.size ?? null;
    },
    read: (key, first, last) => createReadStream(pathOf(key), { start: first, end: last }),
    async put(key, bytes) {
      await counted;
      if (bytes.byteLength > maxBytes || !(await hasRoom(bytes.byteLength))) return;
      const path = pathOf(key);
      const temporary = `${path}.${randomUUID()}${PART}`;
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeFile(temporary, bytes, { mode: 0o600 });
        await rename(temporary, path);
        kept.set(key, { bytes: bytes.byteLength, readAt: Date.now() });
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        // Whoever asked gets it all the same.
        onTrouble("A variant of an image cannot be kept", error);
      }
    },
    async forget(storageKey) {
      await counted;
      removeWhere((key) => key.startsWith(`${storageKey}.`));
    },
    close: async () => clearInterval(timer),
  };
}
