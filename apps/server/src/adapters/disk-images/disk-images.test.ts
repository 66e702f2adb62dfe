import { type FileHandle, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openDiskImages } from "./disk-images.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "stet-media-"));
  await writeFile(join(root, "secret.txt"), "not an image");
});
afterAll(() => rm(root, { recursive: true, force: true }));

const bytes = (text: string) => new TextEncoder().encode(text);

describe("images on disk", () => {
  test("what a process left that died while it wrote is listed under its key, and goes with it", async () => {
    const folder = join(root, "cut");
    const files = openDiskImages(folder);
    await files.put("site_1/media_1.png", bytes("x"), "image/png");
    const part = join(folder, "site_1", ".media_2.png.0b8d6ad2-95d1-4f2c-9c0b-7d4b1c1a9f10.part");
    await writeFile(part, "half");
    const listed: string[] = [];
    for await (const key of files.list("site_1/")) listed.push(key);
    expect(listed.toSorted()).toEqual(["site_1/media_1.png", "site_1/media_2.png"]);
    expect(await files.get("site_1/media_2.png")).toBeNull();
    await files.delete("site_1/media_2.png");
    expect(await readdir(join(folder, "site_1"))).toEqual(["media_1.png"]);
  });

  test("no key leads out of the folder or to a hidden file", async () => {
    const files = openDiskImages(join(root, "media"));
    const keys = [
      "../secret.txt",
      "a/../../secret.txt",
      "/etc/passwd",
      "a//b",
      "a/./b",
      ".hidden",
      "a\\..\\b",
      "a\0.png",
      "",
      "a/",
      "%2e%2e/secret.txt",
    ];
    for (const key of keys) {
      await expect(files.get(key), key).rejects.toThrow("Not a key");
      await expect(files.size(key), key).rejects.toThrow("Not a key");
      expect(() => files.read(key, 0, 1), key).toThrow("Not a key");
      await expect(files.put(key, bytes("x"), "image/png"), key).rejects.toThrow("Not a key");
      await expect(files.delete(key), key).rejects.toThrow("Not a key");
    }
    expect(await readFile(join(root, "secret.txt"), "utf8")).toBe("not an image");
  });

  test("files and folders are closed to other users, and no temporary file stays behind", async () => {
    const folder = join(root, "closed");
    const files = openDiskImages(folder);
    await Promise.all(Array.from({ length: 20 }, (_, n) => files.put("site_2/media_2.png", bytes(`${n}`), "image/png")));
    expect((await stat(join(folder, "site_2"))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, "site_2/media_2.png"))).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, "site_2"))).toEqual(["media_2.png"]);
  });

  test("an image is on the disk before it is said to be there, and so are its name and the folders it lies in", async () => {
    const synced = new Set<number>();
    const handle = await open(root, "r");
    const sync = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, "sync").mockImplementation(async function (this: FileHandle) {
      synced.add((await this.stat()).ino);
    });
    await handle.close();
    const folder = join(root, "durable");
    const files = openDiskImages(folder);
    await files.put("site_3/media_3.png", bytes("x"), "image/png");
    const numbers = async (...paths: string[]) => Promise.all(paths.map(async (path) => (await stat(path)).ino));
    const file = join(folder, "site_3/media_3.png");
    expect([...synced]).toEqual(await numbers(file, join(folder, "site_3"), folder, root));
    synced.clear();
    await files.put("site_3/media_4.png", bytes("x"), "image/png");
    expect([...synced]).toEqual(await numbers(join(folder, "site_3/media_4.png"), join(folder, "site_3")));
    sync.mockRestore();
  });

  test("uploads at the same moment cannot fill the disk together", async () => {
    const folder = join(root, "little room");
    const files = openDiskImages(folder, async (wanted) => {
      if (wanted > 250) throw new Error("no room");
    });
    const puts = ["a", "b", "c", "d"].map((name) => files.put(`site_5/${name}.png`, new Uint8Array(100), "image/png"));
    const results = await Promise.allSettled(puts);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
    expect((await readdir(join(folder, "site_5"))).toSorted()).toEqual(["a.png", "b.png"]);
    await files.put("site_5/e.png", new Uint8Array(200), "image/png");
  });

  test("a disk that refuses is told without naming folders of the machine", async () => {
    const files = openDiskImages(join(root, "secret.txt"));
    const failure = await files.put("a.png", bytes("x"), "image/png").catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "UNAVAILABLE" });
    expect(String(failure)).not.toContain(root);
  });
});
