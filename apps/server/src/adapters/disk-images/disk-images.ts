import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isImageKey, requireImageKey, translated } from "#domain/image-store-rules";
import type { ImageStore } from "#ports/image-store";

/**
 * Images as files below one folder, closed to other users of the machine. `requireRoom` throws when the disk lacks room for so
 * many more bytes.
 */
export function openDiskImages(folder: string, requireRoom: (bytes: number) => Promise<void> = async () => {}): ImageStore {
  /** Bytes that are being written: uploads at the same moment must not fill the disk together. */
  let onTheirWay = 0;
  const pathOf = (key: string): string => join(folder, ...requireImageKey(key).split("/"));
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      onTheirWay += bytes.byteLength;
      try {
        await requireRoom(onTheirWay);
        await translated(() => write(path, bytes));
      } finally {
        onTheirWay -= bytes.byteLength;
      }
    },
    get: async (key) => unlessMissing(pathOf(key), (path) => readFile(path)),
    size: async (key) => unlessMissing(pathOf(key), async (path) => (await stat(path)).size),
    read: (key, first, last) => createReadStream(pathOf(key), { start: first, end: last }),
    async delete(key) {
      const path = pathOf(key);
      await translated(async () => {
        await rm(path, { force: true });
        for (const name of await namesIn(dirname(path))) {
          if (keyOfPart(name) === basename(path)) await rm(join(dirname(path), name), { force: true });
        }
      });
    },
    async *list(prefix) {
      const inFolder = pathOf(prefix.replace(/\/$/, ""));
      const names = await translated(() => namesIn(inFolder));
      yield* new Set(names.map((name) => prefix + (keyOfPart(name) ?? name)).filter((key) => isImageKey(key)));
    },
  };
}

/** Beside the target first, so that the rename stays on one disk: a reader sees the whole file or none. */
async function write(path: string, bytes: Uint8Array): Promise<void> {
  const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
  try {
    await writeDurably(temporary, bytes);
    await rename(temporary, path);
    await syncFolders(dirname(path), made === undefined ? dirname(path) : dirname(made));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** For a temporary file that an interrupted write left behind: the final file name. Null for any other file. */
const keyOfPart = (name: string): string | null => /^\.(.+)\.[0-9a-f-]{36}\.part$/.exec(name)?.[1] ?? null;

/** Of a folder that may not be there. */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });

/** Synced to disk before it gets its final name: a crash must not leave an empty image under that name. */
async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * The name too, and those of the folders that were made for it: they lie in the folders above, up to `last`. Else a power cut
 * could take an image whose record is kept. Windows has no such thing, and keeps names by itself.
 */
async function syncFolders(folder: string, last: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (folder !== last) await syncFolders(dirname(folder), last);
}

const unlessMissing = <T>(path: string, work: (path: string) => Promise<T>): Promise<T | null> =>
  translated(() =>
    work(path).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    }),
  );

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
