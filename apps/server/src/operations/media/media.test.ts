import { expect, test } from "vitest";

import { toolOf } from "#test/connected-tool";
import { MAX_IMAGE_BYTES } from "#domain/image";
import type { Media } from "#domain/media";
import { MINUTE } from "#domain/time";
import { execute } from "#operations/kernel/execute";
import type { Services } from "#operations/kernel/services";
import { addMedia } from "#operations/media/add-media";
import { deleteMedia } from "#operations/media/delete-media";
import { editMedia } from "#operations/media/edit-media";
import { getMedia } from "#operations/media/get-media";
import { listMedia } from "#operations/media/list-media";
import { purgeMedia } from "#operations/media/purge-media";
import { restoreMedia } from "#operations/media/restore-media";
import { createPost } from "#operations/posts/create-post";
import { createTerm } from "#operations/terms/create-term";
import { createWebsite } from "#operations/websites/create-website";
import { closedAtEnd } from "#test/closed-at-end";
import { distinctImage, imageBytes } from "#test/images";
import { openTestServices, type Tenant } from "#test/services";
import { oneStore } from "#test/one-store";

const services = closedAtEnd(await openTestServices());

const png = imageBytes("png");
const at = (tenant: Tenant) => ({ websiteId: tenant.website.id });
const add = (tenant: Tenant, input: Record<string, unknown> = {}, actor = tenant.actor) =>
  services.call(addMedia, actor, { ...at(tenant), bytes: png, filename: "dot.png", ...input });
/** Another one each time: the same bytes twice are the same image. */
let made = 0;
const another = () => distinctImage(made++);

test("an upload keeps the bytes, and what they themselves say about type and size", async () => {
  const tenant = await services.makeTenant();
  const media = await add(tenant, { bytes: imageBytes("avif"), filename: "photo.png", alt: "A red field" });
  expect(media).toMatchObject({ contentType: "image/avif", width: 37, height: 21, filename: "photo.png", alt: "A red field", version: 1 });
  expect(media.url).toBe(`/media/${tenant.website.id}/${media.id}.avif`);
  expect(services.files.get(`${tenant.website.id}/${media.id}.avif`)).toEqual(imageBytes("avif"));
});

test("what is no image, SVG, or over 20 MB is refused and leaves no file", async () => {
  const tenant = await services.makeTenant();
  const before = services.files.size;
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  await expect(add(tenant, { bytes: svg })).rejects.toMatchObject({
    code: "UNSUPPORTED_MEDIA_TYPE",
    message: expect.stringContaining("SVG"),
  });
  await expect(add(tenant, { bytes: Buffer.from("hello") })).rejects.toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE" });
  await expect(add(tenant, { bytes: png.subarray(0, 20) })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    errors: [{ field: "bytes" }],
  });
  const large = new Uint8Array(MAX_IMAGE_BYTES + 1);
  large.set(png);
  await expect(add(tenant, { bytes: large })).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  await expect(add(tenant, { bytes: "text" })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  await expect(add(tenant, { filename: "../../etc/passwd" })).rejects.toMatchObject({ errors: [{ field: "filename" }] });
  expect(services.files.size).toBe(before);
});

