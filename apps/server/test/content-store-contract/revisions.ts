import { expect } from "vitest";
import type { Revision, RevisionHead } from "#domain/post";
import type { RevisionStore } from "#ports/revision-store";
import { at, buildContent, buildPost, buildRevision, testId } from "../builders.ts";
import { compareCodePoints, inOrder, rowsOf, walk } from "./reference.ts";
import type { Suite } from "./suite.ts";

function headOf({ content: _content, ...head }: Revision): RevisionHead {
  return head;
}

export function revisions({ test }: Suite): void {
  test("revisions come newest first, then id descending, without content; every limit gives each once", async ({ store, website }) => {
    const post = buildPost(1, { websiteId: website });
    await store.posts.insert(post, { visible: false });
    await store.posts.insert(buildPost(2, { websiteId: website }), { visible: false });
    const made = Array.from({ length: 15 }, (_, n) => buildRevision(n, post, { at: at((n * 7) % 4), startedAt: at(0), version: n }));
    for (const revision of made) await store.revisions.put(revision);
    await store.revisions.put(buildRevision(99, buildPost(2, { websiteId: website })));
    const expected = inOrder(made, "-at", (revision: Revision) => revision.at).map(headOf);
    for (const limit of [1, 4, 15, 100]) {
      const pages = await walk((after) => store.revisions.list(website, post.id, { after, limit }));
      expect(rowsOf(pages)).toEqual(expected);
      expect(pages).toHaveLength(Math.ceil(15 / limit));
    }
    expect(await store.revisions.latest(website, post.id)).toEqual(expected[0]);
    const first = await store.revisions.list(website, post.id, { after: null, limit: 4 });
    expect(first.next).toEqual({ key: expected[3]!.at, id: expected[3]!.id });
  });

  test("a revision put again under its id is replaced, not doubled", async ({ store, website }) => {
    const post = buildPost(1, { websiteId: website });
    await store.posts.insert(post, { visible: false });
    await store.revisions.put(buildRevision(1, post));
    const again = buildRevision(1, post, { at: at(9e6), version: 5, content: buildContent(1, { body: "more" }) });
    await store.revisions.put(again);
    expect(await store.revisions.get(website, post.id, again.id)).toEqual(again);
    expect((await store.revisions.list(website, post.id, { after: null, limit: 9 })).rows).toEqual([headOf(again)]);
  });

  test("a revision is found only under its own post", async ({ store, website }) => {
    const post = buildPost(1, { websiteId: website });
    await store.posts.insert(post, { visible: false });
    await store.revisions.put(buildRevision(1, post));
    expect(await store.revisions.get(website, testId("post", 2), testId("revision", 1))).toBeNull();
    await store.revisions.delete(website, testId("post", 2), [testId("revision", 1)]);
    expect(await store.revisions.get(website, post.id, testId("revision", 1))).not.toBeNull();
  });

  test("deleting removes the named revisions and no other; unknown ones are ignored", async ({ store, website }) => {
    const post = buildPost(1, { websiteId: website });
    await store.posts.insert(post, { visible: false });
    for (const n of [1, 2, 3]) await store.revisions.put(buildRevision(n, post));
    await store.revisions.delete(website, post.id, [testId("revision", 1), testId("revision", 3), testId("revision", 77)]);
    await store.revisions.delete(website, post.id, []);
    expect((await store.revisions.list(website, post.id, { after: null, limit: 9 })).rows.map((row) => row.id)).toEqual([
      testId("revision", 2),
    ]);
  });

  test("thinning walks old revisions that were never live by website, post and id, each once", async ({ store, website, otherWebsite }) => {
    const before = at(-5e9);
    const made: Revision[] = [];
    for (const websiteId of [website, otherWebsite]) {
      for (const n of [1, 2]) {
        const post = buildPost(n, { websiteId });
        await store.posts.insert(post, { visible: false });
        for (const r of [1, 2, 3]) made.push(buildRevision(n * 10 + r, post, { at: at(-6e9 + r), startedAt: at(-6e9) }));
        await store.revisions.put(buildRevision(n * 10 + 4, post, { at: at(-6e9), wasLive: true }));
        await store.revisions.put(buildRevision(n * 10 + 5, post, { at: before }));
      }
    }
    for (const revision of made.toReversed()) await store.revisions.put(revision);
    const key = (row: RevisionHead) => `${row.websiteId} ${row.postId} ${row.id}`;
    const expected = made.map(headOf).toSorted((a, b) => compareCodePoints(key(a), key(b)));
    for (const limit of [1, 5, 100]) {
      const seen: RevisionHead[] = [];
      let after: Parameters<RevisionStore["listThinnable"]>[1] = null;
      for (;;) {
        const rows = await store.revisions.listThinnable(before, after, limit);
        const last = rows.at(-1);
        if (!last) break;
        seen.push(...rows);
        after = { websiteId: last.websiteId, postId: last.postId, id: last.id };
      }
      expect(seen).toEqual(expected);
    }
  });
}
