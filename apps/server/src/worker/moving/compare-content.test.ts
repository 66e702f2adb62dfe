import { expect, test } from "vitest";
import type { Post } from "#domain/post";
import type { ContentStore } from "#ports/content-store";
import { buildPost, WEBSITE } from "#test/builders";
import { compareContent } from "./compare-content.ts";

/** One post, as a store that can be read, compared and copied to holds it. */
function storeOf(read: () => Post | null, write: (post: Post) => void = () => {}): ContentStore {
  const { id } = buildPost(1);
  return {
    posts: {
      get: async () => read(),
      putIfNewer: async (post: Post) => {
        write(post);
        return "saved";
      },
    },
    claims: {
      owners: async () => new Map(),
      claim: async (_: unknown, __: unknown, claim: { ownerId: string }) => ({ ownerId: claim.ownerId }),
    },
    feed: {
      newest: async () => 1,
      // Each write gives it a new number.
      read: async (_: unknown, since: string | null) => {
        const version = String(read()?.version ?? 0);
        return { changes: since === version ? [] : [{ kind: "post", id, removed: false }], cursor: version, atEnd: true };
      },
    },
  } as unknown as ContentStore;
}

test("a post that is saved again and again while it is compared is no difference; one that does not stay as written is", async () => {
  let isWriting = true;
  let version = 1;
  const from = storeOf(() => buildPost(1, { version: isWriting ? ++version : version }));
  let there: Post | null = null;
  const to = storeOf(
    () => there,
    (post) => {
      there = post;
    },
  );
  const stores = { from, websiteId: WEBSITE, replaces: true };
  const comparison = compareContent({ ...stores, to }, async () => true);
  await comparison.everything();
  expect(comparison.differences()).toEqual([]);
  isWriting = false;
  await comparison.theRest();
  expect(comparison.differences()).toEqual([]);
  expect(comparison.sums().post.count).toBe(1);

  const forgetful = compareContent({ ...stores, to: storeOf(() => null) }, async () => true);
  await forgetful.everything();
  expect(forgetful.differences()).toMatchObject([{ why: "unequal" }]);
});
