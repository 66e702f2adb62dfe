import { beforeEach, expect, test } from "vitest";
import type { Media } from "#domain/media";
import { mediaKey, mediaUrl } from "#domain/media-address";
import { MINUTE } from "#domain/time";
import { addMedia } from "#operations/media/add-media";
import { deleteMedia } from "#operations/media/delete-media";
import { purgeMedia } from "#operations/media/purge-media";
import { execute } from "#operations/kernel/execute";
import type { Services } from "#operations/kernel/services";
import type { ContentStore } from "#ports/content-store";
import type { ImageStore } from "#ports/image-store";
import type { MediaLedger } from "#ports/media-ledger";
import { buildMedia, testId } from "#test/builders";
import { distinctImage } from "#test/images";
import { onBothEngines } from "#test/on-both-engines";
import type { Tenant } from "#test/services";
import { oneStore } from "#test/one-store";
import { recordFiles } from "./record-files.ts";
import { settleFiles } from "./settle-files.ts";

await onBothEngines((services) => {
  let tenant: Tenant;
  let uploads = 0;
  beforeEach(async () => {
    tenant = await services.makeTenant();
  });
  const content = () => services.contentOf(tenant.website);
  const ids = () => ({ websiteId: tenant.website.id });
  const upload = (through: Services = services) =>
    execute(through, addMedia, tenant.actor, { ...ids(), bytes: distinctImage(++uploads), filename: "dot.gif" });
  const filesOf = () => [...services.files.keys()].filter((key) => key.startsWith(tenant.website.id));
  const total = async () => (await services.platform.mediaFiles.totals(tenant.workspace.id)).get(tenant.website.id) ?? 0;
  const records = async () => (await content().media.list(tenant.website.id, { after: null, limit: 99 })).rows.map(({ id }) => id);
  const ledger = (id: string) => services.platform.mediaFiles.get(tenant.website.id, id as Media["id"]);

  /** A process that dies at this step: neither the step, or nothing after it, happens. */
  function dying({ images = {}, media = {}, files = {} }: Steps): Services {
    const disk = services.images.of("disk");
    return {
      ...services,
      platform: { ...services.platform, mediaFiles: { ...services.platform.mediaFiles, ...files } },
      images: { current: "disk", names: ["disk"], of: () => ({ ...disk, ...images }) },
      contents: oneStore({ ...content(), media: { ...content().media, ...media } }),
    };
  }
  interface Steps {
    images?: Partial<ImageStore>;
    media?: Partial<ContentStore["media"]>;
    files?: Partial<MediaLedger>;
  }
  const killed = () => Promise.reject(new Error("killed"));

  test.each([
    ["before the bytes", () => ({ images: { put: killed }, files: { leave: killed } }), 0],
    [
      "after the bytes",
      () => ({
        images: {
          put: async (...file) =>
            services.images
              .of("disk")
              .put(...file)
              .then(killed),
        },
        files: { leave: killed },
      }),
      0,
    ],
    ["before the record", () => ({ media: { insert: killed } }), 0],
    ["after the record", () => ({ media: { insert: async (media: Media) => content().media.insert(media).then(killed) } }), 1],
    ["before it is kept", () => ({ files: { keep: killed } }), 1],
  ] satisfies [string, () => Steps, number][])("an upload that dies %s leaves a whole image or nothing", async (_, steps, images) => {
    await expect(upload(dying(steps()))).rejects.toThrow("killed");
    await settleFiles(services);
    expect(await total()).toBeGreaterThan(0);
    services.pass(11 * MINUTE);
    await settleFiles(services);
    const there = await records();
    expect([there.length, filesOf().length]).toEqual([images, images]);
    if (images === 0) expect(await total()).toBe(0);
    else expect(await ledger(there[0]!)).toMatchObject({ state: "kept" });
  });

  test.each([
    ["before the record went", () => ({ media: { delete: killed } }), 1],
    [
      "after the record went",
      () => ({
        media: {
          delete: async (...record) =>
            content()
              .media.delete(...record)
              .then(killed),
        },
      }),
      0,
    ],
    ["before the bytes went", () => ({ images: { delete: killed } }), 0],
    ["before the ledger forgot it", () => ({ files: { remove: killed } }), 0],
  ] satisfies [string, () => Steps, number][])("a removal that dies %s is brought to its end", async (_, steps, images) => {
    const { id } = await upload();
    await services.call(deleteMedia, tenant.actor, { ...ids(), mediaId: id });
    await execute(dying(steps()), purgeMedia, tenant.actor, { ...ids(), mediaId: id }).catch(() => null);
    services.pass(11 * MINUTE);
    await settleFiles(services);
    expect([filesOf().length, (await ledger(id)) === null ? 0 : 1]).toEqual([images, images]);
    if (images) await services.call(purgeMedia, tenant.actor, { ...ids(), mediaId: id });
    expect([filesOf(), await ledger(id)]).toEqual([[], null]);
  });

  test("while the content does not answer nothing is decided", async () => {
    await expect(upload(dying({ media: { insert: killed } }))).rejects.toThrow("killed");
    services.pass(11 * MINUTE);
    expect(await settleFiles(dying({ media: { get: killed } }))).toBe(0);
    expect(filesOf()).toHaveLength(1);
    services.pass(11 * MINUTE);
    await settleFiles(services);
    expect(filesOf()).toEqual([]);
  });

  const walk = async () => {
    for (let next = await recordFiles(services, content()); next;) next = await recordFiles(services, content(), next);
  };

  test("what a version without a ledger left is read and recorded once, and what it removed is forgotten", async () => {
    const bytes = distinctImage(++uploads);
    const old = async (n: number, more: Partial<Media> = {}) => {
      const key = mediaKey(tenant.website.id, testId("media", n), "gif");
      await services.images.of("disk").put(key, bytes, "image/gif");
      const media = buildMedia(n, { ...ids(), contentType: "image/gif", url: mediaUrl(key), bytes: 999_999, ...more });
      await content().media.insert(media);
      return media;
    };
    const shown = await old(1);
    const trashed = await old(2, { deletedAt: buildMedia(1).createdAt });
    const unchecked = await old(3, { metadata: "unchecked" });
    const missing = await old(4);
    await services.images.of("disk").delete(mediaKey(tenant.website.id, missing.id, "gif"));
    await walk();
    const { sha256 } = (await ledger(shown.id))!;
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await ledger(shown.id)).toMatchObject({ state: "kept", store: "disk", trashed: false, bytes: bytes.byteLength });
    expect(await ledger(trashed.id)).toMatchObject({ trashed: true, sha256 });
    expect([await ledger(unchecked.id), await ledger(missing.id)]).toEqual([null, null]);
    expect(await total()).toBe(2 * bytes.byteLength);

    // A node of the version before takes one out of the trash and removes the other with its file.
    await content().media.save({ ...trashed, version: 2, deletedAt: null });
    await content().media.delete(tenant.website.id, shown.id, 1);
    await services.images.of("disk").delete(mediaKey(tenant.website.id, shown.id, "gif"));
    await walk();
    expect(await ledger(trashed.id)).toMatchObject({ trashed: false });
    expect(await ledger(shown.id)).toBeNull();
  });

  test("files whose records are missing stay: the database that was set may only be the wrong one", async () => {
    const { id } = await upload();
    await content().media.delete(tenant.website.id, id, 1);
    await walk();
    services.pass(60 * MINUTE);
    await settleFiles(services);
    expect(filesOf()).toHaveLength(1);
    expect(await ledger(id)).toMatchObject({ state: "kept" });
  });

  test("a file stays in the store that it lies in, however many files of a website that moved come before it; nobody else's database or bucket is asked", async () => {
    const [moved, { websites, homes }] = [tenant.website, services.platform];
    await homes.pause(moved.id, 10);
    expect(await homes.move((await websites.get(moved.id))!, "own")).toBe(true);
    await services.database.query({
      text: `INSERT INTO media_files SELECT $1, 'media_' || n, 'image/gif', 1, 'ab', 'disk', 'kept', false, now() FROM generate_series(1, 1001) AS n`,
      values: [moved.id],
    });
    services.pass(MINUTE);
    tenant = await services.makeTenant();
    expect(tenant.website.id > moved.id).toBe(true);
    const { id } = await upload();
    await services.database.query({ text: "UPDATE media_files SET store = 's3' WHERE media_id = $1", values: [id] });
    const troubles = services.troubles.length;
    const walkFrom = (websiteId: typeof moved.id) =>
      recordFiles(dying({ images: { size: killed } }), content(), { websiteId, id: "" as Media["id"] });
    await walkFrom(moved.id);
    expect(await ledger(id)).toMatchObject({ store: "s3", state: "kept" });
    // A file without a record, in the bucket of its website's owner.
    await content().media.delete(tenant.website.id, id, 1);
    await services.database.query({ text: "UPDATE media_files SET store = 'own' WHERE media_id = $1", values: [id] });
    await walkFrom(tenant.website.id);
    expect(services.troubles.slice(troubles)).toEqual([]);
  });
});