test("what cannot be decoded to its last pixel leaves no file, and a HEIC is told what to do", async () => {
  const tenant = await services.makeTenant();
  const before = services.files.size;
  const cut = Buffer.from(imageBytes("jpeg"));
  // The end of the scan is kept, so that the file can be followed, but a part of what was scanned is missing.
  const headerOnly = Buffer.concat([cut.subarray(0, cut.length - 40), Buffer.from([0xff, 0xd9])]);
  await expect(add(tenant, { bytes: headerOnly })).rejects.toMatchObject({ code: "VALIDATION_FAILED", errors: [{ field: "bytes" }] });
  const heic = Buffer.concat([Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"), Buffer.alloc(100)]);
  await expect(add(tenant, { bytes: heic })).rejects.toMatchObject({
    code: "UNSUPPORTED_MEDIA_TYPE",
    message: expect.stringContaining("Export the photo as JPEG"),
  });
  // A page that begins as a GIF does.
  await expect(add(tenant, { bytes: Buffer.from("GIF89a/*<script>alert(1)</script>*/=1;".padEnd(80)) })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
  });
  expect(services.files.size).toBe(before);
});

test("a placeholder and the dominant colour come from the pixels; a client's own placeholder is kept", async () => {
  const tenant = await services.makeTenant();
  expect(await add(tenant)).toMatchObject({ blurhash: expect.stringMatching(/^.{28}$/), dominantColor: "#e88888" });
  const blurhash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj";
  expect(await add(await services.makeTenant(), { blurhash })).toMatchObject({ blurhash, dominantColor: "#e88888" });
});

test("the plan's storage holds over all websites, also when images are uploaded at the same moment", async () => {
  const tenant = await services.makeTenant({ plan: "team" });
  const second = await services.call(createWebsite, tenant.actor, { workspaceId: tenant.workspace.id, name: "Second" });
  const before = services.files.size;
  const size = another().byteLength;
  const room = { ...services.plans.team, storageBytes: 3 * size + 10 };
  const tight = { ...services, plans: { ...services.plans, team: room } };
  const upload = (n: number) =>
    execute(tight, addMedia, tenant.actor, { websiteId: n % 2 ? second.id : tenant.website.id, bytes: another(), filename: "dot.gif" });
  // As many at once as may wait to be decoded.
  const uploads = (count: number) => Promise.allSettled(Array.from({ length: count }, (_, n) => upload(n)));
  const results = [...(await uploads(60)), ...(await uploads(40))];
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(3);
  for (const result of results) {
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "PLAN_LIMIT", facts: { limit: "storageBytes" } });
  }
  expect(services.files.size - before).toBe(3);
  const totals = await services.platform.mediaFiles.totals(tenant.workspace.id);
  expect([...totals.values()].reduce((sum, bytes) => sum + bytes, 0)).toBe(3 * size);
});

test("the workspace's lock is not held while bytes are written or another database is asked", async () => {
  const tenant = await services.makeTenant();
  const locks: string[] = [];
  const whileFree = async () => void locks.push(await services.platform.locked(tenant.workspace.id, async () => "free"));
  const disk = services.images.of("disk");
  const content = services.contentOf(tenant.website);
  const watched = {
    ...services,
    images: { current: "disk", names: ["disk"], of: () => ({ ...disk, put: (...file) => whileFree().then(() => disk.put(...file)) }) },
    contents: oneStore({
      ...content,
      media: { ...content.media, insert: (media: Media) => whileFree().then(() => content.media.insert(media)) },
    }),
  } satisfies Services;
  await execute(watched, addMedia, tenant.actor, { ...at(tenant), bytes: another(), filename: "dot.gif" });
  expect(locks).toEqual(["free", "free"]);
});

test("the same bytes answer the image that the website has, not one in its trash or of another website", async () => {
  const tenant = await services.makeTenant();
  const second = await services.call(createWebsite, tenant.actor, { workspaceId: tenant.workspace.id, name: "Second" });
  const first = await add(tenant, { alt: "A dot" });
  services.pass(1);
  expect(await add(tenant, { filename: "again.png", alt: "Other words" })).toEqual(first);
  const lines = await services.platform.activity.list(tenant.workspace.id, { action: "add_media", after: null, limit: 10 });
  expect(lines.rows).toHaveLength(1);
  const elsewhere = await services.call(addMedia, tenant.actor, { websiteId: second.id, bytes: png, filename: "dot.png" });
  expect(elsewhere.id).not.toBe(first.id);
  await services.call(deleteMedia, tenant.actor, { ...at(tenant), mediaId: first.id });
  expect((await add(tenant)).id).not.toBe(first.id);
});

test("the same bytes uploaded at the same instant become one image, also when the first upload fails", async () => {
  const tenant = await services.makeTenant();
  const before = services.files.size;
  const bytes = another();
  const upload = (from: Services = services) => execute(from, addMedia, tenant.actor, { ...at(tenant), bytes, filename: "dot.gif" });
  const disk = services.images.of("disk");
  let puts = 0;
  const failing = {
    ...services,
    images: {
      current: "disk",
      names: ["disk"],
      of: () => ({ ...disk, put: async (...file) => (++puts === 1 ? Promise.reject(new Error("The disk is gone")) : disk.put(...file)) }),
    },
  } satisfies Services;
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => upload(failing)));
  const images = results.filter((result) => result.status === "fulfilled").map(({ value }) => value.id);
  expect([images.length, new Set(images).size, services.files.size - before]).toEqual([7, 1, 1]);
  expect(await upload()).toMatchObject({ id: images[0] });
});

