import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDiskImages } from "#adapters/disk-images/disk-images";
import { createGuardedClient } from "#adapters/guarded-fetch/client";
import { parseS3Address } from "#adapters/s3-images/s3-address";
import { openS3Images } from "#adapters/s3-images/s3-images";
import type { S3Address } from "#adapters/s3-images/s3-request";
import { withPart } from "#test/parts";
import { givenS3, versitygw, type S3Server } from "#test/s3";
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

  test.each([
    ["another secret", { secretAccessKey: "wrong" }, /SignatureDoesNotMatch/],
    ["another key", { accessKeyId: "wrong" }, /InvalidAccessKeyId|XAdminUserNotFound/],
    ["another region", { region: "us-west-9" }, /AuthorizationHeaderMalformed/],
    ["another bucket", { bucket: "no-such-bucket" }, /NoSuchBucket/],
  ] satisfies [string, Partial<S3Address>, RegExp][])(
    "%s is refused in words for the operator, and the secret is in none of them",
    async (_, change, code) => {
      const failure = (await open(started.url, change)
        .put("site_1/media_1.png", new Uint8Array(3), "image/png")
        .catch((error: unknown) => error)) as Error;
      expect(failure).toMatchObject({ code: "UNAVAILABLE" });
      expect((failure.cause as Error).message).toMatch(code);
      expect(JSON.stringify([failure.message, String(failure.cause), (failure.cause as Error).stack])).not.toContain("CRET");
    },
  );
}

const given = givenS3();
if (given) withPart("the S3 server of STET_TEST_S3", given, inBuckets);
withPart("versitygw 1.8", versitygw.find(), inBuckets);
