import type { PostJson } from "@stet/contract";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { Media } from "#domain/media";
import { fail } from "#domain/failure";
import { addMedia } from "#operations/media/add-media";
import { deleteMedia } from "#operations/media/delete-media";
import { createPost } from "#operations/posts/create-post";
import { publishPost } from "#operations/posts/publish-post";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { makeKey, problemOf } from "#test/delivery-node";
import { photoBytes } from "#test/photos";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const tenant = await node.makeTenant();
const { website } = tenant;

const photo = await sharp({ create: { width: 1000, height: 600, channels: 3, background: "#3060a0" } })
  .withExif({ IFD0: { Copyright: "SECRET" } })
  .jpeg()
  .toBuffer();
const add = (bytes: Uint8Array) => node.call(addMedia, tenant.actor, { websiteId: website.id, bytes, filename: "a" });
const get = (url: string, headers: Record<string, string> = {}, method = "GET") => fetch(node.url + url, { headers, method });
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
const shownBy = async (url: string) => {
  const { exif = null, ...metadata } = await sharp(await bytesOf(await get(url))).metadata();
  return { ...metadata, exif };
};
let others = 0;
/** The same picture in other bytes: the same bytes would answer the image that is there. */
const otherPhoto = () =>
  sharp(photo)
    .jpeg({ quality: 50 + others++ })
    .toBuffer();
const { url, id } = await add(photo);

/** Counts what is made; the rest is as it is. */
function counting() {
  const { imageProcessor: images } = node.services;
  const before = images.makeVariant.bind(images);
  const counted = { made: 0, put: () => void Object.assign(images, { makeVariant: before }) };
  Object.assign(images, {
    makeVariant: (...given: Parameters<typeof before>) => {
      counted.made += 1;
      return before(...given);
    },
  });
  return counted;
}

