import { beforeEach, describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE, timestamp } from "#domain/time";
import { setFieldDefinitions } from "#operations/websites/set-field-definitions";
import { closedAtEnd } from "#test/closed-at-end";
import { withoutWholeSave } from "#test/without-whole-save";
import { openTestServices, type Tenant } from "#test/services";
import { oneStore } from "#test/one-store";
import type { RecordBeside } from "#ports/records-beside";
import { operations as posts } from "./index.ts";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
let ids: { websiteId: string };

beforeEach(async () => {
  tenant = await services.makeTenant();
  ids = { websiteId: tenant.website.id };
});

type Name =
  | "publish_post"
  | "update_live_post"
  | "unpublish_post"
  | "delete_post"
  | "restore_post"
  | "purge_post"
  | "edit_post"
  | "restore_revision"
  | "schedule_post"
  | "request_review";
type Seen = { id: string; version: number };
const act = (name: Name, post: Seen, input: Record<string, unknown> = {}) =>
  services.call(posts[name] as typeof posts.edit_post, tenant.actor, {
    ...ids,
    postId: post.id,
    expectedVersion: post.version,
    ...input,
  });
const create = (input: Record<string, unknown> = {}) =>
  services.call(posts.create_post, tenant.actor, { ...ids, title: "A title", ...input });
const read = (id: string) => services.call(posts.get_post, tenant.actor, { ...ids, postId: id });
const events = async () => (await services.platform.events.list(tenant.website.id, 0, 100)).map(({ event }) => event);

describe("what happened is told once", () => {
  test("publish, update, unpublish, delete: four actions, four events, in order, nothing left pending", async () => {
    let post = await act("publish_post", await create());
    post = await act("edit_post", post, { body: "New" });
    post = await act("update_live_post", post);
    post = await act("unpublish_post", post);
    post = await act("delete_post", post);
    const told = await events();
    expect(told.map((event) => event.type)).toEqual(["post.published", "post.updated", "post.unpublished", "post.deleted"]);
    expect(told.map((event) => event.version)).toEqual([2, 4, 5, 6]);
    expect(told[1]?.changed).toEqual(["body"]);
    const stored = await services.contentOf(tenant.website).posts.get(tenant.website.id, post.id);
    expect(stored).toMatchObject({ pendingEvents: [], pendingRevision: null });
  });

  test("an update that changes nothing tells nothing", async () => {
    const post = await act("publish_post", await create());
    expect((await act("update_live_post", post)).version).toBe(post.version);
    expect(await events()).toHaveLength(1);
  });

  test("what a crash left between a save and its event is told before the next save", async () => {
    const post = await create();
    const { platform } = services;
    const broken = {
      ...services,
      contents: oneStore(withoutWholeSave(services.contentOf(tenant.website))),
      platform: { ...platform, events: { ...platform.events, append: () => Promise.reject(new Error("gone")) } },
    };
    const { execute } = await import("../kernel/execute.ts");
    await execute(broken, posts.publish_post, tenant.actor, { ...ids, postId: post.id, expectedVersion: 1 });
    expect(services.troubles.at(-1)).toContain("could not be settled");
    expect(await events()).toEqual([]);
    await act("edit_post", { id: post.id, version: 2 }, { body: "after the crash" });
    expect((await events()).map((event) => event.type)).toEqual(["post.published"]);
    const history = await services.call(posts.list_revisions, tenant.actor, { ...ids, postId: post.id });
    expect(history.items.map((revision) => revision.kind)).toEqual(["save", "publish", "save"]);
  });
});

