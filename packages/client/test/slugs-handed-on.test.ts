import { expect, test } from "vitest";
import { stetLoader } from "../src/astro.ts";
import type { Client } from "../src/index.ts";
import { syncPosts } from "../src/sync.ts";

/** Each as `slug:post`. */
type Pages = string;
interface Scene {
  /** What the last sync left. */
  readonly before: Pages;
  /** As `post:slug`, `post:slug>new slug` or `post:slug>` for one that was removed; null for a reset. */
  readonly changes: string | null;
  readonly now: Pages;
}

const SCENES: Record<string, Scene> = {
  "renamed, then taken": { before: "x:a z:b", changes: "a:x>y b:z>x", now: "y:a x:b" },
  "taken by a post that changed before": { before: "x:a z:b", changes: "b:z a:x>y b:z>x", now: "y:a x:b" },
  swapped: { before: "x:a y:b", changes: "a:x>t b:y>x a:t>y", now: "y:a x:b" },
  "swapped the other way": { before: "x:a y:b", changes: "b:y>t a:x>y b:t>x", now: "y:a x:b" },
  "taken and left": { before: "x:a z:b", changes: "a:x>y b:z>x b:x>w", now: "y:a w:b" },
  "removed, then taken": { before: "x:a z:b", changes: "b:z a:x> b:z>x", now: "x:b" },
  "taken while the sync reads": { before: "x:a z:b", changes: "a:x>y b:z", now: "y:a x:b" },
  "removed and taken while the sync reads": { before: "x:a z:b", changes: "a:x b:z", now: "x:b" },
  "swapped before a reset": { before: "x:a y:b", changes: null, now: "x:b y:a" },
  "removed and taken before a reset": { before: "x:a z:b", changes: null, now: "x:b" },
};
const CASES = Object.entries(SCENES).flatMap(([name, scene]) => ["a", "b"].map((slow) => [name, slow, scene] as const));

const wordsOf = (text: string): string[] => text.split(" ").filter(Boolean);
const pagesOf = (pages: Pages): [slug: string, id: string][] => wordsOf(pages).map((page) => page.split(":") as [string, string]);
const turns = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left--) await Promise.resolve();
};

/** A service that tells what the scene says, and takes longer to read one of the posts. */
function clientOf({ changes, now }: Scene, slow: string): Client {
  const posts = pagesOf(now).map(([slug, id]) => ({ id, slug, body: {} }));
  return {
    changes: {
      async *since() {
        const told = wordsOf(changes ?? "").map((change) => {
          const [, postId, slug, to] = /^(\w+):(\w+)(?:>(\w*))?$/.exec(change)!;
          if (to === "") return { type: "removed", postId, slug, previousSlug: null };
          return { type: "updated", postId, slug: to ?? slug, previousSlug: to === undefined ? null : slug };
        });
        yield { changes: told, cursor: "next", reset: changes === null, fingerprint: "f" };
      },
    },
    posts: {
      async *all() {
        yield* posts;
      },
      async findById(id: string) {
        await turns(id === slow ? 20 : 0);
        return posts.find((post) => post.id === id) ?? null;
      },
    },
  } as unknown as Client;
}

test.each(CASES)("a page that another post has now is not removed: %s (%s is read later)", async (_name, slow, scene) => {
  const site = new Map(pagesOf(scene.before));
  const removePages = (slugs: readonly string[]) => slugs.forEach((slug) => site.delete(slug));
  const order: string[] = [];
  await syncPosts(clientOf(scene, slow), {
    cursor: "before~e",
    async onPost({ id, slug }, previousSlugs) {
      order.push("write");
      site.set(slug, id);
      await turns(50);
      removePages(previousSlugs);
    },
    onRemoved(_id, slugs) {
      order.push("remove");
      removePages(slugs);
    },
    onReset(publishedIds) {
      order.push("remove");
      for (const [slug, id] of site) if (!publishedIds.has(id)) site.delete(slug);
    },
  });
  expect(Object.fromEntries(site)).toMatchObject(Object.fromEntries(pagesOf(scene.now)));
  // After a reset nobody knows what a post was called; else no page is left over.
  if (scene.changes !== null) expect(site.size).toBe(pagesOf(scene.now).length);
  if (!_name.endsWith("while the sync reads")) expect(order).toEqual(order.toSorted());
});

test.each(CASES)("Astro's collection has every post once: %s (%s is read later)", async (_name, slow, scene) => {
  const entries = new Map<string, { id: string; digest?: string }>(
    pagesOf(scene.before).map(([slug, id]) => [slug, { id: slug, digest: `${id} body summary` }]),
  );
  await stetLoader(clientOf(scene, slow)).load({
    store: {
      get: (id) => entries.get(id),
      set: (entry) => entries.set(entry.id, entry),
      delete: (id) => entries.delete(id),
      entries: () => [...entries],
    },
    meta: new Map([["cursor", "before~f"]]),
    logger: { info: () => {} },
    generateDigest: () => "digest",
    parseData: async ({ data }) => data,
  });
  const shown = [...entries].map(([slug, { digest }]) => [slug, digest!.split(" ")[0]]);
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(pagesOf(scene.now)));
});
