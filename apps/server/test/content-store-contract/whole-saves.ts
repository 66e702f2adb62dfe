import { expect } from "vitest";
import type { Post, Revision } from "#domain/post";
import type { ContentStore } from "#ports/content-store";
import type { WholeSave } from "#ports/whole-save";
import { at, buildContent, buildEvent, buildPost, buildPublishedPost, buildRevision, edited, testId } from "../builders.ts";
import type { Suite } from "./suite.ts";

const pendingOf = ({ content: _content, websiteId: _websiteId, postId: _postId, ...rest }: Revision): Post["pendingRevision"] => rest;

const wholeOf = (post: Post, more: Partial<WholeSave> = {}): WholeSave => ({
  post,
  before: null,
  visible: false,
  claim: null,
  release: [],
  now: at(1e6),
  toolSave: null,
  lines: [],
  ...more,
});

const claimOf = ({ id, working }: Post, claimedAt = at(1)) => ({ slug: working.slug, ownerId: id, claimedAt });

/** As the operations save: in one commit where the store has one, else in steps. */
async function store({ claims, posts }: ContentStore, save: WholeSave) {
  if (posts.saveWhole) return posts.saveWhole(save);
  const { post, claim, visible } = save;
  if (claim && (await claims.claim(post.websiteId, "post", claim)).ownerId !== post.id) return "slug taken";
  const result = await (save.before === null ? posts.insert(post, { visible }) : posts.save(post, { visible }));
  if (result === "stale") return result;
  for (const slug of save.release) await claims.release(post.websiteId, "post", slug, post.id, save.now);
  const revision = post.pendingRevision && { ...post.pendingRevision, websiteId: post.websiteId, postId: post.id, content: post.working };
  await posts.settle(post.websiteId, post.id, { eventIds: post.pendingEvents.map(({ id }) => id), revision });
  return result;
}

