import { expect, test } from "vitest";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openService } from "./service.ts";

const service = closedAtEnd(await openService());

test("while many read, whoever asks after a publication was answered sees it, and what is gone is gone", async () => {
  const blog = await service.blog();
  let post = await blog.write.post("Title 0", { slug: "post" });
  const paths = ["/blog/posts/post", "/blog/posts", "/blog/posts?sort=title", "/blog/search?q=title", "/blog/posts/post?format=html"];
  let published = 0;
  let isDone = false;
  const tooOld: string[] = [];
  /** Reads for ever; an answer may never be older than what was published when it was asked for. */
  const reader = async (n: number): Promise<void> => {
    while (!isDone) {
      const path = paths[n % paths.length]!;
      const atLeast = published;
      const { text } = await blog.get(path, { headers: { "Accept-Encoding": n % 2 ? "br" : "gzip" } });
      const seen = Number(/Title (\d+)/.exec(text.replaceAll(/<\/?mark>/g, ""))?.[1] ?? -1);
      if (seen < atLeast) tooOld.push(`${path}: ${seen} after ${atLeast}`);
    }
  };
  const readers = Array.from({ length: 10 }, (_, n) => reader(n));
  for (let n = 1; n <= 25; n++) {
    post = await blog.write.revise(post, { title: `Title ${n}`, body: `Title ${n} `.repeat(200) });
    published = n;
  }
  isDone = true;
  await Promise.all(readers);
  expect(tooOld).toEqual([]);
  await blog.write.unpublish(post);
  const gone = await Promise.all(paths.map((path) => blog.get(path)));
  for (const answer of gone) expect(answer.text).not.toContain("Title 25");
});

test("revocation under load: not one request that is asked after it is served", async () => {
  const blog = await service.blog();
  await blog.write.post("Post");
  const key = await blog.makeKey({ name: "Loaded" });
  const { actor, website } = blog.tenant;
  const view = (await service.services.call(registry.list_keys, actor, { websiteId: website.id })).find((each) => each.name === "Loaded")!;
  let isRevoked = false;
  let isDone = false;
  let late = 0;
  const reader = async (): Promise<void> => {
    while (!isDone) {
      const after = isRevoked;
      const { status } = await service.ask("/blog/posts", { key });
      if (after && status === 200) late += 1;
    }
  };
  const readers = Array.from({ length: 10 }, reader);
  await expect.poll(async () => (await service.ask("/blog/posts", { key })).status).toBe(200);
  await service.services.call(registry.revoke_key, actor, { websiteId: website.id, keyId: view.id });
  isRevoked = true;
  expect((await service.ask("/blog/posts", { key })).status).toBe(401);
  isDone = true;
  await Promise.all(readers);
  expect(late).toBe(0);
});
