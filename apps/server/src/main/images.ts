import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createGuardedClient } from "#adapters/guarded-fetch/client";
import { openS3Images } from "#adapters/s3-images/s3-images";
import type { S3Address } from "#adapters/s3-images/s3-request";
import { fail } from "#domain/failure";
import type { Clock } from "#domain/time";
import type { ImageStore, ImageStores } from "#ports/image-store";
import type { VariantFiles } from "#ports/variant-files";

/**
 * The bucket that MEDIA_URL names. The operator chose its address, as that of the database: it may lie in a private network, without
 * networks being opened for what customers name.
 */
export function openBucket(address: S3Address, clock: Clock): { images: ImageStore; close(): void } {
  const client = createGuardedClient({ privateTargets: true });
  return { images: openS3Images({ address, client, clock }), close: () => client.close() };
}

/** New files go to the bucket where there is one. Those that lie on the disk are read there until they are moved. */
export function imageStores(disk: ImageStore, bucket: ImageStore | null): ImageStores {
  return {
    current: bucket ? "s3" : "disk",
    names: bucket ? ["disk", "s3"] : ["disk"],
    of(name) {
      if (name === "disk") return disk;
      if (bucket) return bucket;
      throw fail("UNAVAILABLE", "The image storage is not available right now. Nothing was lost; its operator must set MEDIA_URL again.");
    },
  };
}

/** The same stores; with a file that is deleted go the variants that were made of it. */
export const withoutVariants = (stores: ImageStores, variants: VariantFiles): ImageStores => ({
  ...stores,
  of(name) {
    const store = stores.of(name);
    return {
      ...store,
      async delete(key) {
        await variants.forget(key);
        await store.delete(key);
      },
    };
  },
});

/** How long the check of a bucket may take, in milliseconds. */
const CHECK_MILLIS = 10_000;

/** Writes, reads, lists and deletes a small file. Answers the step that failed and why, in words for the operator; null when all went well. */
export async function checkImages(images: ImageStore): Promise<string | null> {
  const key = `stet-check/${randomUUID()}.txt`;
  const bytes = Buffer.from(key);
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["Writing a file", () => images.put(key, bytes, "text/plain")],
    ["Reading it back", async () => requireSame(await images.get(key), bytes)],
    ["Reading a part of it", async () => requireSame(await wholeOf(images.read(key, 1, 4)), bytes.subarray(1, 5))],
    ["Listing files", async () => requireListed(images.list("stet-check/"), key)],
    ["Deleting it", () => images.delete(key)],
  ];
  const late = delay(CHECK_MILLIS, "late" as const, { ref: false });
  for (const [step, run] of steps) {
    try {
      if ((await Promise.race([run(), late])) === "late") return `${step} took more than ${CHECK_MILLIS / 1_000} seconds.`;
    } catch (error) {
      const { cause, message } = error as Error;
      void images.delete(key).catch(() => {});
      return `${step} failed: ${cause instanceof Error ? cause.message : message}`;
    }
  }
  return null;
}

async function wholeOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

function requireSame(found: Uint8Array | null, expected: Uint8Array): void {
  if (!found || Buffer.compare(found, expected) !== 0) throw new Error("what came back is not what was written.");
}

async function requireListed(keys: AsyncIterable<string>, key: string): Promise<void> {
  for await (const listed of keys) if (listed === key) return;
  throw new Error("the file that was written is not in the list.");
}
