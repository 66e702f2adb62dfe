import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CloudinaryAddress } from "#adapters/cloudinary-images/cloudinary-address";
import { openCloudinaryImages } from "#adapters/cloudinary-images/cloudinary-images";
import { openDiskImages } from "#adapters/disk-images/disk-images";
import { createGuardedClient } from "#adapters/guarded-fetch/client";
import { parseS3Address } from "#adapters/s3-images/s3-address";
import { openS3Images } from "#adapters/s3-images/s3-images";
import type { S3Address } from "#adapters/s3-images/s3-request";
import { checkImages } from "#main/images";
import { type FakeSettings, startFakeCloudinary } from "#test/fake-cloudinary";
import { imageBytes } from "#test/images";
import { withPart } from "#test/parts";
import { givenS3, s3sFs, versitygw, type S3Server } from "#test/s3";
import { imageStoreContract } from "./image-store-contract/index.ts";

describe("on disk", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "stet-images-"));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  imageStoreContract("a folder", () => openDiskImages(folder));
});

function inBuckets(server: S3Server): void {
  // Names of the tests' own buckets are on this machine.
  const client = createGuardedClient({ privateTargets: true, resolve: async () => [{ address: "127.0.0.1", family: 4 }] });
  let started: Awaited<ReturnType<S3Server["start"]>>;
  beforeAll(async () => {
    started = await server.start();
  });
  afterAll(async () => {
    client.close();
    await started.stop();
  });
  const addressOf = (url: string, change: Partial<S3Address> = {}): S3Address => {
    const address = parseS3Address(url);
    if (typeof address === "string") throw new Error(address);
    return { ...address, ...change };
  };
  const open = (url: string, change: Partial<S3Address> = {}) =>
    openS3Images({ address: addressOf(url, change), client, clock: () => new Date(), keysAPage: 5 });

  imageStoreContract("a bucket, path style", () => open(started.url));
  imageStoreContract("a bucket, virtual-host style", () => open(started.hostUrl ?? started.url));

  const refusals: readonly [string, Partial<S3Address>, RegExp][] = [
    ["another secret", { secretAccessKey: "wrong" }, /SignatureDoesNotMatch/],
    ["another key", { accessKeyId: "wrong" }, /InvalidAccessKeyId|XAdminUserNotFound|NotSignedUp/],
    ["another region", { region: "us-west-9" }, /AuthorizationHeaderMalformed/],
    ["another bucket", { bucket: "no-such-bucket" }, /NoSuchBucket/],
  ];
  const refused = refusals.filter(([, change]) => !server.ignores.some((name) => name in change));
  test.each(refused)("%s is refused in words for the operator, and the secret is in none of them", async (_, change, code) => {
    const failure = (await open(started.url, change)
      .put("site_1/media_1.png", new Uint8Array(3), "image/png")
      .catch((error: unknown) => error)) as Error;
    expect(failure).toMatchObject({ code: "UNAVAILABLE" });
    expect((failure.cause as Error).message).toMatch(code);
    expect(JSON.stringify([failure.message, String(failure.cause), (failure.cause as Error).stack])).not.toContain("CRET");
  });
}

const given = givenS3();
if (given) withPart("the S3 server of STET_TEST_S3", given, inBuckets);
withPart("versitygw 1.8", versitygw.find(), inBuckets);
if (process.env.STET_SOAK) withPart(s3sFs.name, s3sFs.find(), inBuckets);

describe("on a fake of Cloudinary, whose signatures the official SDK checks", async () => {
  const client = createGuardedClient({ privateTargets: ["127.0.0.1"] });
  const fakes: Awaited<ReturnType<typeof startFakeCloudinary>>[] = [];
  afterAll(() => {
    client.close();
    for (const fake of fakes) fake.stop();
  });
  const start = async (settings: FakeSettings = {}) => {
    const fake = await startFakeCloudinary(settings);
    fakes.push(fake);
    return (change: Partial<CloudinaryAddress> = {}) =>
      openCloudinaryImages({ address: { ...fake.address, ...change }, client, clock: () => new Date(), keysAPage: 5 });
  };
  const open = await start();
  imageStoreContract("a cloud", () => open());

  test("images of every format come back to the byte", async () => {
    for (const [name, ending] of [
      ["png", "png"],
      ["jpeg rotated", "jpg"],
      ["webp lossy", "webp"],
      ["avif", "avif"],
      ["gif", "gif"],
    ] as const) {
      await open().put(`site_1/media_${ending}.${ending}`, imageBytes(name), "");
      expect(Buffer.from((await open().get(`site_1/media_${ending}.${ending}`))!).equals(imageBytes(name)), name).toBe(true);
    }
  });

  test("the check of a store passes on it, although it takes images only", async () => {
    expect(await checkImages(open())).toBeNull();
    await expect(open().put("site_1/media_1.txt", Buffer.from("x"), "text/plain")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  test("an account that sends whole files gives the parts that were asked for", async () => {
    const whole = await start({ ignoresRanges: true });
    const bytes = imageBytes("png");
    await whole().put("site_1/media_1.png", bytes, "image/png");
    const parts: Uint8Array[] = [];
    for await (const part of whole().read("site_1/media_1.png", 10, 29)) parts.push(part);
    expect(Buffer.concat(parts).equals(bytes.subarray(10, 30))).toBe(true);
  });

  const put = (images: ReturnType<typeof open>) =>
    images.put("site_1/media_9.png", imageBytes("png"), "image/png").then(
      () => "kept",
      (error: Error) => String((error.cause as Error).message),
    );

  test("an account that changes images as they come in is refused, and so is one that takes them for another format", async () => {
    const grown = await start({ incoming: (bytes) => Buffer.concat([bytes, Buffer.from("x")]) });
    const other = await start({ incoming: () => Buffer.from(imageBytes("gif")) });
    expect(await put(grown())).toContain("changed the image");
    expect(await put(other())).toContain("changed the image");
  });

  test.each([
    ["another secret", { apiSecret: "another-Secret_9" }, "Cloudinary answered 401: the secret is wrong."],
    ["another key", { apiKey: "999999999999999" }, "Cloudinary answered 401: the key or its secret is wrong."],
    ["another cloud", { cloud: "no-such-cloud" }, "Cloudinary answered 401: there is no such cloud, or it was disabled."],
  ])("%s is refused in words for the operator", async (_, change, words) => {
    expect(await put(open(change))).toBe(words);
  });
});
