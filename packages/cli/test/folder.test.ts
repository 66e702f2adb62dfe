import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nameFor, readFolder, writeLocal } from "../src/posts/folder.ts";

const ID = `post_${"0".repeat(26)}`;
let outside: string;
let folder: string;
beforeEach(async () => {
  outside = await mkdtemp(path.join(tmpdir(), "stet-folder-"));
  folder = path.join(outside, "posts");
  await mkdir(folder);
});
afterEach(() => rm(outside, { recursive: true }));

test.each([
  "../secret",
  "..",
  "a/b",
  "a\\b",
  "/etc/passwd",
  "C:x",
  "con",
  "nul",
  "",
  ".hidden",
  "a..b",
  "A",
  "a\u0000b",
  "%2e%2e%2f",
  "a".repeat(97),
  "a\n",
  "-a",
])("the slug %j names no file: the id does", (slug) => {
  expect(nameFor({ id: ID, slug }, new Set())).toBe(`${ID}.md`);
});

test("a name that is taken is left alone, and an id that is none names no file", () => {
  expect(nameFor({ id: ID, slug: "hello" }, new Set())).toBe("hello.md");
  expect(nameFor({ id: ID, slug: "hello" }, new Set(["hello.md"]))).toBe(`${ID}.md`);
  expect(nameFor({ id: "../x", slug: "../x" }, new Set())).toBeNull();
});

test("a link is neither read nor written through", async () => {
  const secret = path.join(outside, "secret.md");
  await writeFile(secret, "---\ntitle: Secret\n---\n");
  await symlink(secret, path.join(folder, "link.md"));
  expect(await readFolder(folder)).toMatchObject([{ name: "link.md", text: null, problem: "it is no regular file, so it was not read" }]);
  expect(await writeLocal(folder, "link.md", "new", "---\ntitle: Secret\n---\n")).toBe(true);
  expect(await readFile(secret, "utf8")).toContain("Secret");
  await expect(writeLocal(folder, "../secret.md", "new", null)).rejects.toThrow("no name of a file");
});

test("a file that changed since it was read is not overwritten, and nothing is left behind", async () => {
  await writeFile(path.join(folder, "a.md"), "mine");
  expect(await writeLocal(folder, "a.md", "theirs", "as it was")).toBe(false);
  expect(await writeLocal(folder, "a.md", "theirs", null)).toBe(false);
  expect(await writeLocal(folder, "a.md", "theirs", "mine")).toBe(true);
  expect(await readdir(folder)).toEqual(["a.md"]);
});

test("bytes that are no text, two files of one post and front matter that is wrong are told by their names", async () => {
  const post = `---\nid: ${ID}\nversion: 1\n---\n`;
  for (const [name, bytes] of [
    ["a.md", post],
    ["b.md", post],
    ["c.md", Buffer.from([0xff, 0xfe])],
    ["d.md", "hello"],
    ["e.txt", "x"],
    [".f.md", "x"],
  ] as const) {
    await writeFile(path.join(folder, name), bytes);
  }
  expect((await readFolder(folder)).map(({ name, problem }) => [name, problem?.slice(0, 29) ?? null])).toEqual([
    ["a.md", null],
    ["b.md", "it has the same id as a.md. F"],
    ["c.md", "it is not UTF-8"],
    ["d.md", "the file must start with fron"],
  ]);
});
