import { expect } from "vitest";
import type { Post, Revision } from "#domain/post";
import { at, buildContent, buildEvent, buildPost, buildPublishedPost, buildRevision, edited, testId } from "../builders.ts";
import { idsOf } from "./reference.ts";
import type { Suite } from "./suite.ts";

function pendingOf({ content: _content, websiteId: _websiteId, postId: _postId, ...rest }: Revision): Post["pendingRevision"] {
  return rest;
}

/** A post with three events and a revision that still have to be settled. */
function unsettled(n: number, overrides: Partial<Post>): { post: Post; revision: Revision } {
  const post = buildPublishedPost(n, overrides);
  const revision = buildRevision(n, post, { kind: "publish", wasLive: true });
  const pendingEvents = [1, 2, 3].map((e) => buildEvent(n * 10 + e, post));
  return { post: { ...post, pendingEvents, pendingRevision: pendingOf(revision) }, revision };
}

export function pending({ test }: Suite): void {
  test("settling puts the revision and removes it and the events, without changing the version or anything else", async ({
    store,
    website,
  }) => {
    const { post, revision } = unsettled(1, { websiteId: website });
    await store.posts.insert(post, { visible: true });
    await store.posts.settle(website, post.id, { eventIds: post.pendingEvents.map((event) => event.id), revision });
    expect(await store.posts.get(website, post.id)).toEqual({ ...post, pendingEvents: [], pendingRevision: null });
    expect(await store.revisions.get(website, post.id, revision.id)).toEqual(revision);
    expect(await store.posts.save(edited(post, { pendingEvents: [], pendingRevision: null }), { visible: false })).toBe("saved");
  });

  test("settling some events leaves the others, in their order, and the revision", async ({ store, website }) => {
    const { post } = unsettled(1, { websiteId: website });
    await store.posts.insert(post, { visible: true });
    const [first, second, third] = post.pendingEvents;
    await store.posts.settle(website, post.id, { eventIds: [second!.id, testId("event", 777)], revision: null });
    expect(await store.posts.get(website, post.id)).toEqual({ ...post, pendingEvents: [first, third] });
    expect(await store.revisions.latest(website, post.id)).toBeNull();
  });

  test("settling again changes nothing", async ({ store, website }) => {
    const { post, revision } = unsettled(1, { websiteId: website });
    await store.posts.insert(post, { visible: true });
    const settled = { eventIds: post.pendingEvents.map((event) => event.id), revision };
    for (let time = 0; time < 3; time++) await store.posts.settle(website, post.id, settled);
    expect(await store.posts.get(website, post.id)).toEqual({ ...post, pendingEvents: [], pendingRevision: null });
    expect((await store.revisions.list(website, post.id, { after: null, limit: 9 })).rows).toHaveLength(1);
  });

  test("settling late leaves what a later save left pending", async ({ store, website }) => {
    const { post, revision } = unsettled(1, { websiteId: website });
    await store.posts.insert(post, { visible: true });
    const later = buildRevision(2, { ...post, version: 2 });
    const second = edited(post, { pendingEvents: [buildEvent(99, post)], pendingRevision: pendingOf(later) });
    await store.posts.save(second, { visible: false });
    await store.posts.settle(website, post.id, { eventIds: post.pendingEvents.map((event) => event.id), revision });
    expect(await store.posts.get(website, post.id)).toEqual(second);
    expect(await store.revisions.get(website, post.id, revision.id)).toEqual(revision);
  });

  test("settling an older state of a folded revision neither settles nor overwrites the newer one", async ({ store, website }) => {
    const post = buildPost(1, { websiteId: website });
    const older = buildRevision(1, post, { kind: "autosave" });
    const newer = { ...older, version: 2, at: at(9e6), content: buildContent(1, { body: "newer" }) };
    await store.posts.insert({ ...post, pendingRevision: pendingOf(older) }, { visible: false });
    const second = edited(post, { working: newer.content, pendingRevision: pendingOf(newer) });
    await store.posts.save(second, { visible: false });
    await store.posts.settle(website, post.id, { eventIds: [], revision: older });
    expect(await store.posts.get(website, post.id)).toEqual(second);
    await store.posts.settle(website, post.id, { eventIds: [], revision: newer });
    await store.posts.settle(website, post.id, { eventIds: [], revision: older });
    expect(await store.revisions.get(website, post.id, newer.id)).toEqual(newer);
    expect(await store.posts.get(website, post.id)).toEqual({ ...second, pendingRevision: null });
  });

  test("settling a purged post leaves nothing behind", async ({ store, website }) => {
    const { post, revision } = unsettled(1, { websiteId: website });
    await store.posts.insert(post, { visible: true });
    await store.posts.purge(website, post.id, 1);
    await store.posts.settle(website, post.id, { eventIds: [post.pendingEvents[0]!.id], revision });
    expect(await store.posts.get(website, post.id)).toBeNull();
    expect(await store.revisions.get(website, post.id, revision.id)).toBeNull();
  });

  test("events settled in parallel are all removed", async ({ store, website }) => {
    const { post } = unsettled(1, { websiteId: website });
    await store.posts.insert(post, { visible: true });
    await Promise.all(post.pendingEvents.map((event) => store.posts.settle(website, post.id, { eventIds: [event.id], revision: null })));
    expect((await store.posts.get(website, post.id))?.pendingEvents).toEqual([]);
  });

  test("the sweep finds posts of every website with something pending, the longest waiting first", async ({
    store,
    website,
    otherWebsite,
  }) => {
    const old = (n: number) => at(-9e9 + n);
    const { post: events } = unsettled(1, { websiteId: website, editedAt: old(1) });
    const draft = buildPost(2, { websiteId: otherWebsite, editedAt: old(2) });
    const revision = buildRevision(2, draft);
    const withRevision = { ...draft, pendingRevision: pendingOf(revision) };
    const settled = buildPost(3, { websiteId: website, editedAt: old(0) });
    for (const post of [withRevision, { ...events, pendingRevision: null }, settled]) await store.posts.insert(post, { visible: false });
    const first = { ...events, pendingRevision: null };
    expect(await store.posts.listPending(2)).toEqual([first, withRevision]);
    expect(await store.posts.listPending(1)).toEqual([first]);
    await store.posts.settle(website, first.id, { eventIds: first.pendingEvents.map((event) => event.id), revision: null });
    expect(idsOf(await store.posts.listPending(1))).toEqual([draft.id]);
    await store.posts.settle(otherWebsite, draft.id, { eventIds: [], revision });
    expect((await store.posts.listPending(100)).some((post) => post.editedAt < old(9))).toBe(false);
  });

  test("the sweep finds trashed posts of every website older than a moment, oldest first", async ({ store, website, otherWebsite }) => {
    const trash = (n: number, websiteId: Post["websiteId"]) => buildPost(n, { websiteId, status: "deleted", deletedAt: at(-9e9 + n) });
    const posts = [trash(1, website), trash(2, otherWebsite), trash(3, website), trash(4, website)];
    for (const post of posts.toReversed()) await store.posts.insert(post, { visible: false });
    const refs = posts.map(({ websiteId, id }) => ({ websiteId, id }));
    expect(await store.posts.listDeletedBefore(at(-9e9 + 4), 10)).toEqual(refs.slice(0, 3));
    expect(await store.posts.listDeletedBefore(at(-9e9 + 4), 2)).toEqual(refs.slice(0, 2));
  });
}