describe("before a post goes live", () => {
  test("it needs a title and the fields that the website requires", async () => {
    const definition = { key: "source", label: "Source", type: "url", required: true, help: "", options: [] };
    await services.call(setFieldDefinitions, tenant.actor, {
      ...ids,
      expectedVersion: tenant.website.version,
      fieldDefinitions: [definition],
    });
    const post = await create({ title: "" });
    await expect(act("publish_post", post)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      errors: [expect.objectContaining({ field: "title" }), expect.objectContaining({ field: "fields.source" })],
    });
    await expect(act("edit_post", post, { fields: { source: "no address" } })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    const ready = await act("edit_post", post, { title: "Now", fields: { source: "https://example.com" } });
    expect((await act("publish_post", ready)).status).toBe("published");
  });

  test("a schedule must lie in the future", async () => {
    const post = await create();
    await expect(act("schedule_post", post, { at: timestamp(services.now) })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    const scheduled = await act("schedule_post", post, { at: timestamp(services.now.getTime() + DAY) });
    expect(scheduled).toMatchObject({ status: "scheduled", scheduledAt: timestamp(services.now.getTime() + DAY) });
    expect((await act("unpublish_post", scheduled)).status).toBe("draft");
    expect(await events()).toEqual([]);
  });
});

describe("history", () => {
  test("one revision at every publish, update and save; autosaves of ten minutes are one", async () => {
    let post = await create({ body: "0" });
    for (let i = 1; i <= 4; i++) {
      services.pass(2 * MINUTE);
      post = await act("edit_post", post, { body: `${i}`, autosave: true });
    }
    services.pass(HOUR);
    post = await act("edit_post", post, { body: "5", autosave: true });
    post = await act("publish_post", post);
    const { items } = await services.call(posts.list_revisions, tenant.actor, { ...ids, postId: post.id });
    expect(items.map((revision) => revision.kind)).toEqual(["publish", "autosave", "autosave", "save"]);
    expect(items.map((revision) => revision.wasLive)).toEqual([true, false, false, false]);
    expect(items[0]?.author).toEqual({ type: "user", id: tenant.owner.id, userId: tenant.owner.id });
    const folded = await services.call(posts.get_revision, tenant.actor, { ...ids, postId: post.id, revisionId: items[2]!.id });
    expect(folded.content.body).toBe("4");
  });

  test("a revision is compared word by word and restored as a new version", async () => {
    const first = await create({ body: "The quick brown fox" });
    const second = await act("edit_post", first, { body: "The quick red fox", title: "Other" });
    const { items } = await services.call(posts.list_revisions, tenant.actor, { ...ids, postId: first.id });
    const diff = await services.call(posts.diff_revisions, tenant.actor, { ...ids, postId: first.id, fromRevisionId: items[1]!.id });
    expect(diff.body.filter((part) => part.type !== "same")).toEqual([
      { type: "removed", text: "brown" },
      { type: "added", text: "red" },
    ]);
    expect(diff.fields.map((field) => field.field)).toEqual(["slug"]);
    const restored = await act("restore_revision", second, { revisionId: items[1]!.id });
    expect((await read(first.id)).working).toMatchObject({ title: "A title", body: "The quick brown fox" });
    expect(restored.version).toBe(3);
  });

  test("the history pages by cursor", async () => {
    let post = await create();
    for (let i = 0; i < 6; i++) {
      services.pass(MINUTE);
      post = await act("edit_post", post, { body: `${i}` });
    }
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const page: { items: readonly { version: number }[]; nextCursor: string | null } = await services.call(
        posts.list_revisions,
        tenant.actor,
        {
          ...ids,
          postId: post.id,
          limit: 3,
          ...(cursor && { cursor }),
        },
      );
      seen.push(...page.items.map((revision) => revision.version));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });
});

describe("the trash", () => {
  test("keeps the slug until the post is purged, with its history", async () => {
    const deleted = await act("delete_post", await create({ slug: "kept" }));
    await expect(create({ slug: "kept" })).rejects.toMatchObject({ code: "SLUG_TAKEN" });
    await act("purge_post", deleted);
    await expect(read(deleted.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await create({ slug: "kept" })).working.slug).toBe("kept");
    expect(
      (await services.contentOf(tenant.website).revisions.list(tenant.website.id, deleted.id, { after: null, limit: 10 })).rows,
    ).toEqual([]);
  });

  test("is left for good also where the store keeps what it says it removed", async () => {
    const post = await act("delete_post", await create());
    const { beside, ...store } = services.contentOf(tenant.website);
    const list = async () => ({ rows: [{ id: "sug_1" } as RecordBeside], next: null });
    const stubborn = { ...beside, list, delete: async () => {} };
    const there = { ...services, contents: oneStore({ ...store, beside: stubborn }) };
    const { execute } = await import("../kernel/execute.ts");
    await execute(there, posts.purge_post, tenant.actor, { ...ids, postId: post.id, expectedVersion: post.version });
    await expect(act("restore_post", post)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("a restored post is a draft again", async () => {
    const deleted = await act("delete_post", await act("publish_post", await create()));
    expect(await act("restore_post", deleted)).toMatchObject({ status: "draft", deletedAt: null });
  });
});

describe("who may", () => {
  test("a contributor sees own drafts and what is published, and nothing else exists", async () => {
    const contributor = await tenant.addMember("contributor");
    const hidden = await create({ title: "Hidden draft" });
    const shown = await act("publish_post", await create({ title: "Shown" }));
    const own = await services.call(posts.create_post, contributor, { ...ids, title: "Own" });
    const list = await services.call(posts.list_posts, contributor, ids);
    expect(list.items.map((post) => post.id).toSorted()).toEqual([shown.id, own.id].toSorted());
    expect(await services.call(posts.count_posts, contributor, ids)).toMatchObject({ draft: 1, published: 1 });
    for (const name of ["get_post", "duplicate_post", "list_revisions"] as const) {
      await expect(services.call(posts[name], contributor, { ...ids, postId: hidden.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });

  test("a contributor asks for review, an editor sees what waits, publishing ends it", async () => {
    const contributor = await tenant.addMember("contributor");
    const own = await services.call(posts.create_post, contributor, { ...ids, title: "Please look" });
    const asked = await services.call(posts.request_review, contributor, { ...ids, postId: own.id, expectedVersion: 1, note: "Ready?" });
    expect((await services.call(posts.list_posts, tenant.actor, { ...ids, reviewRequested: true })).items.map((post) => post.id)).toEqual([
      own.id,
    ]);
    expect((await act("publish_post", asked)).review).toBeNull();
    expect((await services.call(posts.list_posts, tenant.actor, { ...ids, reviewRequested: true })).items).toEqual([]);
  });
});

test("a duplicate is a draft of its own", async () => {
  const original = await act("publish_post", await create({ body: "Text", featured: true }));
  const copy = await services.call(posts.duplicate_post, tenant.actor, { ...ids, postId: original.id });
  expect(copy).toMatchObject({ status: "draft", version: 1, publishedAt: null });
  expect((await read(copy.id)).working).toMatchObject({ title: "A title (copy)", slug: "a-title-copy", body: "Text", featured: true });
});

test("autosaves of ten minutes are one line in the activity log", async () => {
  let post = await create();
  for (let i = 0; i < 3; i++) post = await act("edit_post", post, { body: `${i}`, autosave: true });
  const { rows } = await services.platform.activity.list(tenant.workspace.id, { action: "edit_post", after: null, limit: 10 });
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ count: 3, target: { id: post.id, label: "A title" } });
});
