import { describe, expect, test } from "vitest";
import type { Post, PostContent, RevisionHead } from "#domain/post";
import { createDraft, edit, goLive, isVisibleChange, moveToTrash, restoreFromTrash, schedule, slugsOf, unpublish } from "#domain/post-life";
import { MINUTE, timestamp } from "#domain/time";
import { buildContent, buildRendering, byTool, byUser, testId, WEBSITE, WRITER } from "#test/builders";

const START = Date.parse("2026-01-01T00:00:00.000Z");
const deed = (minute: number, by = byUser()) => ({ by, now: timestamp(START + minute * MINUTE) });
const draft = (overrides: Partial<PostContent> = {}): Post =>
  settled(
    createDraft(
      {
        id: testId("post", 1),
        websiteId: WEBSITE,
        ownerId: WRITER,
        working: buildContent(1, { slug: "first", title: "First", publishedAt: null, ...overrides }),
        workingMediaIds: [],
        slugFollowsTitle: true,
      },
      deed(0),
    ),
  );
const settled = (post: Post): Post => ({ ...post, pendingEvents: [], pendingRevision: null });
const live = (post: Post, minute: number, action: "publish" | "update" = "publish") =>
  goLive(post, action, buildRendering(post.working), deed(minute));
const written = (
  post: Post,
  working: Partial<PostContent>,
  minute: number,
  kind: "save" | "autosave" = "save",
  latest: RevisionHead | null = null,
) => edit(post, { working: { ...post.working, ...working }, workingMediaIds: [], slugFollowsTitle: false, kind, latest }, deed(minute));

describe("the live copy", () => {
  test("changes at Publish and Update, never at a save", () => {
    const published = settled(live(draft(), 1));
    const edited = settled(written(published, { title: "Second" }, 2));
    expect(edited.live?.content.title).toBe("First");
    expect(edited.hasUnpublishedChanges).toBe(true);
    expect(isVisibleChange(published, edited)).toBe(false);
    const updated = live(edited, 3, "update");
    expect(updated.live?.content.title).toBe("Second");
    expect(updated.hasUnpublishedChanges).toBe(false);
    expect(isVisibleChange(edited, updated)).toBe(true);
  });

  test("an edit taken back leaves no unpublished changes", () => {
    const published = settled(live(draft(), 1));
    const edited = settled(written(published, { title: "Second" }, 2));
    expect(settled(written(edited, { title: "First" }, 3)).hasUnpublishedChanges).toBe(false);
  });
});

describe("dates", () => {
  test("publishedAt is the first publication, through unpublishing and updates", () => {
    const first = settled(live(draft(), 1));
    const again = live(settled(unpublish(first, deed(5))), 9);
    expect(again.live?.publishedAt).toBe(deed(1).now);
    expect(again.live?.updatedAt).toBe(deed(9).now);
  });

  test("publishedAt is what the writer sets", () => {
    expect(live(draft({ publishedAt: timestamp(START - 99 * MINUTE) }), 1).live?.publishedAt).toBe(timestamp(START - 99 * MINUTE));
  });

  test("a scheduled post that is published late carries the moment it was meant for", () => {
    const scheduled = schedule(draft(), timestamp(START + 10 * MINUTE), deed(1));
    expect(live(scheduled, 500).live?.publishedAt).toBe(deed(10).now);
    expect(live(scheduled, 500).live?.updatedAt).toBe(deed(500).now);
  });

  test("a scheduled post that a person publishes early carries that moment", () => {
    expect(live(schedule(draft(), timestamp(START + 10 * MINUTE), deed(1)), 2).live?.publishedAt).toBe(deed(2).now);
  });
});

