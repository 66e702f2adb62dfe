import type { PostJson, PublicImage } from "@stet/contract";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { addMedia } from "#operations/media/add-media";
import { editMedia } from "#operations/media/edit-media";
import { createPost } from "#operations/posts/create-post";
import { publishPost } from "#operations/posts/publish-post";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { makeKey } from "#test/delivery-node";
import { photoBytes } from "#test/photos";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const tenant = await node.makeTenant();
const { website } = tenant;

/** Four quarters: red, green; blue, white. */
const quarters = await sharp({ create: { width: 800, height: 400, channels: 3, background: "#fff" } })
  .composite(
    (["#f00", "#0f0", "#00f"] as const).map((background, index) => ({
      input: { create: { width: 400, height: 200, channels: 3, background } },
      left: (index % 2) * 400,
      top: Math.floor(index / 2) * 200,
    })),
  )
  .png()
  .toBuffer();
const add = (bytes: Uint8Array) => node.call(addMedia, tenant.actor, { websiteId: website.id, bytes, filename: "a" });
const image = await add(quarters);
let { version } = image;
async function edit(change: object) {
  const saved = await node.call(editMedia, tenant.actor, { websiteId: website.id, mediaId: image.id, expectedVersion: version, ...change });
  ({ version } = saved);
  return saved;
}
const get = (path: string) => fetch(node.url + path);
const pixelsOf = async (path: string) => sharp(Buffer.from(await (await get(path)).arrayBuffer()));

/** The colours of the corners, clockwise from the top left: r, g, b, w. */
async function cornersOf(path: string): Promise<string> {
  const { data, info } = await (await pixelsOf(path)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const [r = 0, g = 0, b = 0] = data.subarray((y * info.width + x) * info.channels);
    return r > 200 && g > 200 && b > 200 ? "w" : r > 200 ? "r" : g > 200 ? "g" : "b";
  };
  const [right, bottom] = [info.width - 4, info.height - 4];
  return [at(3, 3), at(right, 3), at(right, bottom), at(3, bottom)].join("");
}
const sizeOf = async (path: string) => {
  const { width, height } = await (await pixelsOf(path)).metadata();
  return [width, height];
};

