import { createHash } from "node:crypto";
import sharp from "sharp";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { openOwnImages } from "#main/own-images";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { type FakeSettings, startFakeCloudinary } from "#test/fake-cloudinary";
import { onWebsite } from "#test/own-images";
import { withPart } from "#test/parts";
import { type S3Server, versitygw } from "#test/s3";

const account: FakeSettings = {};
const fake = await startFakeCloudinary(account);
const ownImages = openOwnImages({ privateTargets: true, clock: () => new Date(), cloudinaryHosts: fake.hosts });
const node = closedAtEnd(await openDashboardNode({ pages: false, ownImages }));
const { services } = node;
afterAll(() => fake.stop());
const open = async () => {
  const tenant = await node.makeTenant();
  return { tenant, ...onWebsite(services, tenant) };
};
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

withPart("versitygw 1.8", versitygw.find(), (server: S3Server) => {
  test("disk, S3, Cloudinary, disk with readers and uploads throughout: every address answers every time with the same bytes", async () => {
    const { call, upload, step, hurry, storeOf } = await open();
    const bucket = await server.start();
    const images: Awaited<ReturnType<typeof upload>>[] = [];
    const add = async () => void images.push(await upload());
    for (let n = 0; n < 12; n++) await add();
    let isMoving = true;
    let reads = 0;
    const wrong: string[] = [];
    const reader = async (first: number) => {
      for (let n = first; isMoving; n++) {
        const { url, bytes } = images[n % images.length]!;
        const answer = await fetch(node.url + url);
        const got = sha256(new Uint8Array(await answer.arrayBuffer()));
        if (answer.status !== 200 || got !== sha256(bytes)) wrong.push(`${url}: ${answer.status}`);
        reads += 1;
      }
    };
    const reading = Promise.all([reader(0), reader(6)]);
    /** Step by step, with an upload and at least one whole round of a reader between two of them. */
    const moveAll = async () => {
      for (let steps = 0; steps < 50; steps++) {
        const seen = reads;
        await hurry();
        await step();
        await add();
        await expect.poll(() => reads).toBeGreaterThan(seen + 2);
        const { move } = await call("get_image_store");
        expect(move?.error).toBeNull();
        if (move?.state === "done") return;
      }
      throw new Error("The move does not end.");
    };
    const everyStore = async () => new Set(await Promise.all(images.map(({ id }) => storeOf(id))));

    for (const address of [bucket.url, fake.url]) {
      await call("connect_image_store", { address });
      await call("activate_image_store");
      await moveAll();
      expect(await everyStore()).toEqual(new Set(["own"]));
      const there = ownImages.open(address);
      for (const { key, bytes } of images) expect(sha256((await there.get(key))!)).toBe(sha256(bytes));
      await call("disconnect_image_store");
      await moveAll();
      expect(await everyStore()).toEqual(new Set(["disk"]));
      expect((await call("get_image_store")).store).toBeNull();
    }
    isMoving = false;
    await reading;
    await bucket.stop();
    expect(wrong).toEqual([]);
    expect(reads).toBeGreaterThan(images.length * 2);
    // Nothing is deleted there by leaving.
    expect(images.filter(({ key }) => fake.files.has(key.replace(".gif", ""))).length).toBeGreaterThanOrEqual(12);
  });
});

test("Cloudinary makes the smaller images where its owner chose so, with the pixels they claim; cropped images are made here", async () => {
  const { call, finish, tenant, here } = await open();
  const bytes = await sharp({ create: { width: 500, height: 300, channels: 3, background: "#357" } })
    .png()
    .toBuffer();
  const image = await call("add_media", { bytes, filename: "wall.png" });
  const { key: apiKey } = await services.call(registry.create_key, tenant.actor, { ...here, name: "Key" });
  const draft = await call("create_post", { title: "Wall", body: `![a](${image.url})`, coverMediaId: image.id });
  await call("publish_post", { postId: draft.id, expectedVersion: draft.version });
  const read = async () => {
    const answer = await fetch(`${node.url}/v1/blog/posts/wall`, { headers: { Authorization: `Bearer ${apiKey}` } });
    const { data } = (await answer.json()) as { data: { coverImage: { url: string; srcset: string }; body: { html: string } } };
    const { url, srcset } = data.coverImage;
    const [, src, set] = /src="([^"]+)" srcset="([^"]+)"/.exec(data.body.html)!;
    expect([src, set]).toEqual([url, srcset]);
    return { url, srcset };
  };
  const ours = await read();
  expect(ours.url).toBe(node.url + image.url);
  let { version } = image;
  const edit = async (change: object) =>
    void ({ version } = await call("edit_media", { mediaId: image.id, expectedVersion: version, ...change }));
  const connect = (usePublicAddress: boolean) => call("connect_image_store", { address: fake.url, usePublicAddress });
  expect((await connect(false)).store).toMatchObject({
    kind: "cloudinary",
    place: "Cloudinary/fake-cloud",
    shown: { region: "us", key: "…2345" },
  });
  await call("activate_image_store");
  await finish();
  expect(await read()).toEqual(ours);

  await connect(true);
  await expect.poll(async () => (await read()).url).toMatch(fake.hosts.delivery);
  const { url, srcset } = await read();
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes)).toBe(true);
  const candidates = srcset.split(", ").map((candidate) => candidate.split(" "));
  expect(candidates.length).toBeGreaterThan(2);
  for (const [address, claimed] of candidates) {
    expect(address).toMatch(fake.hosts.delivery);
    const { width, height } = await sharp(await (await fetch(address!)).arrayBuffer()).metadata();
    expect([`${width}w`, height]).toEqual([claimed, Math.round((width! * 300) / 500)]);
  }
  await edit({ rotation: 90 });
  await expect.poll(async () => (await read()).url).toMatch(node.url);
  expect((await read()).srcset).not.toContain(fake.hosts.delivery);
  await edit({ rotation: 0, focalPoint: { x: 0, y: 0 } });
  await expect.poll(async () => (await read()).url).toBe(url);
  expect((await read()).srcset).not.toContain(fake.hosts.delivery);
  await edit({ focalPoint: null });
  await call("disconnect_image_store");
  expect(await read()).toEqual(ours);
});

test.each([
  ["another secret", {}, (url: string) => url.replace("aFake", "other"), false, "write", "the secret is wrong"],
  ["another cloud", {}, (url: string) => url.replace("fake-cloud", "no-cloud"), false, "write", "there is no such cloud"],
  ["an upload preset", { incoming: (bytes: Buffer) => Buffer.concat([bytes, bytes]) }, String, false, "write", "changed the image"],
  ["strict transformations", { strict: true }, String, true, "public", "answered 401"],
] as const)("the test of an account at Cloudinary names what fails: %s", async (_, settings, wrong, usePublicAddress, step, words) => {
  const { call, tenant } = await open();
  Object.assign(account, settings);
  onTestFinished(() => void Object.assign(account, { incoming: undefined, strict: false }));
  const address = wrong(fake.url);
  const result = await call("test_image_store", { address, usePublicAddress });
  expect(result).toMatchObject({ passed: false, step, problem: expect.stringContaining(words) as string });
  expect(JSON.stringify(result)).not.toMatch(/Secret_0123/);
  expect(result.help).not.toMatch(/s3:|bucket/);
  // Without the choice, nothing is asked of the public address.
  if (step === "public") expect(await call("test_image_store", { address })).toMatchObject({ passed: true });
  await expect.poll(() => [...fake.files.keys()].filter((id) => id.startsWith(tenant.website.id))).toEqual([]);
});
