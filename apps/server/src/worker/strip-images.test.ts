import { beforeEach, expect, test } from "vitest";
import type { Media } from "#domain/media";
import { keyOfMedia } from "#domain/media-file";
import { mediaKey, mediaUrl } from "#domain/media-address";
import { editMedia } from "#operations/media/edit-media";
import { purgeMedia } from "#operations/media/purge-media";
import type { Services } from "#operations/kernel/services";
import type { ImageStore } from "#ports/image-store";
import { buildMedia, testId } from "#test/builders";
import { onBothEngines } from "#test/on-both-engines";
import { photoBytes } from "#test/photos";
import type { Tenant } from "#test/services";
import { stripImages } from "./strip-images.ts";

const PHOTO = photoBytes("progressive jpeg");
const holdsSecrets = (bytes: Uint8Array | undefined) => Buffer.from(bytes!).toString("latin1").toLowerCase().includes("secret");

await onBothEngines((services) => {
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await services.makeTenant();
  });
  const content = () => services.contentOf(tenant.website);
  const disk = services.images.of("disk");
  const onDisk = (change: Partial<ImageStore>): Services["images"] => ({
    current: "disk",
    names: ["disk"],
    of: () => ({ ...disk, ...change }),
  });

  /** As the version before stored it: the file as it was uploaded. */
  async function uploadBefore(n: number, bytes: Uint8Array = PHOTO, more: Partial<Media> = {}): Promise<Media> {
    const id = testId("media", n);
    const key = mediaKey(tenant.website.id, id, "jpg");
    await disk.put(key, bytes, "image/jpeg");
    const media = buildMedia(n, {
      websiteId: tenant.website.id,
      url: mediaUrl(key),
      contentType: "image/jpeg",
      bytes: bytes.byteLength,
      metadata: "unchecked" as const,
      ...more,
    });
    await content().media.insert(media);
    return media;
  }

  /** To the end, as the worker does. */
  async function run(through: Services = services): Promise<void> {
    for (let next = await stripImages(through, content()); next;) next = await stripImages(through, content(), next);
  }
  const stored = ({ id }: Media) => content().media.get(tenant.website.id, id);

  test("files from before lose their metadata, and their records say how many bytes are left; nobody's version changes", async () => {
    const images = [];
    for (let n = 1; n <= 45; n++) images.push(await uploadBefore(n, PHOTO, n % 2 ? {} : { deletedAt: buildMedia(1).createdAt }));
    await run();
    for (const image of images) {
      const bytes = services.files.get(keyOfMedia(image))!;
      expect(holdsSecrets(bytes)).toBe(false);
      expect(await stored(image)).toEqual({ ...image, bytes: bytes.byteLength, metadata: "stripped" });
    }
    expect(services.progress.at(-1)).toContain("0 to go");
    const said = services.progress.length;
    await run();
    expect(services.progress).toHaveLength(said);
  });

  test("one that was killed between the file and its record goes on, and another node meanwhile does nothing", async () => {
    const image = await uploadBefore(1);
    const media = { ...content().media, saveFile: () => Promise.reject(new Error("killed")) };
    let onAnotherNode: unknown = "did not run";
    const dying: Services = {
      ...services,
      images: onDisk({
        async put(...file) {
          const elsewhere = onDisk({ get: () => Promise.reject(new Error("!")) });
          onAnotherNode = await stripImages({ ...services, images: elsewhere }, content());
          await disk.put(...file);
        },
      }),
    };
    await stripImages(dying, { ...content(), media });
    expect(onAnotherNode).toBeNull();
    expect(await stored(image)).toEqual(image);
    await run();
    expect(await stored(image)).toMatchObject({ metadata: "stripped", bytes: services.files.get(keyOfMedia(image))!.byteLength });
  });

  test("a damaged file stays as it is, is told of once, and keeps no other waiting; one that is missing is no trouble", async () => {
    const damaged = await uploadBefore(1, PHOTO.subarray(0, 300));
    const missing = await uploadBefore(2);
    await disk.delete(keyOfMedia(missing));
    const good = await uploadBefore(3);
    const before = services.troubles.length;
    await run();
    await run();
    expect(services.troubles.slice(before)).toEqual([expect.stringContaining(keyOfMedia(damaged))]);
    expect(services.files.get(keyOfMedia(damaged))).toEqual(PHOTO.subarray(0, 300));
    expect([await stored(damaged), await stored(missing), await stored(good)]).toMatchObject([
      { metadata: "unreadable", bytes: 300 },
      { metadata: "stripped", bytes: PHOTO.byteLength },
      { metadata: "stripped" },
    ]);
  });

  test("an image that is edited or purged meanwhile is not set back, and no file stays behind", async () => {
    const ids = { websiteId: tenant.website.id };
    const edited = await uploadBefore(1);
    const purged = await uploadBefore(2, PHOTO, { deletedAt: buildMedia(1).createdAt });
    const meanwhile: Services = {
      ...services,
      images: onDisk({
        async get(key) {
          if (key === keyOfMedia(edited))
            await services.call(editMedia, tenant.actor, { ...ids, mediaId: edited.id, expectedVersion: 1, alt: "Mine" });
          const bytes = await disk.get(key);
          if (key === keyOfMedia(purged)) await services.call(purgeMedia, tenant.actor, { ...ids, mediaId: purged.id });
          return bytes;
        },
      }),
    };
    await run(meanwhile);
    expect(await stored(edited)).toMatchObject({ alt: "Mine", version: 2, metadata: "stripped" });
    expect(await stored(purged)).toBeNull();
    expect(services.files.has(keyOfMedia(purged))).toBe(false);
  });
});
