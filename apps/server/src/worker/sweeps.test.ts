import { beforeEach, expect, test } from "vitest";
import type { PostId } from "#domain/ids";
import { keyOfMedia } from "#domain/media-file";
import { RENDERER_VERSION } from "#domain/markdown/render";
import { DAY, MINUTE } from "#domain/time";
import { execute } from "#operations/kernel/execute";
import { operations as media } from "#operations/media/index";
import { operations as posts } from "#operations/posts/index";
import { deleteWebsite } from "#operations/websites/delete-website";
import type { ContentStore } from "#ports/content-store";
import { closedAtEnd } from "#test/closed-at-end";
import { imageBytes } from "#test/images";
import { withoutWholeSave } from "#test/without-whole-save";
import { openTestServices, type Tenant } from "#test/services";
import { oneStore } from "#test/one-store";
import { eraseDeleted, forgetEvents, purgeMedia, purgeTrash, renderOutdated, settlePending } from "./sweeps.ts";

const services = closedAtEnd(await openTestServices());
let content: ContentStore;
let tenant: Tenant;
let ids: { websiteId: string };

beforeEach(async () => {
  tenant = await services.makeTenant();
  ids = { websiteId: tenant.website.id };
  content = services.contentOf(tenant.website);
});

type Move = "publish_post" | "delete_post" | "edit_post" | "update_live_post";
const create = (title = "A title", more: Record<string, unknown> = {}) =>
  services.call(posts.create_post, tenant.actor, { ...ids, title, ...more });
const act = (name: Move, post: { id: string; version: number }, input: Record<string, unknown> = {}) =>
  services.call(posts[name] as typeof posts.edit_post, tenant.actor, {
    ...ids,
    postId: post.id,
    expectedVersion: post.version,
    ...input,
  });
const stored = (id: string) => content.posts.get(tenant.website.id, id as PostId);

test("what a crash left between a save and its event is settled", async () => {
  const post = await create();
  const { platform } = services;
  const broken = {
    ...services,
    contents: oneStore(withoutWholeSave(content)),
    platform: { ...platform, events: { ...platform.events, append: () => Promise.reject(new Error("killed")) } },
  };
  await execute(broken, posts.publish_post, tenant.actor, { ...ids, postId: post.id, expectedVersion: 1 });
  expect((await stored(post.id))?.pendingEvents).toHaveLength(1);
  expect(await settlePending(services, content)).toBe(1);
  expect(await settlePending(services, content)).toBe(0);
  expect(await stored(post.id)).toMatchObject({ version: 2, pendingEvents: [], pendingRevision: null });
  const events = await platform.events.list(tenant.website.id, 0, 10);
  expect(events.map(({ event }) => event.type)).toEqual(["post.published"]);
  const history = await content.revisions.list(tenant.website.id, post.id, { after: null, limit: 10 });
  expect(history.rows.map((revision) => revision.kind)).toEqual(["publish", "save"]);
});

test("a post that cannot be settled does not keep the others waiting", async () => {
  const { platform } = services;
  const { append } = platform.events;
  const failingFor = (ids: readonly string[]) => ({
    ...services,
    contents: oneStore(withoutWholeSave(content)),
    platform: {
      ...platform,
      events: {
        ...platform.events,
        append: (events: Parameters<typeof append>[0]) =>
          events.some(({ postId }) => ids.includes(postId)) ? Promise.reject(new Error("refused")) : append(events),
      },
    },
  });
  const [stuck, other] = [await create("Stuck"), await create("Other")];
  for (const { id } of [stuck, other])
    await execute(failingFor([stuck.id, other.id]), posts.publish_post, tenant.actor, { ...ids, postId: id, expectedVersion: 1 });
  expect(await settlePending(failingFor([stuck.id]), content)).toBe(1);
  expect((await platform.events.list(tenant.website.id, 0, 10)).map(({ event }) => event.postId)).toEqual([other.id]);
  expect(await settlePending(services, content)).toBe(1);
});

test("the trash is emptied after 30 days, not before", async () => {
  const deleted = await act("delete_post", await create("Gone", { slug: "gone" }));
  services.pass(30 * DAY - MINUTE);
  await purgeTrash(services, content);
  expect(await stored(deleted.id)).not.toBeNull();
  services.pass(2 * MINUTE);
  await purgeTrash(services, content);
  expect(await stored(deleted.id)).toBeNull();
  expect((await create("New", { slug: "gone" })).working.slug).toBe("gone");
});

