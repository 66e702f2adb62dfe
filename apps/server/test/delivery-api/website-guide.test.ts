import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openService } from "./service.ts";

const run = promisify(execFile);
const GUIDE = path.resolve(import.meta.dirname, "../../../../docs/build-a-website.md");

const service = closedAtEnd(await openService());

let folder: string;
let programs: ReadonlyMap<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stet-guide-"));
  const blocks = (await readFile(GUIDE, "utf8")).matchAll(/```js\n\/\/ (\S+)\n([^]*?)```/g);
  programs = new Map([...blocks].map(([, name, source]) => [name!, source!]));
  for (const [name, source] of programs) await writeFile(path.join(folder, name), source);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const settingsFor = (key: string) => ({ PATH: process.env.PATH, STET_URL: new URL(service.url).origin, STET_KEY: key });

test("the guide has a server and a static site", () => {
  expect([...programs.keys()]).toEqual(["pages.mjs", "server.mjs", "build.mjs"]);
});

test("the server of the guide lists and shows posts, sends readers of old slugs on, shows previews and passes feeds on", async () => {
  const blog = await service.blog();
  const cover = await blog.write.image("loaf.gif", { alt: 'A "loaf"' });
  const seo = { description: "For <patient> people", noindex: true };
  const post = await blog.write.post("Bread & <butter>", { slug: "bread", body: "Very *slow*.", coverMediaId: cover.id, seo });
  await blog.write.revise(post, { slug: "slow-bread" });
  const draft = await blog.write.draft("Not yet", { body: "Soon." });
  const child: ChildProcess = spawn(process.execPath, ["server.mjs"], {
    cwd: folder,
    env: { ...settingsFor(blog.key), PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  const origin = line.toString().trim();
  await blog.write.settings({ publicUrl: `${origin}/blog`, previewUrl: `${origin}/preview` });
  try {
    const get = (address: string) => fetch(new URL(address, origin), { redirect: "manual" });
    const page = async (address: string) => (await get(address)).text();
    expect(await page("/")).toContain('<a href="/blog/slow-bread">Bread &#38; &#60;butter&#62;</a>');
    expect(await page("/blog/slow-bread")).toContain("<p>Very <em>slow</em>.</p>");
    const old = await get("/blog/bread");
    expect([old.status, old.headers.get("location")]).toEqual([301, "/blog/slow-bread"]);
    // Every post has one address.
    const byId = await get(`/blog/${post.id}`);
    expect([byId.status, byId.headers.get("location")]).toEqual([301, "/blog/slow-bread"]);
    for (const nowhere of ["/blog/not-yet", "/blog/slow-bread/anything", "/blog/%E0", "/preview/x", "/?cursor=made-up"]) {
      expect([nowhere, (await get(nowhere)).status]).toEqual([nowhere, 404]);
    }
    const shown = await page("/blog/slow-bread");
    for (const part of [
      `<link rel="canonical" href="${origin}/blog/slow-bread">`,
      '<meta name="description" content="For &#60;patient&#62; people">',
      '<meta name="robots" content="noindex">',
      'width="37" height="21" alt="A &#34;loaf&#34;"',
      '<time datetime="',
    ]) {
      expect(shown).toContain(part);
    }
    // What did not change is not counted: the next reader costs nothing.
    const left = async () => /month[^,]*r=(\d+)/.exec(String((await blog.get("/blog/posts?limit=0")).headers["ratelimit"]))?.[1];
    const before = await left();
    expect(before).toMatch(/^\d+$/);
    expect(await page("/blog/slow-bread")).toBe(shown);
    expect(await left()).toBe(before);
    const { url } = await service.services.call(registry.create_preview, blog.tenant.actor, {
      websiteId: blog.tenant.website.id,
      postId: draft.id,
    });
    const preview = await get(url);
    expect([preview.status, preview.headers.get("cache-control"), preview.headers.get("referrer-policy")]).toEqual([
      200,
      "no-store",
      "no-referrer",
    ]);
    expect(await preview.text()).toContain("<p>Soon.</p>");
    expect((await get("/preview?token=made-up")).status).toBe(404);
    const feed = await get("/blog/feed.xml");
    expect(feed.headers.get("content-type")).toContain("application/rss+xml");
    expect(await feed.text()).toContain(`${origin}/blog/slow-bread`);
  } finally {
    child.kill();
    await once(child, "exit");
  }
});

test("the static site of the guide is built once, and then follows what was published, renamed and removed", async () => {
  const blog = await service.blog();
  const build = async () => (await run(process.execPath, ["build.mjs"], { cwd: folder, env: settingsFor(blog.key) })).stdout.trim();
  const files = async () => (await readdir(path.join(folder, "site/blog"))).toSorted();
  const [first, second] = [await blog.write.post("First"), await blog.write.post("Second")];
  expect(await build()).toBe("2 posts looked at");
  expect(await files()).toEqual(["first.html", "second.html"]);
  expect(await build()).toBe("0 posts looked at");
  await blog.write.revise(first, { slug: "renamed", body: "New words." });
  await blog.write.unpublish(second);
  await blog.write.post("Third");
  expect(await build()).toBe("3 posts looked at");
  expect(await files()).toEqual(["renamed.html", "third.html"]);
  expect(await readFile(path.join(folder, "site/blog/renamed.html"), "utf8")).toContain("<p>New words.</p>");
  expect(await readFile(path.join(folder, "site/_redirects"), "utf8")).toBe("/blog/first /blog/renamed 301\n");
  // A build from nothing knows them too.
  await rm(path.join(folder, "site"), { recursive: true });
  expect(await build()).toBe("2 posts looked at");
  expect(await readFile(path.join(folder, "site/_redirects"), "utf8")).toBe("/blog/first /blog/renamed 301\n");
  expect(await files()).toEqual(["renamed.html", "third.html"]);
  const index = await readFile(path.join(folder, "site/index.html"), "utf8");
  expect(index).toContain('<a href="/blog/third">Third</a>');
  expect(index).not.toContain("Second");
});