test("an upload that died on its way is not waited for", async () => {
  const tenant = await services.makeTenant();
  const bytes = another();
  const content = services.contents.managed;
  const dying = {
    ...services,
    contents: oneStore({ ...content, media: { ...content.media, insert: () => Promise.reject(new Error("killed")) } }),
  } satisfies Services;
  await expect(execute(dying, addMedia, tenant.actor, { ...at(tenant), bytes, filename: "dot.gif" })).rejects.toThrow("killed");
  services.pass(2 * MINUTE);
  const media = await execute(services, addMedia, tenant.actor, { ...at(tenant), bytes, filename: "dot.gif" });
  expect(await services.platform.mediaFiles.get(tenant.website.id, media.id)).toMatchObject({ state: "kept" });
});

test("alt text and name can be changed with the version that was seen", async () => {
  const tenant = await services.makeTenant();
  const media = await add(tenant);
  const ids = { ...at(tenant), mediaId: media.id };
  const edited = await services.call(editMedia, tenant.actor, { ...ids, expectedVersion: 1, alt: "A dot" });
  expect(edited).toMatchObject({ version: 2, alt: "A dot", filename: "dot.png" });
  await expect(services.call(editMedia, tenant.actor, { ...ids, expectedVersion: 1, alt: "Late" })).rejects.toMatchObject({
    code: "VERSION_CONFLICT",
    facts: { currentVersion: 2 },
  });
});

test("an image says where it is used, and goes to the trash only when nobody uses it, or all the same", async () => {
  const tenant = await services.makeTenant();
  const media = await add(tenant);
  const ids = { ...at(tenant), mediaId: media.id };
  const post = await services.call(createPost, tenant.actor, { ...at(tenant), title: "With a cover", coverMediaId: media.id });
  const author = await services.call(createTerm, tenant.actor, {
    ...at(tenant),
    kind: "author",
    name: "Ada",
    profile: { avatarMediaId: media.id },
  });
  const usedIn = {
    postCount: 1,
    posts: [{ id: post.id, title: "With a cover", status: "draft" }],
    authors: [{ id: author.id, name: "Ada" }],
  };
  expect(await services.call(getMedia, tenant.actor, ids)).toMatchObject({ id: media.id, usedIn });
  await expect(services.call(deleteMedia, tenant.actor, ids)).rejects.toMatchObject({
    code: "INVALID_TRANSITION",
    message: expect.stringContaining("1 post and the portrait of Ada"),
    facts: { usedIn },
  });
  const deleted = await services.call(deleteMedia, tenant.actor, { ...ids, evenIfUsed: true });
  expect(deleted).toMatchObject({ version: 2, deletedAt: expect.any(String), usedIn });
});

test("a contributor is told how often an image is used, but not the titles of other people's drafts", async () => {
  const tenant = await services.makeTenant();
  const media = await add(tenant);
  await services.call(createPost, tenant.actor, { ...at(tenant), title: "Secret plans", coverMediaId: media.id });
  const contributor = await tenant.addMember("contributor");
  const seen = await services.call(getMedia, contributor, { ...at(tenant), mediaId: media.id });
  expect(seen.usedIn).toMatchObject({ postCount: 1, posts: [] });
});

test("the trash keeps an image until it is restored; it cannot be edited or deleted there", async () => {
  const tenant = await services.makeTenant();
  const media = await add(tenant);
  const ids = { ...at(tenant), mediaId: media.id };
  await services.call(deleteMedia, tenant.actor, ids);
  const listed = async (trashed: boolean) =>
    (await services.call(listMedia, tenant.actor, { ...at(tenant), trashed })).items.map(({ id }) => id);
  expect([await listed(false), await listed(true)]).toEqual([[], [media.id]]);
  await expect(services.call(deleteMedia, tenant.actor, ids)).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
  await expect(services.call(editMedia, tenant.actor, { ...ids, expectedVersion: 2, alt: "x" })).rejects.toMatchObject({
    code: "INVALID_TRANSITION",
  });
  expect(await services.call(restoreMedia, tenant.actor, ids)).toMatchObject({ version: 3, deletedAt: null });
  await expect(services.call(restoreMedia, tenant.actor, ids)).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
  expect([await listed(false), await listed(true)]).toEqual([[media.id], []]);
});