describe("settings of an image", () => {
  test("rotate, crop and choose what stays in sight, under an address of their own", async () => {
    const turned = await edit({ rotation: 90 });
    expect(turned.shownUrl).toBe(image.url.replace(".png", ".1.png"));
    expect([await cornersOf(turned.shownUrl), await sizeOf(turned.shownUrl)]).toEqual(["brgw", [400, 800]]);
    expect(await sizeOf(`${turned.shownUrl}?w=160`)).toEqual([160, 320]);
    const right = await edit({ crop: { x: 0.5, y: 0, width: 0.5, height: 1 } });
    expect([await cornersOf(right.shownUrl), await sizeOf(right.shownUrl)]).toEqual(["wggw", [400, 400]]);
    const whole = await edit({ crop: null, rotation: 0, focalPoint: { x: 1, y: 0.5 } });
    expect(await cornersOf(`${whole.shownUrl}?w=320&ar=1:1`)).toBe("ggww");
    expect(await cornersOf(`${image.url}?w=320&ar=1:1`)).toBe("rgwb");
    // A focal point alone changes no pixels where no ratio is asked for.
    expect(Buffer.from(await (await get(whole.shownUrl)).arrayBuffer())).toEqual(Buffer.from(await (await get(image.url)).arrayBuffer()));
  });

  test("never change what an address answers: not of the image as it was uploaded, not of settings it had before", async () => {
    const bytes = async (path: string) => Buffer.from(await (await get(path)).arrayBuffer()).toString("base64");
    const first = await edit({ focalPoint: null, rotation: 180 });
    const [before, original] = [await bytes(`${first.shownUrl}?w=320`), await bytes(image.url)];
    const second = await edit({ rotation: 270 });
    expect(second.shownUrl).not.toBe(first.shownUrl);
    await node.services.variantFiles.forget(`${website.id}/${image.id}.png`);
    expect([await bytes(`${first.shownUrl}?w=320`), await bytes(image.url)]).toEqual([before, original]);
    const answer = await get(`${first.shownUrl}?w=320`);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    // The same settings again have their number again.
    expect((await edit({ rotation: 180 })).shownUrl).toBe(first.shownUrl);
  });

  test("are served while the database of the content is away", async () => {
    const { shownUrl } = await edit({ rotation: 90, crop: { x: 0, y: 0, width: 0.25, height: 1 } });
    const { contentOf } = node.services;
    Object.assign(node.services, { contentOf: () => ({ media: { get: () => Promise.reject(new Error("away")) } }) });
    expect(await sizeOf(`${shownUrl}?w=320`)).toEqual([320, 160]);
    Object.assign(node.services, { contentOf });
  });

  test.each([".999.png", ".0.png", ".01.png", ".1.1.png", ".1.jpg", ".9999.png", ".-1.png", ".1e1.png"])(
    "an address that ends in %s answers 404",
    async (end) => {
      expect((await get(image.url.replace(".png", end))).status).toBe(404);
    },
  );

  test.each([
    [{ crop: { x: 0.6, y: 0, width: 0.5, height: 1 } }, "crop"],
    [{ crop: { x: 0, y: 0, width: 0, height: 1 } }, "crop"],
    [{ rotation: 45 }, "rotation"],
    [{ focalPoint: { x: 1.1, y: 0 } }, "focalPoint.x"],
  ])("%j is refused in words", async (change, field) => {
    await expect(edit(change)).rejects.toMatchObject({ code: "VALIDATION_FAILED", errors: [{ field }] });
  });

  test("a GIF can have a focal point, and is not cropped or rotated: it may move", async () => {
    const gif = await add(photoBytes("animated gif"));
    const change = (fields: object) =>
      node.call(editMedia, tenant.actor, { websiteId: website.id, mediaId: gif.id, expectedVersion: 1, ...fields });
    await expect(change({ rotation: 90 })).rejects.toMatchObject({ errors: [{ field: "rotation" }] });
    expect(await change({ focalPoint: { x: 0, y: 0 } })).toMatchObject({ edit: { focalPoint: { x: 0, y: 0 } } });
  });
});

test("a post shows the edited image, readers get it with the next request, and every candidate has the pixels that it claims", async () => {
  await edit({ crop: null, rotation: 0, focalPoint: null });
  const body = `![Quarters](${image.url})`;
  const post = await node.call(createPost, tenant.actor, { websiteId: website.id, title: "Quarters", body, coverMediaId: image.id });
  await node.call(publishPost, tenant.actor, { websiteId: website.id, postId: post.id, expectedVersion: post.version });
  const key = await makeKey(node.services, tenant);
  const read = async () => {
    const answer = await fetch(`${node.url}/v1/blog/posts/quarters`, { headers: { Authorization: `Bearer ${key}` } });
    return ((await answer.json()) as { data: PostJson }).data;
  };
  expect((await read()).coverImage).toMatchObject({ width: 800, height: 400, focalPoint: null });
  await edit({ crop: { x: 0.25, y: 0, width: 0.5001, height: 0.9 }, rotation: 90, focalPoint: { x: 0.5, y: 0.2 } });
  const { coverImage, body: shown } = await read();
  const { url, width, height, srcset, focalPoint } = coverImage as PublicImage;
  expect({ width, height, focalPoint }).toEqual({ width: 360, height: 400, focalPoint: { x: 0.7778, y: 0.4999 } });
  expect(await sizeOf(new URL(url).pathname)).toEqual([360, 400]);
  expect(shown.html).toContain(`<img src="${url}" srcset="${srcset}" sizes="(min-width: 360px) 360px, 100vw" width="360" height="400"`);
  for (const [address, claimed] of srcset!.split(", ").map((candidate) => candidate.split(" ") as [string, string])) {
    const { pathname, search } = new URL(address);
    const [across, down] = await sizeOf(pathname + search);
    expect([`${across}w`, down]).toEqual([claimed, Math.round((across! * 400) / 360)]);
  }
});