describe("a variant", () => {
  test.each([
    ["?w=320", "webp", 320, 192],
    ["?w=320&fm=jpeg", "jpeg", 320, 192],
    ["?w=640&ar=16:9", "webp", 640, 360],
    ["?fm=webp&ar=3:4&w=480", "webp", 450, 600],
    ["?w=2560", "webp", 1000, 600],
  ])("%s has the pixels and the type that were asked for, and is never enlarged", async (query, format, width, height) => {
    expect(await shownBy(url + query)).toMatchObject({ format, width, height, exif: null });
  });

  test("is served as the image is: for ever, to everyone, and can run nothing", async () => {
    const answer = await get(`${url}?w=160`);
    const body = await bytesOf(answer);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/webp",
      "content-length": String(body.length),
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "cross-origin",
      "accept-ranges": "bytes",
    });
    const etag = answer.headers.get("etag")!;
    expect(etag).toMatch(/^"[^"]+"$/);
    expect((await get(`${url}?w=160`, { "If-None-Match": etag })).status).toBe(304);
    expect((await get(`${url}?w=320`, { "If-None-Match": etag })).status).toBe(200);
    const head = await get(`${url}?w=160`, {}, "HEAD");
    expect([head.headers.get("content-length"), (await bytesOf(head)).length]).toEqual([String(body.length), 0]);
    const part = await get(`${url}?w=160`, { Range: "bytes=10-19", "If-Range": etag });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 10-19/${body.length}`]);
    expect(await bytesOf(part)).toEqual(body.subarray(10, 20));
    // Made now, and answered from memory.
    expect(await bytesOf(await get(`${url}?w=800`, { Range: "bytes=0-3" }))).toEqual(Buffer.from("RIFF"));
  });

  test.each([
    "w=161",
    "w=0",
    "w=",
    "w=1e3",
    "w=320&ar=5:4",
    "w=320&fm=avif",
    "w=320&fm=",
    "ar=1:1",
    "fm=webp",
    "w=320&w=640",
    "w=320&h=2",
    "v=1",
  ])("?%s is refused with 400", async (query) => {
    const answer = await get(`${url}?${query}`);
    expect(answer.status).toBe(400);
    expect(["UNKNOWN_PARAMETER", "INVALID_PARAMETER"]).toContain((await problemOf(answer)).code);
  });

  test("is made once, however many ask for it at the same time, and not again afterwards", async () => {
    const fresh = await add(await otherPhoto());
    const counted = counting();
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(`${fresh.url}?w=480`)));
    const bodies = await Promise.all(answers.map(bytesOf));
    await get(`${fresh.url}?w=480`);
    counted.put();
    expect(counted.made).toBe(1);
    for (const body of bodies) expect(body).toEqual(bodies[0]);
  });

  test("stands upright, shows transparency as white in a JPEG, and keeps an animation as WebP", async () => {
    const turned = await add(photoBytes("progressive jpeg"));
    expect(await shownBy(`${turned.url}?w=160`)).toMatchObject({ width: 21, height: 37, exif: null });
    const clear = await add(
      await sharp({ create: { width: 8, height: 8, channels: 4, background: "#0000" } })
        .png()
        .toBuffer(),
    );
    const jpeg = await bytesOf(await get(`${clear.url}?w=160&fm=jpeg`));
    expect((await sharp(jpeg).raw().toBuffer()).every((part) => part > 250)).toBe(true);
    const moving = await add(photoBytes("animated gif"));
    const { pages = 1 } = await sharp(photoBytes("animated gif")).metadata();
    expect(pages).toBeGreaterThan(1);
    expect(await shownBy(`${moving.url}?w=160`)).toMatchObject({ format: "webp", pages });
    expect(await shownBy(`${moving.url}?w=160&fm=jpeg`)).toMatchObject({ format: "jpeg" });
  });

  test("of an image from before that cannot be decoded is the image itself, for a moment, and is not tried again and again", async () => {
    const fresh = await add(await otherPhoto());
    const key = `${website.id}/${fresh.id}.jpg`;
    await node.services.images.of("disk").put(key, photo.subarray(0, 400), "image/jpeg");
    const counted = counting();
    for (let asked = 0; asked < 3; asked++) {
      const answer = await get(`${fresh.url}?w=640`);
      expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
        200,
        "image/jpeg",
        "public, max-age=60",
      ]);
    }
    counted.put();
    expect(counted.made).toBe(1);
  });

  test("is made as soon as an original that was missing for a moment is there", async () => {
    const fresh = await add(await otherPhoto());
    const [key, disk] = [`${website.id}/${fresh.id}.jpg`, node.services.images.of("disk")];
    const bytes = (await disk.get(key))!;
    await disk.delete(key);
    expect((await get(`${fresh.url}?w=640`)).status).toBe(404);
    await disk.put(key, bytes, "image/jpeg");
    expect((await get(`${fresh.url}?w=640`)).headers.get("content-type")).toBe("image/webp");
  });

  test("is refused with 503 and when to come again while too many wait", async () => {
    const { imageProcessor: images } = node.services;
    const before = images.makeVariant.bind(images);
    Object.assign(images, { makeVariant: () => Promise.reject(fail("UNAVAILABLE", "Too many.", { retryAfterSeconds: 5 })) });
    const answer = await get(`${url}?w=1280`);
    Object.assign(images, { makeVariant: before });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await get(`${url}?w=1280`)).status).toBe(200);
  });

  test("goes with its image", async () => {
    const fresh = await add(await otherPhoto());
    expect((await get(`${fresh.url}?w=160`)).status).toBe(200);
    await node.call(deleteMedia, tenant.actor, { websiteId: website.id, mediaId: fresh.id as Media["id"], expectedVersion: 1 });
    expect((await get(`${fresh.url}?w=160`)).status).toBe(404);
    expect((await get(`/media/${website.id}/${id}.png?w=160`)).status).toBe(404);
  });
});

test("a published post names variants of its cover and of the images in its body, and each has the pixels that it claims", async () => {
  const body = `![Sea](${url})`;
  const post = await node.call(createPost, tenant.actor, { websiteId: website.id, title: "Sea", body, coverMediaId: id });
  await node.call(publishPost, tenant.actor, { websiteId: website.id, postId: post.id, expectedVersion: post.version });
  const key = await makeKey(node.services, tenant);
  const answer = await get("/v1/blog/posts/sea", { Authorization: `Bearer ${key}` });
  const { data } = (await answer.json()) as { data: PostJson };
  expect(data.coverImage).toMatchObject({ width: 1000, height: 600, dominantColor: expect.stringMatching(/^#[0-9a-f]{6}$/) });
  const inBody = /<img src="[^"]+" srcset="([^"]+)" sizes="[^"]+" width="1000" height="600"/.exec(data.body.html!)?.[1];
  // Addresses are absolute, and name the public address of the service.
  expect(inBody).toBe(data.coverImage!.srcset);
  const candidates = inBody!.split(", ").map((candidate) => candidate.split(" ") as [string, string]);
  expect(candidates.map(([, width]) => width)).toEqual(["160w", "320w", "480w", "640w", "800w", "960w", "1000w"]);
  for (const [address, width] of candidates) {
    const { pathname, search } = new URL(address);
    expect(await shownBy(pathname + search)).toMatchObject({ format: "webp", width: Number.parseInt(width, 10) });
  }
});
