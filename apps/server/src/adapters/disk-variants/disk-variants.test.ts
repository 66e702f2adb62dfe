import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { DAY } from "#domain/time";
import { type DiskVariantsOptions, openDiskVariants } from "./disk-variants.ts";

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function open(options: Partial<DiskVariantsOptions> = {}) {
  const folder = options.folder ?? (await mkdtemp(path.join(tmpdir(), "stet-variants-")));
  folders.push(folder);
  const troubles: string[] = [];
  const onTrouble = (message: string) => void troubles.push(message);
  const variants = openDiskVariants({ folder, recipe: "r1", maxBytes: 100, hasRoom: async () => true, onTrouble, ...options });
  await variants.counted;
  return { variants, folder, troubles, names: async () => (await readdir(path.join(folder, "r1/site"))).toSorted() };
}
const bytes = (length: number) => new Uint8Array(length).fill(7);

test("what was not read for longest goes when there is no room, on the disk too", async () => {
  const { variants, names } = await open();
  for (const name of ["a", "b", "c"]) await variants.put(`site/${name}`, bytes(30));
  expect(await variants.size("site/a")).toBe(30);
  await variants.put("site/d", bytes(30));
  await expect.poll(names).toEqual(["a", "c", "d"]);
  expect(await variants.size("site/b")).toBeNull();
});

test("after a restart they are there, counted, and in the order in which they were read", async () => {
  const { variants, folder, names } = await open();
  for (const name of ["a", "b", "c"]) await variants.put(`site/${name}`, bytes(30));
  const at = (days: number) => new Date(Date.now() - days * DAY);
  for (const [name, days] of [
    ["a", 1],
    ["b", 3],
    ["c", 2],
  ] as const)
    await utimes(path.join(folder, "r1/site", name), at(days), at(days));
  await variants.close();
  const again = await open({ folder });
  await again.variants.put("site/d", bytes(30));
  await expect.poll(names).toEqual(["a", "c", "d"]);
});

test("reading one writes its time down; one that nobody read for 30 days goes, and so do other recipes and what was half written", async () => {
  const { variants, folder, names } = await open();
  for (const name of ["a", "b"]) await variants.put(`site/${name}`, bytes(10));
  await writeFile(path.join(folder, "r1/site/c.x.part"), "half");
  await writeFile(path.join(folder, "r0"), "another recipe");
  const old = new Date(Date.now() - 31 * DAY);
  for (const name of ["a", "b", "c.x.part"]) await utimes(path.join(folder, "r1/site", name), old, old);
  const again = await open({ folder, recipe: "r1" });
  await expect.poll(names).toEqual([]);
  expect(await readdir(folder)).toEqual(["r1"]);
  await again.variants.put("site/d", bytes(10));
  const hoursAgo = new Date(Date.now() - DAY);
  await utimes(path.join(folder, "r1/site/d"), hoursAgo, hoursAgo);
  const third = await open({ folder });
  await third.variants.size("site/d");
  expect((await stat(path.join(folder, "r1/site/d"))).mtimeMs).toBeGreaterThan(hoursAgo.getTime());
});

test("one that another node made is found and counted from then on", async () => {
  const { variants, folder, names } = await open();
  await variants.put("site/a", bytes(50));
  await writeFile(path.join(folder, "r1/site/b"), bytes(50));
  expect(await variants.size("site/b")).toBe(50);
  await variants.put("site/c", bytes(40));
  await expect.poll(names).toEqual(["b", "c"]);
});

test("those of a deleted image go, and no others", async () => {
  const { variants, names } = await open();
  for (const name of ["a.png.160.webp", "a.png.320.webp", "ab.png.160.webp"]) await variants.put(`site/${name}`, bytes(10));
  await variants.forget("site/a.png");
  await expect.poll(names).toEqual(["ab.png.160.webp"]);
});

test("without room, or when the disk fails, nothing is kept and nobody is refused", async () => {
  const { variants, names } = await open({ hasRoom: async () => false });
  await variants.put("site/a", bytes(10));
  await expect(names()).rejects.toMatchObject({ code: "ENOENT" });
  const broken = await open();
  await writeFile(path.join(broken.folder, "r1/site"), "a file where a folder should be");
  await broken.variants.put("site/a", bytes(10));
  expect(broken.troubles).toEqual(["A variant of an image cannot be kept"]);
  await broken.variants.put("other/large", bytes(101));
  expect(await broken.variants.size("other/large")).toBeNull();
});
