import { randomUUID } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { imageWith } from "#domain/probe-image";
import type { ImageStore } from "#ports/image-store";

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Real images, because Cloudinary takes nothing else. */
const bytesOf = (text: string) => imageWith(new TextEncoder().encode(text));

/** What every image store promises (ports/image-store.ts). Each test has a folder of its own. */
export function imageStoreContract(name: string, open: () => ImageStore): void {
  describe(`images in ${name}`, () => {
    const folder = () => `site_${randomUUID()}`;
    const keysIn = async (prefix: string) => (await allOf(open().list(prefix))).toSorted();

    test("what was put is got back, replaced by a second put, and gone after delete", async () => {
      const [store, key] = [open(), `${folder()}/media_1.gif`];
      expect([await store.get(key), await store.size(key)]).toEqual([null, null]);
      await store.put(key, bytesOf("one"), "image/gif");
      await store.put(key, bytesOf("second"), "image/gif");
      expect(Buffer.from((await store.get(key))!).equals(bytesOf("second"))).toBe(true);
      expect(await store.size(key)).toBe(bytesOf("second").byteLength);
      await store.delete(key);
      expect([await store.get(key), await store.size(key)]).toEqual([null, null]);
      await store.delete(key);
    });

    test("any part is read, to the byte", async () => {
      const [store, key] = [open(), `${folder()}/media_1.gif`];
      const bytes = imageWith(Uint8Array.from({ length: 300_000 }, (_, n) => (n * 7) % 251));
      const end = bytes.byteLength - 1;
      await store.put(key, bytes, "image/gif");
      for (const [first, last] of [
        [0, end],
        [0, 0],
        [end, end],
        [65_535, 65_537],
        [1, 250_000],
      ] as const) {
        expect((await buffer(store.read(key, first, last))).equals(bytes.subarray(first, last + 1)), `${first}-${last}`).toBe(true);
      }
      expect(Buffer.from((await store.get(key))!).equals(bytes)).toBe(true);
    });

    test("reading what is not there is an error, not an empty file", async () => {
      await expect(buffer(open().read(`${folder()}/media_1.gif`, 0, 10))).rejects.toThrow();
    });

    test("a list has the keys of a folder, however many, and none of another that begins alike", async () => {
      const [store, site] = [open(), folder()];
      const keys = Array.from({ length: 12 }, (_, n) => `${site}/media_${n}.gif`);
      await Promise.all(keys.map((key) => store.put(key, bytesOf(key), "image/gif")));
      await store.put(`${site}x/media_1.gif`, bytesOf("x"), "image/gif");
      expect(await keysIn(`${site}/`)).toEqual(keys.toSorted());
      for await (const key of store.list(`${site}/`)) await store.delete(key);
      expect(await keysIn(`${site}/`)).toEqual([]);
      expect(await keysIn(`${site}x/`)).toEqual([`${site}x/media_1.gif`]);
      expect(await keysIn(`${folder()}/`)).toEqual([]);
    });

    test("a reader beside a writer sees one whole file or the other", async () => {
      const [store, key] = [open(), `${folder()}/media_1.gif`];
      const versions = [1, 2].map((n) => imageWith(new Uint8Array(100_000).fill(n)));
      await store.put(key, versions[0]!, "image/gif");
      const writing = (async () => {
        for (let n = 0; n < 10; n++) await store.put(key, versions[n % 2]!, "image/gif");
      })();
      for (let n = 0; n < 10; n++) {
        const found = (await store.get(key))!;
        expect(versions.filter((version) => Buffer.compare(found, version) === 0)).toHaveLength(1);
      }
      await writing;
    });

    test("a key that leads elsewhere is refused, whatever is asked", async () => {
      const store = open();
      const keys = [
        "../x",
        "a/../../x",
        "/etc/passwd",
        "a//b",
        "a/./b",
        ".hidden",
        "a\\b",
        "a\0.gif",
        "",
        "a/",
        "%2e%2e/x",
        "a?acl",
        "a#b",
        "ä/b",
      ];
      for (const key of keys) {
        for (const act of [
          () => store.get(key),
          () => store.size(key),
          () => store.put(key, bytesOf("x"), "image/gif"),
          () => store.delete(key),
          async () => buffer(store.read(key, 0, 1)),
        ]) {
          await expect((async () => act())(), key).rejects.toThrow();
        }
      }
      await expect(allOf(store.list("../"))).rejects.toThrow();
    });
  });
}
