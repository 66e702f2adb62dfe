import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sealContextOf } from "#domain/own-image-store";
import { MINUTE } from "#domain/time";
import { checkOwnStores } from "#main/doctor/image-store";
import { imageStores } from "#main/images";
import { openOwnImages } from "#main/own-images";
import { websiteImages } from "#main/website-images";
import { type BreakableProxy, openBreakableProxy } from "#test/breakable-proxy";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { onWebsite } from "#test/own-images";
import { withPart } from "#test/parts";
import { type S3Server, versitygw } from "#test/s3";
import { settleFiles } from "#worker/settle-files";

const node = closedAtEnd(await openDashboardNode({ pages: false }));
const { services } = node;
const disk = services.images.of("disk");
const open = async () => {
  const tenant = await node.makeTenant();
  return { tenant, ...onWebsite(services, tenant) };
};

withPart("versitygw 1.8", versitygw.find(), (server: S3Server) => {
  let started: Awaited<ReturnType<S3Server["start"]>>;
  let proxy: BreakableProxy;
  let away: string;
  beforeAll(async () => {
    started = await server.start();
    const host = /@([^/]+)/.exec(started.url)![1]!;
    proxy = await openBreakableProxy(`http://${host}`);
    away = started.url.replace(host, new URL(proxy.url).host);
  });
  afterAll(async () => {
    await proxy.close();
    await started.stop();
  });

  test("a store that is away: moving rests in words and goes on; the owner can go without it, and has the images again with it", async () => {
    const { call, connected, upload, finish, tenant } = await open();
    await connected(away);
    const [image, other] = [await upload(), await upload()];
    proxy.cut();
    await call("disconnect_image_store");
    expect(await finish()).toMatchObject({ state: "running", failures: 1, error: expect.stringContaining("closed before") as string });
    expect((await fetch(node.url + image.url)).status).toBe(503);
    await expect.poll(async () => (await call("get_image_store")).store?.error).toContain("closed before");
    const alertsFor = async (actor = tenant.actor) => (await call("get_home", {}, actor)).alerts;
    expect(await alertsFor()).toMatchObject([
      { kind: "image-store", severity: "critical", next: expect.stringContaining("closed before") as string, link: { kind: "images" } },
    ]);
    expect(await alertsFor(await tenant.addMember("editor"))).toEqual([]);
    expect(await checkOwnStores(services.database)).toMatchObject([
      { verdict: "warning", message: expect.stringContaining("1 of 1 own") as string },
    ]);
    // Uploads go on, here.
    await upload();

    const list = await call("list_own_images");
    expect(list).toMatchObject({
      total: 2,
      after: null,
      images: [{ id: image.id, filename: expect.stringMatching(/^dot-/) as string }, { id: other.id }],
    });
    const without = { withoutCopying: true, confirmName: tenant.website.name };
    await expect(call("disconnect_image_store", without, await tenant.addMember("admin"))).rejects.toMatchObject({
      code: "INSUFFICIENT_ROLE",
    });
    await expect(call("disconnect_image_store", { withoutCopying: true })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect(await call("disconnect_image_store", without)).toMatchObject({ store: null, own: { files: 2 }, managed: { files: 1 } });
    expect((await fetch(node.url + image.url)).status).toBe(404);
    expect([await alertsFor(), await checkOwnStores(services.database)]).toEqual([[], []]);
    // Whoever uploads a missing image again gets one that can be seen.
    const again = await call("add_media", { bytes: image.bytes, filename: "again.gif" });
    expect((await fetch(node.url + again.url)).status).toBe(200);
    // They take no room while they are missing, and can be deleted.
    await call("delete_media", { mediaId: other.id });
    await call("purge_media", { mediaId: other.id });

    proxy.restore();
    await connected(away);
    const answer = await fetch(node.url + image.url);
    expect([answer.status, Buffer.from(await answer.arrayBuffer()).equals(image.bytes)]).toEqual([200, true]);
    await finish();
    await call("disconnect_image_store");
    expect(await finish()).toMatchObject({ state: "done", done: 3, total: 3 });
  });

  test("what somebody removed from their bucket keeps the store until its owner goes without; stopping brings it into use again", async () => {
    const { call, connected, upload, finish, storeOf, tenant } = await open();
    await connected(away);
    const [gone, good] = [await upload(), await upload()];
    await services.ownImages.open(away).delete(gone.key);
    await call("disconnect_image_store");
    expect(await finish()).toMatchObject({ state: "failed", error: "1 image is missing or damaged in your storage and was left out." });
    expect([await storeOf(gone.id), await storeOf(good.id)]).toEqual(["own", "disk"]);
    expect((await call("list_own_images")).images.map(({ id }) => id)).toEqual([gone.id]);
    expect((await call("stop_image_move")).store?.state).toBe("active");
    await call("disconnect_image_store");
    await finish();
    const left = await call("disconnect_image_store", { withoutCopying: true, confirmName: tenant.website.name });
    expect(left).toMatchObject({ store: null, own: { files: 1 } });
  });

  test("whoever uploads an image again that is missing in the bucket brings it back, with its id and address", async () => {
    const { call, connected, upload, storeOf } = await open();
    await connected(away);
    const image = await upload();
    await services.ownImages.open(away).delete(image.key);
    expect((await fetch(node.url + image.url)).status).toBe(404);
    const again = () => call("add_media", { bytes: image.bytes, filename: "again.gif" });
    expect(await again()).toMatchObject({ id: image.id });
    const answer = await fetch(node.url + image.url);
    expect([answer.status, Buffer.from(await answer.arrayBuffer()).equals(image.bytes), await storeOf(image.id)]).toEqual([
      200,
      true,
      "own",
    ]);
    // While nobody can say whether it is there, it counts as there.
    proxy.cut();
    expect(await again().finally(() => proxy.restore())).toMatchObject({ id: image.id });
  });

  test("a store that never answers is asked twice in a row and then left alone: a sweep is done at once, and nobody else waits", async () => {
    let asked = 0;
    const silent = createServer(() => void (asked += 1));
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { tenant, upload } = await open();
    const healthy = await open();
    await healthy.connected(started.url);
    const images = [];
    for (let n = 0; n < 12; n++) images.push(await upload());
    const address = `s3+http://KEY:SECRET@127.0.0.1:${(silent.address() as AddressInfo).port}/pictures`;
    const own = openOwnImages({ privateTargets: true, clock: () => new Date(), patienceMillis: 300 });
    const facts = own.read(address);
    if (typeof facts === "string") throw new Error(facts);
    const connectedAt = tenant.website.createdAt;
    const sealed = services.seals.seal("credentials", sealContextOf(tenant.website.id), address);
    const record = {
      websiteId: tenant.website.id,
      address: sealed,
      state: "active",
      usesPublicBase: false,
      error: null,
      errorAt: null,
    } as const;
    await services.platform.ownImageStores.put({ ...facts, ...record, connectedAt, activatedAt: null });
    const records = services.platform.ownImageStores;
    const ofWebsite = websiteImages({ records, seals: services.seals, own, clock: services.clock, onTrouble: () => {} });
    const impatient = { ...services, images: imageStores(disk, null, ofWebsite), clock: () => new Date(Date.now() + 20 * MINUTE) };
    const values = [tenant.website.id];
    await services.database.query({ text: "UPDATE media_files SET store = 'own', state = 'leaving' WHERE website_id = $1", values });
    await services.database.query({ text: "DELETE FROM media WHERE website_id = $1", values });

    const begun = performance.now();
    await settleFiles(impatient);
    const sweepMillis = performance.now() - begun;
    expect(asked).toBe(2);
    expect(sweepMillis).toBeLessThan(2_500);
    expect((await services.platform.mediaFiles.sums(tenant.website.id)).own.unsettled).toBe(12);
    const theirs = await healthy.upload();
    expect((await fetch(node.url + theirs.url)).status).toBe(200);
    own.close();
    silent.closeAllConnections();
    silent.close();
  });
});

test.each([
  ["https only", "s3+http://KEY:SECRET@images.example.com/pictures", "Only https addresses are allowed"],
  ["no private network", "s3://KEY:SECRET@10.1.2.3/pictures", "private or reserved"],
  ["no metadata service", "s3+http://KEY:SECRET@169.254.169.254/pictures", "https"],
  ["no loopback", "s3://KEY:SECRET@127.0.0.1:9000/pictures", "private or reserved"],
])("a customer's address is guarded: %s", async (_, address, words) => {
  const { call } = await open();
  const guarded = openOwnImages({ privateTargets: [], clock: () => new Date() });
  const before = services.ownImages;
  Object.assign(services, { ownImages: guarded });
  const result = await call("test_image_store", { address }).finally(() => Object.assign(services, { ownImages: before }));
  expect(result).toMatchObject({ passed: false, step: "write", problem: expect.stringContaining(words) as string });
  guarded.close();
});
