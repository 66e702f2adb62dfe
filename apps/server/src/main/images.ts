import { randomUUID } from "node:crypto";
import { createGuardedClient } from "#adapters/guarded-fetch/client";
import { openS3Images } from "#adapters/s3-images/s3-images";
import type { S3Address } from "#adapters/s3-images/s3-request";
import { fail } from "#domain/failure";
import { imageWith } from "#domain/probe-image";
import type { WebsiteId } from "#domain/ids";
import type { StoreName } from "#domain/media-file";
import type { Clock } from "#domain/time";
import { checkSteps, STEP_WORDS } from "#operations/stores/helpers/check-images";
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
export function imageStores(disk: ImageStore, bucket: ImageStore | null, own: (websiteId: WebsiteId) => ImageStore): ImageStores {
  return {
    current: bucket ? "s3" : "disk",
    names: bucket ? ["disk", "s3"] : ["disk"],
    of(name: StoreName, websiteId?: WebsiteId) {
      if (name === "disk") return disk;
      if (name === "own") return own(websiteId!);
      if (bucket) return bucket;
      throw fail("UNAVAILABLE", "The image storage is not available right now. Nothing was lost; its operator must set MEDIA_URL again.");
    },
  };
}

/** The same stores; with a file that is deleted go the variants that were made of it. */
export const withoutVariants = (stores: ImageStores, variants: VariantFiles): ImageStores => ({
  ...stores,
  of(name: StoreName, websiteId?: WebsiteId) {
    const store = stores.of(name, websiteId!);
    return {
      ...store,
      async delete(key) {
        await variants.forget(key);
        await store.delete(key);
      },
    };
  },
});

/** Writes, reads, lists and deletes a small image. Answers the step that failed and why, in words for the operator; null when all went well. */
export async function checkImages(images: ImageStore): Promise<string | null> {
  const folder = "stet-check/";
  const key = `${folder}${randomUUID()}.gif`;
  const fault = await checkSteps(images, { key, folder, bytes: imageWith(Buffer.from(key)), contentType: "image/gif" });
  return fault && `${STEP_WORDS[fault.step]} failed: ${fault.reason}`;
}
