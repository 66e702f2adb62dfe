import { expect } from "vitest";
import type { PostId, WebsiteId } from "#domain/ids";
import type { Post } from "#domain/post";
import { slugsOf } from "#domain/post-life";
import { type Acknowledged, expectNothingLost } from "#test/crash/nothing-lost";
import type { TestServices } from "#test/services";
import type { Told } from "./living-node.ts";

export interface TellingNode {
  readonly told: Told[];
  readonly troubles: string[];
}

/** Everything that nodes were told is so, and nothing is there that none of them wrote; what was never answered is either whole or not there. */
export async function expectAsTold(services: TestServices, websiteId: WebsiteId, nodes: readonly TellingNode[]) {
  const content = services.contents.managed;
  const stored = new Map<string, Post>();
  for (let cursor: string | null = null; ;) {
    const read: Awaited<ReturnType<typeof content.feed.read>> = await content.feed.read(websiteId, cursor, 500);
    if (read.changes.length === 0) break;
    cursor = read.cursor;
    for (const { kind, id } of read.changes) {
      const post = kind === "post" ? await content.posts.get(websiteId, id as PostId) : null;
      if (post) stored.set(id, post);
    }
  }
  const titles = [...stored.values()].map(({ working }) => working.title);
  expect(new Set(titles).size).toBe(titles.length);

  const told = nodes.flatMap((node) => node.told);
  const lives = Map.groupBy(
    told.filter(({ id }) => id !== undefined),
    ({ id }) => id!,
  );
  const tried = new Set(told.filter(({ kind, id }) => kind === "saving" && id === undefined).map(({ title }) => title));
  const owed: Acknowledged[] = [];
  let unanswered = 0;
  for (const [id, life] of lives) {
    const post = stored.get(id) ?? null;
    const last = life.at(-1)!;
    if (last.kind === "purged") {
      expect([id, post]).toEqual([id, null]);
      continue;
    }
    if (last.kind === "purging" && post === null) continue;
    const saved = life.findLast(({ kind }) => kind === "saved")!;
    const isUnanswered = last.kind === "saving" && post?.version === last.version;
    unanswered += isUnanswered ? 1 : 0;
    const { version, title, slug, body, createdAt } = isUnanswered ? { ...saved, ...last } : saved;
    expect(post, `${id} is lost`).not.toBeNull();
    expect([id, post!.version, post!.working.title, post!.working.slug, post!.createdAt]).toEqual([id, version, title, slug, createdAt]);
    if (body !== undefined) expect([id, post!.working.body]).toEqual([id, body]);
    // Renamed and brought live: its first address leads to it.
    if (post!.live && title.endsWith("renamed") && post!.live.content.slug === slug)
      expect([id, post!.pastSlugs]).toEqual([id, [slug!.replace(/-renamed$/, "")]]);
    const slugs = [...slugsOf(post!)];
    const owners = await content.claims.owners(websiteId, "post", slugs);
    expect([id, slugs.map((each) => owners.get(each))]).toEqual([id, slugs.map(() => id)]);
    for (const each of life)
      if (each.kind === "saved")
        owed.push({ post: id, version: each.version!, ...(each.event ? { event: each.event } : each.body ? { body: each.body } : {}) });
  }
  for (const [id, { working }] of stored) if (!lives.has(id)) expect(tried).toContain(working.title);
  await expectNothingLost(services, websiteId, owed);
  return { posts: stored.size, saves: told.filter(({ kind }) => kind === "saved").length, unanswered, versionsAndEvents: owed.length };
}
