import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseS3Address } from "#adapters/s3-images/s3-address";
import type { S3Address } from "#adapters/s3-images/s3-request";
import { DAY } from "#domain/time";
import { checkImageStore } from "#main/doctor/image-store";
import { imageStores, openBucket } from "#main/images";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { distinctImage } from "#test/images";
import { withPart } from "#test/parts";
import { openTestDatabase } from "#test/postgres";
import { type S3Server, versitygw } from "#test/s3";
import { startService } from "#test/service-process";
import { eraseDeleted } from "#worker/sweeps";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const tenant = await node.makeTenant();

withPart("versitygw 1.8", versitygw.find(), (server: S3Server) => {
  let started: Awaited<ReturnType<S3Server["start"]>>;
  let address: S3Address;
  let bucket: ReturnType<typeof openBucket>;
  beforeAll(async () => {
    started = await server.start();
    address = parseS3Address(started.url) as S3Address;
    bucket = openBucket(address, () => new Date());
  });
  afterAll(async () => {
    bucket.close();
    await started.stop();
  });

  let uploads = 0;
  const upload = (services = node.services) => {
    const bytes = distinctImage(++uploads);
    return services
      .call(registry.add_media, tenant.actor, { websiteId: tenant.website.id, bytes, filename: "dot.gif" })
      .then(({ id, url }) => ({ id, url, bytes, key: `${tenant.website.id}/${id}.gif` }));
  };

  test("new images go to the bucket and old ones stay on the disk; both are served, in parts too, and go with their website", async () => {
    const old = await upload();
    const disk = node.services.images.of("disk");
    Object.assign(
      node.services.images,
      imageStores(disk, bucket.images, () => disk),
    );
    const { id, url, bytes, key } = await upload();
    expect(await disk.get(key)).toBeNull();
    expect(Buffer.from((await bucket.images.get(key))!).equals(bytes)).toBe(true);
    for (const image of [old, { url, bytes }]) {
      const whole = await fetch(node.url + image.url);
      expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "image/gif"]);
      expect(Buffer.from(await whole.arrayBuffer()).equals(image.bytes)).toBe(true);
      const part = await fetch(node.url + image.url, { headers: { Range: "bytes=3-9" } });
      expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, Buffer.from(image.bytes.subarray(3, 10))]);
    }
    const head = await fetch(node.url + url, { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe(String(bytes.length));

    const { lines } = await node.services.call(registry.export_website, tenant.actor, { websiteId: tenant.website.id });
    let exported = "";
    for await (const line of lines) exported += line;
    for (const image of [old.bytes, bytes]) expect(exported).toContain(Buffer.from(image).toString("base64"));

    const ids = { websiteId: tenant.website.id, mediaId: id };
    await node.services.call(registry.delete_media, tenant.actor, ids);
    await node.services.call(registry.purge_media, tenant.actor, ids);
    expect(await bucket.images.get(key)).toBeNull();

    const last = await upload();
    await node.services.call(registry.delete_website, tenant.actor, { websiteId: tenant.website.id, confirmName: tenant.website.name });
    await eraseDeleted({ ...node.services, clock: () => new Date(Date.now() + 31 * DAY) });
    expect([await bucket.images.get(last.key), await disk.get(old.key)]).toEqual([null, null]);
    expect(await node.services.platform.mediaFiles.get(tenant.website.id, last.id)).toBeNull();
  });

  test("the doctor names the step that fails, and never the secret", async () => {
    expect(await checkImageStore({ mediaUrl: address })).toEqual([
      { verdict: "good", message: expect.stringContaining("can be written, read, listed and deleted from") as string },
    ]);
    const [found] = await checkImageStore({ mediaUrl: { ...address, secretAccessKey: "not-the-secret" } });
    expect(found!.verdict).toBe("problem");
    expect(found!.message).toContain(
      "Writing a file failed: The bucket answered 403 SignatureDoesNotMatch: the secret is wrong, or the region.",
    );
    expect(found!.message).not.toContain("not-the-secret");
    expect(await checkImageStore({ mediaUrl: null })).toEqual([]);
  });

  test("a service whose bucket does not work says so and serves", async () => {
    const wrong = started.url.replace("SE%2FCRET%2B", "not-the-secret");
    const database = await openTestDatabase();
    const folder = await mkdtemp(path.join(tmpdir(), "stet-bucket-"));
    const service = await startService({ DATABASE_URL: database.url, MEDIA_URL: wrong, STET_DATA: folder });
    await expect.poll(() => service.log(), { timeout: 10_000 }).toContain("Writing a file failed");
    expect(service.log()).not.toContain("not-the-secret");
    expect((await service.fetch("/readyz")).status).toBe(200);
    await service.stop();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });
});