describe("events", () => {
  const types = (post: Post) => post.pendingEvents.map((event) => event.type);

  test("carry the post's version, who did it and which fields changed", () => {
    const published = settled(live(draft(), 1));
    const updated = live(settled(written(published, { title: "Second", slug: "second", body: "New text" }, 2)), 3, "update");
    expect(updated.pendingEvents).toHaveLength(1);
    expect(updated.pendingEvents[0]).toMatchObject({
      type: "post.updated",
      version: updated.version,
      status: "published",
      previousSlug: "first",
      actor: byUser(),
    });
    expect(updated.pendingEvents[0]?.changed.toSorted()).toEqual(["body", "slug", "title"]);
  });

  test("deleting a published post is one post.deleted, and no post.unpublished", () => {
    const deleted = moveToTrash(settled(live(draft(), 1)), deed(2));
    expect(types(deleted)).toEqual(["post.deleted"]);
    expect(deleted.pendingEvents[0]?.post?.content.title).toBe("First");
  });

  test("post.deleted of a post that was never live carries its id only", () => {
    const deleted = moveToTrash(draft(), deed(2));
    expect(deleted.pendingEvents[0]).toMatchObject({ type: "post.deleted", postId: deleted.id, post: null, changed: [] });
  });

  test("post.deleted of an unpublished post tells what was live, not what was written since", () => {
    const unpublished = settled(unpublish(settled(live(draft(), 1)), deed(2)));
    const deleted = moveToTrash(settled(written(unpublished, { title: "Secret" }, 3)), deed(4));
    expect(deleted.pendingEvents[0]?.post?.content.title).toBe("First");
    expect(JSON.stringify(deleted.pendingEvents)).not.toContain("Secret");
  });

  test("never hold a body", () => {
    const published = live(draft({ body: "The body itself" }), 1);
    expect(JSON.stringify(published.pendingEvents)).not.toContain("The body itself");
  });
});

describe("slugs", () => {
  test("every slug it was ever live under stays its own", () => {
    let post = settled(live(draft(), 1));
    for (const slug of ["second", "third"]) post = settled(live(settled(written(post, { slug }, 2)), 3, "update"));
    expect(post.pastSlugs).toEqual(["first", "second"]);
    expect(slugsOf(post)).toEqual(new Set(["third", "first", "second"]));
  });

  test("going back to an old slug takes it from the redirects", () => {
    let post = settled(live(draft(), 1));
    for (const slug of ["second", "first"]) post = settled(live(settled(written(post, { slug }, 2)), 3, "update"));
    expect(post.pastSlugs).toEqual(["second"]);
  });

  test("a slug that was only written, never live, is no redirect", () => {
    const renamed = settled(written(settled(written(draft(), { slug: "second" }, 1)), { slug: "third" }, 2));
    expect(slugsOf(renamed)).toEqual(new Set(["third"]));
  });
});

describe("revisions", () => {
  const head = (post: Post): RevisionHead => ({ ...post.pendingRevision!, websiteId: post.websiteId, postId: post.id });

  test("autosaves of one author fold into one within ten minutes of its start", () => {
    const first = written(draft(), { body: "a" }, 1, "autosave");
    const second = written(settled(first), { body: "b" }, 10, "autosave", head(first));
    expect(second.pendingRevision?.id).toBe(first.pendingRevision?.id);
    expect(second.pendingRevision?.version).toBe(second.version);
    const third = written(settled(second), { body: "c" }, 11, "autosave", head(second));
    expect(third.pendingRevision?.id).not.toBe(first.pendingRevision?.id);
  });

  test("autosaves of another author, or after an explicit save, begin a new one", () => {
    const first = written(draft(), { body: "a" }, 1, "autosave");
    const other = edit(
      settled(first),
      { working: first.working, workingMediaIds: [], slugFollowsTitle: false, kind: "autosave", latest: head(first) },
      deed(2, byTool()),
    );
    expect(other.pendingRevision?.id).not.toBe(first.pendingRevision?.id);
    const saved = written(settled(first), { body: "b" }, 2, "save");
    expect(written(settled(saved), { body: "c" }, 3, "autosave", head(saved)).pendingRevision?.id).not.toBe(saved.pendingRevision?.id);
  });

  test("what went live is marked, so that it is never thinned away", () => {
    expect(live(draft(), 1).pendingRevision).toMatchObject({ kind: "publish", wasLive: true });
    expect(draft().pendingRevision).toBeNull();
  });
});

describe("the trash", () => {
  test("a post in the trash cannot be edited", () => {
    expect(() => written(settled(moveToTrash(draft(), deed(1))), { title: "x" }, 2)).toThrow("Restore it first");
  });

  test("restoring gives a draft, whatever it was, with its history of slugs", () => {
    const restored = restoreFromTrash(settled(moveToTrash(settled(live(draft(), 1)), deed(2))), deed(3));
    expect(restored).toMatchObject({ status: "draft", deletedAt: null, pendingEvents: [] });
    expect(slugsOf(restored)).toContain("first");
  });
});
