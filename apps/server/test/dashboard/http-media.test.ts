import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { registry } from "#operations/registry";
import { problemOf, sendRaw } from "#test/delivery-node";
import { plansWith } from "#domain/plans";
import type { MediaId } from "#domain/ids";
import { distinctImage, IMAGES } from "#test/images";
import { PHOTOS } from "#test/photos";

const PNG = Buffer.from(IMAGES.png, "base64");
const node = closedAtEnd(await openDashboardNode({ pages: false, plans: plansWith({ free: { storageBytes: 300 } }) }));
const tenant = await node.makeTenant();
const cookie = await node.signIn(tenant.owner);

interface Uploaded {
  id: string;
  url: string;
}
const upload = (
  bytes: Uint8Array<ArrayBuffer> | string,
  options: { query?: string; type?: string; cookie?: string; websiteId?: string } = {},
) =>
  node.fetch(`/api/websites/${options.websiteId ?? tenant.website.id}/media?${options.query ?? "fileName=a.png&alt=A%20square"}`, {
    method: "POST",
    cookie: options.cookie ?? cookie,
    headers: { "Content-Type": options.type ?? "image/png" },
    body: bytes,
  });
const uploaded = async (): Promise<Uploaded> => ((await (await upload(PNG)).json()) as { data: Uploaded }).data;

test("the body is the image; what it is, the bytes say and not the declared type", async () => {
  const answer = await upload(PNG, { type: "text/html" });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    data: { filename: "a.png", alt: "A square", contentType: "image/png", width: 37, height: 21, bytes: PNG.length },
  });
});

test("what is no image, too large, without room, or not allowed is refused with the reason", async () => {
  const svg = await upload("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>");
  expect([svg.status, (await problemOf(svg)).detail]).toEqual([415, expect.stringContaining("SVG")]);
  expect((await upload("<!doctype html><script>alert(1)</script>")).status).toBe(415);
  expect((await upload(PNG.subarray(0, 12))).status).toBe(422);
  expect((await upload(PNG, { query: "fileName=..%2Fa.png" })).status).toBe(422);
  const large = await upload(Buffer.alloc(20 * 1024 * 1024 + 1));
  expect([large.status, (await problemOf(large)).code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  expect((await upload(PNG, { cookie: "" })).status).toBe(401);
  expect((await upload(PNG, { cookie: await node.signIn((await node.makeTenant()).owner) })).status).toBe(404);
  const small = await node.makeTenant({ plan: "free" });
  const smallCookie = await node.signIn(small.owner);
  const send = (n: number) => upload(distinctImage(n), { cookie: smallCookie, websiteId: small.website.id });
  for (let n = 1; n <= 4; n++) expect((await send(n)).status).toBe(200);
  expect(await problemOf(await send(5))).toMatchObject({ code: "PLAN_LIMIT" });
});

test("an image is served to everyone as what it is, for ever, and can run nothing", async () => {
  const { url } = await uploaded();
  const answer = await fetch(node.url + url);
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "image/png",
    "content-length": String(PNG.length),
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
    "cache-control": "public, max-age=31536000, immutable",
    "cross-origin-resource-policy": "cross-origin",
  });
  const etag = answer.headers.get("ETag")!;
  expect((await fetch(node.url + url, { headers: { "If-None-Match": etag } })).status).toBe(304);
  const head = await fetch(node.url + url, { method: "HEAD" });
  expect([head.headers.get("Content-Length"), await head.text()]).toEqual([String(PNG.length), ""]);
  expect((await fetch(node.url + url, { method: "POST" })).status).toBe(405);
});

test("a photo is stored and served without where it was taken, by whom and with what", async () => {
  const { website, owner } = await node.makeTenant();
  const photo = Buffer.from(PHOTOS["progressive jpeg"], "base64");
  const answer = await upload(photo, { cookie: await node.signIn(owner), websiteId: website.id });
  const { url, bytes } = ((await answer.json()) as { data: Uploaded & { bytes: number } }).data;
  const served = Buffer.from(await (await fetch(node.url + url)).arrayBuffer());
  expect(served.toString("latin1")).not.toMatch(/secret|GPS|Exif\0\0MM/i);
  expect(served.byteLength).toBe(bytes);
  expect(bytes).toBeLessThan(photo.byteLength);
});

test("a file whose end cannot be found is refused, because what it holds beside the picture cannot be removed", async () => {
  const photo = Buffer.from(PHOTOS.png, "base64");
  const answer = await upload(photo.subarray(0, -20));
  expect([answer.status, (await problemOf(answer)).errors]).toEqual([
    422,
    [{ field: "bytes", message: expect.stringContaining("damaged or cut off") }],
  ]);
});