export function wholeSaves({ test }: Suite): void {
  test("a whole save leaves the post, its slug and its revision, and nothing pending", async ({ store: content, website }) => {
    const draft = buildPost(1, { websiteId: website });
    const revision = buildRevision(1, draft, { version: 1 });
    const post = { ...draft, working: revision.content, pendingRevision: pendingOf(revision), pendingEvents: [buildEvent(1, draft)] };
    expect(await store(content, wholeOf(post, { claim: claimOf(post) }))).toBe("saved");
    expect(await content.posts.get(website, post.id)).toEqual({ ...post, pendingEvents: [], pendingRevision: null });
    expect(await content.revisions.get(website, post.id, revision.id)).toEqual(revision);
    expect(await content.claims.owners(website, "post", [post.working.slug])).toEqual(new Map([[post.working.slug, post.id]]));
    expect(await content.posts.listPending(1_000)).not.toContainEqual(expect.objectContaining({ websiteId: website }));

    const next = edited(post, {
      working: buildContent(2),
      pendingEvents: [],
      pendingRevision: pendingOf({ ...revision, version: 2, at: at(9e6) }),
    });
    expect(await store(content, wholeOf(next, { before: post, claim: claimOf(next), release: [post.working.slug] }))).toBe("saved");
    expect(await content.claims.owners(website, "post", [post.working.slug, next.working.slug])).toEqual(
      new Map([[next.working.slug, post.id]]),
    );
    // The revision grew: it is the same one, with the later content.
    expect((await content.revisions.list(website, post.id, { after: null, limit: 9 })).rows).toHaveLength(1);
    expect((await content.revisions.get(website, post.id, revision.id))?.content).toEqual(next.working);
  });

  test("a whole save whose slug is another's, or whose version is old, writes neither post nor revision", async ({
    store: content,
    website,
  }) => {
    const [mine, other] = [buildPost(1, { websiteId: website }), buildPost(2, { websiteId: website })];
    for (const post of [mine, other]) await store(content, wholeOf(post, { claim: claimOf(post) }));
    const revision = buildRevision(3, mine, { version: 2, content: other.working });
    const next = edited(mine, { working: other.working, pendingRevision: pendingOf(revision) });
    expect(await store(content, wholeOf(next, { before: mine, claim: claimOf(next), release: [mine.working.slug] }))).toBe("slug taken");
    const newcomer = buildPost(4, { websiteId: website, working: other.working });
    expect(await store(content, wholeOf(newcomer, { claim: claimOf(newcomer) }))).toBe("slug taken");
    const late = { ...next, version: 7, working: { ...mine.working, body: "late" } };
    expect(await store(content, wholeOf(late, { before: mine, release: [mine.working.slug] }))).toBe("stale");
    expect(await store(content, wholeOf({ ...mine, working: late.working }, { claim: claimOf(mine) }))).toBe("stale");
    expect(await content.posts.get(website, mine.id)).toEqual(mine);
    expect(await content.posts.get(website, newcomer.id)).toBeNull();
    expect(await content.revisions.latest(website, mine.id)).toBeNull();
    expect(await content.claims.owners(website, "post", [mine.working.slug])).toEqual(new Map([[mine.working.slug, mine.id]]));
  });

  test("of new posts that want one slug at once, exactly one gets it", async ({ store: content, website }) => {
    const rivals = Array.from({ length: 8 }, (_, n) => buildPost(n + 1, { websiteId: website, working: buildContent(1) }));
    const results = await Promise.all(rivals.map((post) => store(content, wholeOf(post, { claim: claimOf(post) }))));
    expect(results.filter((result) => result === "saved")).toHaveLength(1);
    expect(results.filter((result) => result === "slug taken")).toHaveLength(7);
    const winner = rivals[results.indexOf("saved")]!;
    expect((await content.claims.owners(website, "post", [winner.working.slug])).get(winner.working.slug)).toBe(winner.id);
  });

  test("a whole save writes whatever it changes, and nothing that it does not know of", async ({ store: content, website }) => {
    const [red, blue] = [testId("tag", 1), testId("tag", 2)];
    let before = buildPublishedPost(1, { websiteId: website, working: buildContent(1, { tagIds: [red] }) });
    await store(content, wholeOf(before));
    const { working, live } = before;
    const shown = { ...live!, content: { ...live!.content, title: "Shown", tagIds: [blue] }, updatedAt: at(5e6) };
    const changes: Partial<Post>[] = [
      { working: { ...working, title: "Typed", body: "typed" }, editedAt: at(2e6), editedBy: { ...before.editedBy, id: "somebody" } },
      { working: { ...working, tagIds: [blue], featured: true } },
      { working: { ...working, body: "of another language" }, hasUnpublishedChanges: true, slugFollowsTitle: true },
      { live: shown },
      { review: { requestedBy: before.editedBy, requestedAt: at(3e6), note: "Read it" } },
      { pastSlugs: ["former"] },
      { ownerId: testId("user", 7) },
      { status: "scheduled", scheduledAt: at(9e6) },
      { working: { ...working, body: "typed while it waits" } },
      { status: "deleted", scheduledAt: null, deletedAt: at(8e6) },
      { status: "draft", deletedAt: null },
    ];
    for (const change of changes) {
      const next = edited(before, change);
      expect(await store(content, wholeOf(next, { before })), JSON.stringify(change)).toBe("saved");
      expect(await content.posts.get(website, next.id)).toEqual(next);
      const inLive = next.status === "published" ? next.live!.content.tagIds : [];
      expect(await content.posts.countLiveByFacet(website, [[red], [blue]])).toEqual(
        [red, blue].map((tag) => Number(inLive.includes(tag))),
      );
      const inWorking = await content.posts.countByFacet(website, [[red], [blue]]);
      expect(inWorking).toEqual(
        [red, blue].map((tag) => Number(next.status !== "deleted" && [...inLive, ...next.working.tagIds].includes(tag))),
      );
      before = next;
    }
  });

  test("a slug that was claimed again since is not released", async ({ store: content, website }) => {
    const post = buildPost(1, { websiteId: website });
    await store(content, wholeOf(post, { claim: claimOf(post, at(2e6)) }));
    const next = edited(post, { working: buildContent(2) });
    await store(content, wholeOf(next, { before: post, claim: claimOf(next), release: [post.working.slug] }));
    expect((await content.claims.owners(website, "post", [post.working.slug])).get(post.working.slug)).toBe(post.id);
  });
}
