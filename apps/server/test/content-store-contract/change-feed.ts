import { expect } from "vitest";
import type { WebsiteId } from "#domain/ids";
import type { Change } from "#ports/change-feed";
import type { ContentStore } from "#ports/content-store";
import {
  buildContent,
  buildEvent,
  buildMedia,
  buildPost,
  buildPublishedPost,
  buildRendering,
  buildRevision,
  buildTerm,
  edited,
} from "../builders.ts";
import type { Suite } from "./suite.ts";

/** Reads to the end. */
async function drain(store: ContentStore, website: WebsiteId, since: string | null, limit = 100, upTo?: number) {
  const changes: Change[] = [];
  let cursor = since;
  for (;;) {
    const read = await store.feed.read(website, cursor, limit, upTo);
    expect(read.changes.length).toBeLessThanOrEqual(limit);
    cursor = read.cursor;
    changes.push(...read.changes);
    if (read.atEnd) return { changes, cursor };
  }
}

const label = (change: Change): string => `${change.kind} ${change.postId ?? ""} ${change.id}${change.removed ? " removed" : ""}`;

export function changeFeed({ test }: Suite): void {
  test("from the beginning the feed walks every record, whatever the limit", async ({ store, website, otherWebsite }) => {
    expect((await drain(store, website, null)).changes).toEqual([]);
    const posts = [1, 2, 3].map((n) => buildPost(n, { websiteId: website }));
    for (const post of posts) await store.posts.insert(post, { visible: false });
    const revisions = posts.map((post, n) => buildRevision(n, post));
    for (const revision of revisions) await store.revisions.put(revision);
    const term = buildTerm(1, { websiteId: website });
    const image = buildMedia(1, { websiteId: website });
    await store.terms.insert(term);
    await store.media.insert(image);
    await store.posts.insert(buildPost(9, { websiteId: otherWebsite }), { visible: false });
    const expected = [
      ...posts.map((post) => `post  ${post.id}`),
      ...revisions.map((revision) => `revision ${revision.postId} ${revision.id}`),
      `term  ${term.id}`,
      `media  ${image.id}`,
    ].toSorted();
    for (const limit of [1, 3, 100]) {
      const { changes } = await drain(store, website, null, limit);
      expect([...new Set(changes.map(label))].toSorted()).toEqual(expected);
    }
  });

  test("a walk up to the newest number ends there, says so, and is continued from there", async ({ store, website }) => {
    expect([await store.feed.newest(website), await store.feed.read(website, null, 5)]).toMatchObject([0, { changes: [], atEnd: true }]);
    const posts = [1, 2, 3, 4].map((n) => buildPost(n, { websiteId: website }));
    for (const post of posts) await store.posts.insert(post, { visible: false });
    const revision = buildRevision(1, posts[0]!);
    await store.revisions.put(revision);
    await store.revisions.delete(website, posts[0]!.id, [revision.id]);
    const newest = await store.feed.newest(website);
    const first = await store.feed.read(website, null, 3, newest);
    expect([first.changes.length, first.atEnd]).toEqual([3, false]);
    // Written again, the last two come after the end of this walk.
    for (const post of posts.slice(2)) await store.posts.save(edited(post), { visible: false });
    const { changes, cursor } = await drain(store, website, first.cursor, 3, newest);
    expect(changes.map(label)).toEqual([`revision ${posts[0]!.id} ${revision.id} removed`]);
    expect(await store.feed.newest(website)).toBeGreaterThan(newest);
    expect((await drain(store, website, cursor)).changes.map(({ id }) => id)).toEqual(posts.slice(2).map(({ id }) => id));
  });

  test("after a cursor come the records written since, and only those", async ({ store, website }) => {
    const post = buildPublishedPost(1, { websiteId: website });
    const other = buildPost(2, { websiteId: website });
    const term = buildTerm(1, { websiteId: website });
    const image = buildMedia(1, { websiteId: website });
    for (const each of [post, other]) await store.posts.insert(each, { visible: false });
    await store.terms.insert(term);
    await store.media.insert(image);
    let cursor = (await drain(store, website, null)).cursor;
    const since = async () => {
      const read = await drain(store, website, cursor);
      cursor = read.cursor;
      return [...new Set(read.changes.map(label))].toSorted();
    };
    expect(await since()).toEqual([]);
    await store.posts.save(edited(post), { visible: true });
    expect(await since()).toEqual([`post  ${post.id}`]);
    await store.terms.save(edited(term));
    await store.media.save(edited(image));
    expect(await since()).toEqual([`media  ${image.id}`, `term  ${term.id}`]);
    await store.posts.saveRendering(post, 2, buildRendering(post.working, { rendererVersion: 2_000 }));
    expect(await since()).toEqual([`post  ${post.id}`]);
    await store.posts.save(edited(post), { visible: true });
    await store.terms.save(edited(term));
    expect(await since()).toEqual([]);
  });

  test("a settled revision appears in the feed", async ({ store, website }) => {
    const post = buildPost(1, { websiteId: website });
    const { content: _content, websiteId: _website, postId: _post, ...pendingRevision } = buildRevision(1, post);
    const event = buildEvent(1, post);
    await store.posts.insert({ ...post, pendingRevision, pendingEvents: [event] }, { visible: false });
    const { cursor } = await drain(store, website, null);
    await store.posts.settle(website, post.id, { eventIds: [event.id], revision: buildRevision(1, post) });
    const { changes } = await drain(store, website, cursor);
    expect(changes.map(label)).toContain(`revision ${post.id} ${pendingRevision.id}`);
  });

  test("what was removed appears as removed, also when it came and went since the cursor", async ({ store, website }) => {
    const post = buildPost(1, { websiteId: website });
    const term = buildTerm(1, { websiteId: website });
    const image = buildMedia(1, { websiteId: website });
    const revision = buildRevision(1, post);
    await store.posts.insert(post, { visible: false });
    await store.terms.insert(term);
    await store.media.insert(image);
    await store.revisions.put(revision);
    const { cursor } = await drain(store, website, null);
    await store.revisions.delete(website, post.id, [revision.id]);
    await store.posts.purge(website, post.id, 1);
    await store.terms.delete(website, term.id, 1);
    await store.media.delete(website, image.id, 1);
    for (const since of [cursor, null]) {
      const removed = (await drain(store, website, since)).changes.filter((change) => change.removed).map(label);
      expect(new Set(removed)).toEqual(
        new Set([
          `revision ${post.id} ${revision.id} removed`,
          `post  ${post.id} removed`,
          `term  ${term.id} removed`,
          `media  ${image.id} removed`,
        ]),
      );
    }
  });

  test("what was removed and written again appears as written, last", async ({ store, website }) => {
    const post = buildPost(1, { websiteId: website });
    await store.posts.insert(post, { visible: false });
    const { cursor } = await drain(store, website, null);
    await store.posts.purge(website, post.id, 1);
    await store.posts.insert(post, { visible: false });
    for (const since of [cursor, null])
      expect((await drain(store, website, since)).changes.at(-1)).toMatchObject({ id: post.id, removed: false });
  });

  test("a copy made by following the feed while writers run in parallel is complete and current", async ({ store, website }) => {
    const WRITERS = 8;
    const copy = new Map<string, number>();
    let writing = true;
    const follow = async (since: string | null) => {
      const read = await store.feed.read(website, since, 7);
      for (const change of read.changes) {
        const post = await store.posts.get(website, change.id as ReturnType<typeof buildPost>["id"]);
        if (post) copy.set(post.id, post.version);
        else copy.delete(change.id);
      }
      return read;
    };
    const writer = async (w: number) => {
      for (let n = 0; n < 12; n++) {
        const post = buildPost(w * 100 + n, { websiteId: website });
        await store.posts.insert(post, { visible: n % 2 === 0 });
        await store.posts.save(edited(post, { working: buildContent(n) }), { visible: n % 3 === 0 });
        if (n % 4 === 3) await store.posts.purge(website, post.id, 2);
      }
    };
    const reader = (async () => {
      let cursor: string | null = null;
      while (writing) cursor = (await follow(cursor)).cursor;
      for (;;) {
        const read = await follow(cursor);
        cursor = read.cursor;
        if (read.changes.length === 0) return;
      }
    })();
    await Promise.all(Array.from({ length: WRITERS }, (_, w) => writer(w)));
    writing = false;
    await reader;
    const page = await store.posts.list(website, { statuses: ["draft"], sort: "createdAt", after: null, limit: 100 });
    expect(page.rows).toHaveLength(WRITERS * 9);
    expect([...copy].toSorted()).toEqual(page.rows.map((row): [string, number] => [row.id, row.version]).toSorted());
  });
}