test("until a photo from before is stripped, caches keep it for a minute; then it has another ETag and is kept for ever", async () => {
  const { id, url } = await uploaded();
  const headersOf = async (etag = "") => {
    const answer = await fetch(node.url + url, { headers: { "If-None-Match": etag } });
    return { status: answer.status, etag: answer.headers.get("ETag")!, cache: answer.headers.get("Cache-Control") };
  };
  const content = node.services.contentOf(tenant.website);
  const ref = { websiteId: tenant.website.id, id: id as MediaId };
  await content.media.saveFile(ref, { bytes: PNG.length, metadata: "unchecked" });
  await node.services.platform.mediaFiles.remove(ref.websiteId, ref.id);
  // As nodes hear it from the database.
  await node.services.signals.tellHere({ topic: "files", id: ref.websiteId });
  const before = await headersOf();
  expect(before.cache).toBe("public, max-age=60");
  await content.media.saveFile(ref, { bytes: PNG.length, metadata: "stripped" });
  expect(await headersOf(before.etag)).toMatchObject({ status: 200, cache: "public, max-age=31536000, immutable" });
});

test("a part can be asked for", async () => {
  const { url } = await uploaded();
  const part = async (range: string) => {
    const answer = await fetch(node.url + url, { headers: { Range: range } });
    return [answer.status, answer.headers.get("Content-Range"), (await answer.arrayBuffer()).byteLength];
  };
  const size = PNG.length;
  expect(await part("bytes=0-3")).toEqual([206, `bytes 0-3/${size}`, 4]);
  expect(await part("bytes=10-")).toEqual([206, `bytes 10-${size - 1}/${size}`, size - 10]);
  expect(await part("bytes=-5")).toEqual([206, `bytes ${size - 5}-${size - 1}/${size}`, 5]);
  expect(await part("bytes=5-99999")).toEqual([206, `bytes 5-${size - 1}/${size}`, size - 5]);
  expect(await part(`bytes=${size}-`)).toEqual([416, `bytes */${size}`, 0]);
  for (const ignored of ["bytes=5-2", "bytes=0-1,3-4", "lines=0-1", "bytes=-"]) expect(await part(ignored)).toEqual([200, null, size]);
});

test("what was put into the trash is gone, and back when it is restored", async () => {
  const { id: mediaId, url } = await uploaded();
  const ids = { websiteId: tenant.website.id, mediaId };
  await node.rpc(cookie, "delete_media", ids);
  expect((await fetch(node.url + url)).status).toBe(404);
  await node.rpc(cookie, "restore_media", ids);
  expect((await fetch(node.url + url)).status).toBe(200);
});

test("no name leads out of the store, to another ending or to another website's image", async () => {
  const { id, url } = await uploaded();
  const other = await node.makeTenant();
  for (const path of [
    url.replace(".png", ".html"),
    url.replace(".png", ".png.html"),
    `${url}/`,
    `/media/${other.website.id}/${id}.png`,
    `/media/${tenant.website.id}/..%2f..%2fsecret.txt`,
    "/media/",
    "/media",
  ]) {
    expect((await fetch(node.url + path)).status, path).toBe(404);
  }
  const port = Number(new URL(node.url).port);
  for (const path of ["/media/../../../etc/passwd", "/assets/../../../etc/passwd", `/media/${tenant.website.id}/../../x`]) {
    const answer = await sendRaw(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer, path).toMatch(/^HTTP\/1\.1 404/);
    expect(answer).not.toContain("root:");
  }
});

test("images are served while the database of the content is down, and none of the trash", async () => {
  const [shown, trashed] = await Promise.all(
    [11, 12].map(async (n) => ((await (await upload(distinctImage(n))).json()) as { data: Uploaded }).data),
  );
  await node.services.call(registry.delete_media, tenant.actor, { websiteId: tenant.website.id, mediaId: trashed!.id });
  const { media } = node.services.contentOf(tenant.website);
  const { get } = media;
  media.get = () => Promise.reject(new Error("down"));
  const answers = await Promise.all([shown!, trashed!].map(({ url }) => fetch(node.url + url)));
  media.get = get;
  expect(answers.map(({ status }) => status)).toEqual([200, 404]);
  expect(Buffer.from(await answers[0]!.arrayBuffer())).toEqual(Buffer.from(distinctImage(11)));
});

test("of an image that nobody takes, little is read", async () => {
  const { url } = await uploaded();
  const piece = Buffer.alloc(64 * 1024);
  const pieces = 1_024;
  let taken = 0;
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const images = node.services.images.of("disk");
  const before = { ...images };
  Object.assign(images, {
    size: async () => pieces * piece.length,
    async *read() {
      try {
        for (; taken < pieces; taken++) yield piece;
      } finally {
        end();
      }
    },
  } satisfies Partial<typeof images>);
  const socket = connect(Number(new URL(node.url).port), "127.0.0.1");
  socket.write(`GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(socket, "readable");
  socket.destroy();
  await ended;
  Object.assign(images, before);
  expect(taken).toBeLessThan(pieces / 2);
});