test("an image is removed for good only from the trash, and its room is free at once", async () => {
  const tenant = await services.makeTenant();
  const media = await add(tenant);
  const ids = { websiteId: tenant.website.id, mediaId: media.id };
  await expect(services.call(purgeMedia, tenant.actor, ids)).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
  await services.call(deleteMedia, tenant.actor, ids);
  const key = `${tenant.website.id}/${media.id}.png`;
  expect(services.files.has(key)).toBe(true);
  await services.call(purgeMedia, tenant.actor, ids);
  expect(services.files.has(key)).toBe(false);
  expect(await services.platform.mediaFiles.totals(tenant.workspace.id)).toEqual(new Map());
  await expect(services.call(restoreMedia, tenant.actor, ids)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("lists go newest first, can be narrowed by name, and page by cursor", async () => {
  const tenant = await services.makeTenant();
  for (const filename of ["one.png", "two.png", "three.png"]) {
    await add(tenant, { filename, bytes: another() });
    services.pass(1);
  }
  const page = (input: Record<string, unknown>) => services.call(listMedia, tenant.actor, { ...at(tenant), ...input });
  const first = await page({ limit: 2 });
  expect(first.items.map(({ filename }) => filename)).toEqual(["three.png", "two.png"]);
  const second = await page({ limit: 2, cursor: first.nextCursor });
  expect(second).toMatchObject({ items: [{ filename: "one.png" }], nextCursor: null });
  expect((await page({ nameContains: "TWO" })).items.map(({ filename }) => filename)).toEqual(["two.png"]);
});

test("contributors upload and change nothing else; a tool deletes only where deleting is allowed", async () => {
  const tenant = await services.makeTenant();
  const contributor = await tenant.addMember("contributor");
  const media = await add(tenant, {}, contributor);
  const ids = { ...at(tenant), mediaId: media.id };
  await expect(services.call(editMedia, contributor, { ...ids, expectedVersion: 1, alt: "x" })).rejects.toMatchObject({
    code: "INSUFFICIENT_ROLE",
  });
  await expect(services.call(deleteMedia, contributor, ids)).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
  const [careful, trusted] = [await toolOf(services, tenant.owner.id), await toolOf(services, tenant.owner.id, { allowDelete: true })];
  await expect(services.call(deleteMedia, careful, ids)).rejects.toMatchObject({
    code: "GRANT_FORBIDS",
  });
  await expect(services.call(deleteMedia, trusted, ids)).resolves.toBeDefined();
});

test("an image of another website is not found", async () => {
  const [mine, theirs] = [await services.makeTenant(), await services.makeTenant()];
  const media = await add(theirs);
  const ids = { ...at(mine), mediaId: media.id };
  for (const call of [
    () => services.call(getMedia, mine.actor, ids),
    () => services.call(editMedia, mine.actor, { ...ids, expectedVersion: 1, alt: "x" }),
    () => services.call(deleteMedia, mine.actor, ids),
    () => services.call(restoreMedia, mine.actor, ids),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});

test("unused images are those that no post shows and that are nobody's portrait", async () => {
  const tenant = await services.makeTenant();
  const [cover, portrait, free] = [
    await add(tenant, { bytes: another() }),
    await add(tenant, { bytes: another() }),
    await add(tenant, { bytes: another() }),
  ];
  await services.call(createPost, tenant.actor, { ...at(tenant), title: "Shows it", coverMediaId: cover.id });
  await services.call(createTerm, tenant.actor, { ...at(tenant), kind: "author", name: "Ann", profile: { avatarMediaId: portrait.id } });
  const { items } = await services.call(listMedia, tenant.actor, { ...at(tenant), unused: true });
  expect(items.map(({ id }) => id)).toEqual([free.id]);
});
