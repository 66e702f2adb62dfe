import { POST_STATUSES } from "@stet/contract";
import { expect } from "vitest";
import type { TermId } from "#domain/ids";
import type { Post } from "#domain/post";
import { buildContent, buildLive, buildPost, edited, testId } from "../builders.ts";
import { numbersFrom } from "../large-blog/words.ts";
import type { Suite } from "./suite.ts";

const TAGS: readonly TermId[] = [1, 2, 3, 4].map((n) => testId("tag", n));
const GROUPS = [...TAGS.map((tag) => [tag]), [TAGS[0]!, TAGS[1]!], [TAGS[2]!, TAGS[1]!, TAGS[0]!], []];

export function counts({ test }: Suite): void {
  test("whatever becomes of posts, their terms are counted as they stand", async ({ store, website }) => {
    const next = numbersFrom(11);
    const tags = () => TAGS.filter(() => next() < 0.4);
    const posts = new Map<number, Post>();
    const lived = (n: number, base: Post): Post => {
      const status = POST_STATUSES[Math.floor(next() * POST_STATUSES.length)]!;
      const wasLive = status === "published" || status === "unpublished" || base.live !== null;
      const live = wasLive ? (next() < 0.5 && base.live ? base.live : buildLive(buildContent(n, { tagIds: tags() }))) : null;
      return { ...base, websiteId: website, status, working: buildContent(n, { tagIds: tags() }), live };
    };
    const expected = (shows: (post: Post, group: readonly string[]) => boolean) =>
      GROUPS.map((group) => [...posts.values()].filter((post) => shows(post, group)).length);
    const inLive = (post: Post, group: readonly string[]) =>
      post.status === "published" && post.live!.content.tagIds.some((tag) => group.includes(tag));
    const anywhere = (post: Post, group: readonly string[]) =>
      post.status !== "deleted" && (inLive(post, group) || post.working.tagIds.some((tag) => group.includes(tag)));

    for (let step = 1; step <= 48; step++) {
      const n = 1 + Math.floor(next() * 7);
      const stored = posts.get(n);
      const way = next();
      if (stored && way < 0.1) {
        expect(await store.posts.purge(website, stored.id, stored.version)).toBe("saved");
        posts.delete(n);
      } else if (way < 0.3) {
        // As a move between stores writes it, several versions further.
        const post = lived(n, { ...(stored ?? buildPost(n)), version: (stored?.version ?? 0) + 3 });
        expect(await store.posts.putIfNewer(post)).toBe("saved");
        posts.set(n, post);
      } else {
        const post = lived(n, stored ? edited(stored) : buildPost(n));
        expect(await (stored ? store.posts.save(post, { visible: true }) : store.posts.insert(post, { visible: true }))).toBe("saved");
        // A stale save changes nothing.
        expect(await store.posts.save({ ...lived(n, post), version: post.version }, { visible: true })).toBe("stale");
        posts.set(n, post);
      }
      if (step % 16 !== 0) continue;
      expect(await store.posts.countLiveByFacet(website, GROUPS), `live after step ${step}`).toEqual(expected(inLive));
      expect(await store.posts.countByFacet(website, GROUPS), `shown after step ${step}`).toEqual(expected(anywhere));
    }
  });
}
