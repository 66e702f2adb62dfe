import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { json } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { pullPosts } from "../src/posts/pull-posts.ts";
import { Report } from "../src/posts/report.ts";
import { requireState } from "../src/posts/state.ts";

const WEBSITE = `site_${"0".repeat(26)}`;
const idOf = (n: number) => `post_${String(n).padStart(26, "0")}`;

/** Forty posts. It breaks off in the middle when it is told to, and counts what it is asked. */
async function openBlog() {
  const blog = { breaksAfter: Number.POSITIVE_INFINITY, read: 0, repeats: false };
  const posts = Array.from({ length: 40 }, (_, n) => ({ id: idOf(n), title: `Post ${n}`, slug: `post-${n}`, status: "draft", version: 1 }));
  const rest = {
    excerpt: "",
    categories: [],
    tags: [],
    authors: [],
    featured: false,
    coverImage: null,
    coverAlt: null,
    seo: {},
    fields: {},
  };
  const server = createServer(async (request, response) => {
    const { params } = (await json(request)) as { params: { name: string; arguments: { post: string } } };
    const isList = params.name === "list_posts";
    if (!isList && ++blog.read > blog.breaksAfter) return void response.destroy();
    const post = posts.find(({ id }) => id === params.arguments.post);
    const structuredContent = isList
      ? { posts, nextCursor: blog.repeats ? "again" : null }
      : { post: { ...post, ...rest }, body: { markdown: "Text.", nextOffset: null } };
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { structuredContent } }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  vi.stubEnv("STET_URL", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv("STET_TOKEN", "stetci_secret");
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const folder = await mkdtemp(path.join(tmpdir(), "stet-pull-"));
  onTestFinished(async () => {
    said.mockRestore();
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });
  const pull = async (): Promise<string> => {
    const report = new Report();
    await pullPosts(folder, await requireState(folder, WEBSITE, async () => WEBSITE), report);
    return report.sum();
  };
  return { blog, folder, pull };
}

test("a pull that breaks off leaves whole files; the next one writes the others, and nothing twice", async () => {
  const { blog, folder, pull } = await openBlog();
  await writeFile(path.join(folder, "POST-7.md"), "---\ntitle: Mine\n---\n");
  blog.breaksAfter = 10;
  await expect(pull()).rejects.toThrow("does not respond");
  // Nothing more is begun after the first error; those that were on their way may fail too.
  expect(blog.read).toBeLessThanOrEqual(14);
  const first = await readdir(folder);
  expect(first.filter((name) => name.endsWith(".md"))).toHaveLength(11);
  for (const name of first) expect(await readFile(path.join(folder, name), "utf8")).toMatch(/\n$/);
  blog.breaksAfter = Number.POSITIVE_INFINITY;
  expect(await pull()).toBe("10 unchanged, 30 new");
  // On systems where upper and lower case are one, the file of a person would have been the file of a post.
  expect(await readdir(folder)).toContain(`${idOf(7)}.md`);
  expect(await readFile(path.join(folder, "POST-7.md"), "utf8")).toContain("Mine");

  // Ended by force, it could not even write down what it had done.
  const before = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), "utf8")));
  await rm(path.join(folder, ".stet.json"));
  expect(await pull()).toBe("40 unchanged");
  expect(await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), "utf8")))).toEqual(before);
});

test("a list that repeats itself is no whole list: no post is called deleted because of it", async () => {
  const { blog, folder, pull } = await openBlog();
  blog.repeats = true;
  await expect(pull()).rejects.toThrow("repeats itself");
  expect(await readdir(folder)).toEqual([]);
});