test("an image in the trash goes after 30 days with its file; one that is restored at that moment keeps it", async () => {
  const add = async (filename: string) => {
    const { id } = await services.call(media.add_media, tenant.actor, { ...ids, bytes: imageBytes("png"), filename });
    await services.call(media.delete_media, tenant.actor, { ...ids, mediaId: id });
    return (await content.media.get(tenant.website.id, id))!;
  };
  const [gone, restored] = [await add("gone.png"), await add("restored.png")];
  await purgeMedia(services, content);
  expect(services.files.has(keyOfMedia(gone))).toBe(true);
  services.pass(31 * DAY);
  const meanwhile: ContentStore = {
    ...content,
    media: {
      ...content.media,
      async listDeletedBefore(before, limit) {
        const found = await content.media.listDeletedBefore(before, limit);
        await services.call(media.restore_media, tenant.actor, { ...ids, mediaId: restored.id });
        return found;
      },
    },
  };
  await purgeMedia(services, meanwhile);
  expect(await content.media.get(tenant.website.id, gone.id)).toBeNull();
  expect(services.files.has(keyOfMedia(gone))).toBe(false);
  expect(await content.media.get(tenant.website.id, restored.id)).toMatchObject({ deletedAt: null });
  expect(services.files.has(keyOfMedia(restored))).toBe(true);
});

test("posts of an older renderer are rendered anew without changing", async () => {
  const post = await act("publish_post", await create("Old", { body: "**bold**" }));
  const before = (await stored(post.id))!;
  const old = { ...before.live!.rendering, rendererVersion: RENDERER_VERSION - 1, html: "old" };
  await content.posts.saveRendering({ websiteId: tenant.website.id, id: post.id }, before.version, old);
  expect((await stored(post.id))?.live?.rendering.html).toBe("old");
  const fresh = { ...services, render: async () => ({ ...old, rendererVersion: RENDERER_VERSION, html: "new" }) };
  expect(await renderOutdated(fresh, content)).toBe(1);
  expect(await renderOutdated(fresh, content)).toBe(0);
  const after = (await stored(post.id))!;
  expect(after.live?.rendering.html).toBe("new");
  expect({ ...after, live: null }).toEqual({ ...before, live: null });
  expect(after.live?.updatedAt).toBe(before.live?.updatedAt);
});

test("what happened is told for 90 days, and the newest event for ever", async () => {
  const published = await act("publish_post", await create());
  const told = async () => (await services.platform.events.list(tenant.website.id, 0, 10)).map(({ event }) => event.type);
  services.pass(91 * DAY);
  await forgetEvents(services);
  expect(await told()).toEqual(["post.published"]);
  await act("delete_post", published);
  await forgetEvents(services);
  expect(await told()).toEqual(["post.deleted"]);
});

test("a deleted website is gone at once and erased after 30 days, others are untouched", async () => {
  const other = await services.makeTenant();
  const kept = await services.call(posts.create_post, other.actor, { websiteId: other.website.id, title: "Kept" });
  const post = await create();
  await services.call(deleteWebsite, tenant.actor, { ...ids, confirmName: tenant.website.name });
  await expect(services.call(posts.get_post, tenant.actor, { ...ids, postId: post.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await eraseDeleted(services);
  expect(await stored(post.id)).not.toBeNull();
  services.pass(31 * DAY);
  await eraseDeleted(services);
  expect(await stored(post.id)).toBeNull();
  expect(await content.posts.get(other.website.id, kept.id)).not.toBeNull();
});

test("with a deleted website the files of its images go, those in the trash too, and nobody else's", async () => {
  const other = await services.makeTenant();
  const add = ({ actor, website }: Tenant, filename: string) =>
    services.call(media.add_media, actor, { websiteId: website.id, bytes: imageBytes("png"), filename });
  const [shown, trashed, kept] = [await add(tenant, "shown.png"), await add(tenant, "trashed.png"), await add(other, "kept.png")];
  await services.call(media.delete_media, tenant.actor, { ...ids, mediaId: trashed.id });
  const keys = await Promise.all(
    (
      [
        [tenant, shown.id],
        [tenant, trashed.id],
        [other, kept.id],
      ] as const
    ).map(async ([{ website }, id]) => keyOfMedia((await content.media.get(website.id, id))!)),
  );
  await services.call(deleteWebsite, tenant.actor, { ...ids, confirmName: tenant.website.name });
  services.pass(31 * DAY);
  await eraseDeleted(services);
  const files = await Promise.all(keys.map((key) => services.images.of("disk").get(key)));
  expect(files.map((file) => file !== null)).toEqual([false, false, true]);
});

test("one website's post that cannot be removed keeps no other's in the trash", async () => {
  const other = await services.makeTenant();
  const stuck = await act("delete_post", await create("Stuck"));
  const theirs = await services.call(posts.create_post, other.actor, { websiteId: other.website.id, title: "Theirs" });
  await services.call(posts.delete_post, other.actor, { websiteId: other.website.id, postId: theirs.id, expectedVersion: 1 });
  services.pass(31 * DAY);
  const refusing: ContentStore = {
    ...content,
    posts: {
      ...content.posts,
      get: (websiteId, id) => (id === stuck.id ? Promise.reject(new Error("torn")) : content.posts.get(websiteId, id)),
    },
  };
  const troubles: string[] = [];
  expect(await purgeTrash({ ...services, onTrouble: (message) => troubles.push(message) }, refusing)).toBeGreaterThan(0);
  expect(await content.posts.get(other.website.id, theirs.id)).toBeNull();
  expect(troubles).toEqual([expect.stringContaining(stuck.id)]);
});
