import { beforeEach, expect, test } from "vitest";
import { imageBytes } from "#test/images";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant, testDisk } from "#test/services";
import { registry } from "../registry.ts";
import { RUNS_ON_FULL_DISK } from "./require-disk-space.ts";

const MB = 1024 * 1024;
const [TIGHT, FULL] = [200 * MB, 50 * MB];
const disk = testDisk();
const services = closedAtEnd(await openTestServices({ disk }));
let tenant: Tenant;
let ids: { websiteId: string };
beforeEach(async () => {
  disk.freeBytes = 1e12;
  tenant = await services.makeTenant();
  ids = { websiteId: tenant.website.id };
});

const create = (more: object = {}) => services.call(registry.create_post, tenant.actor, { ...ids, title: "Hello", ...more });
const refused = expect.objectContaining({ code: "STORAGE_FULL" }) as unknown;
async function* source() {
  yield "";
}

test("a disk that is tight refuses large saves, images and imports, and takes small saves", async () => {
  disk.freeBytes = TIGHT;
  const post = await create();
  await services.call(registry.publish_post, tenant.actor, { ...ids, postId: post.id, expectedVersion: 1 });
  await expect(create({ body: "x".repeat(300_000) })).rejects.toEqual(refused);
  const bytes = Buffer.concat([imageBytes("png"), Buffer.alloc(300_000)]);
  await expect(services.call(registry.add_media, tenant.actor, { ...ids, bytes, filename: "a.png" })).rejects.toEqual(refused);
  await expect(services.call(registry.import_website, tenant.actor, { ...ids, source: source() })).rejects.toEqual(refused);
});

test("a full disk refuses every save, and nothing is written", async () => {
  const post = await create();
  disk.freeBytes = FULL;
  await expect(create()).rejects.toEqual(refused);
  const edit = { ...ids, postId: post.id, expectedVersion: 1, title: "Changed" };
  await expect(services.call(registry.edit_post, tenant.actor, edit)).rejects.toEqual(refused);
  const { items } = await services.call(registry.list_posts, tenant.actor, ids);
  expect(items.map(({ working, version }) => [working.title, version])).toEqual([["Hello", 1]]);
});

test("on a full disk one still reads, takes down, deletes, revokes and exports", async () => {
  const post = await create();
  await services.call(registry.publish_post, tenant.actor, { ...ids, postId: post.id, expectedVersion: 1 });
  const { record } = await services.call(registry.create_key, tenant.actor, { ...ids, name: "Key" });
  disk.freeBytes = FULL;
  const at = { ...ids, postId: post.id };
  await services.call(registry.unpublish_post, tenant.actor, { ...at, expectedVersion: 2 });
  await services.call(registry.delete_post, tenant.actor, { ...at, expectedVersion: 3 });
  await services.call(registry.purge_post, tenant.actor, { ...at, expectedVersion: 4 });
  await services.call(registry.revoke_key, tenant.actor, { ...ids, keyId: record.id });
  await services.call(registry.export_website, tenant.actor, ids);
});

test("whoever may not do it is told so, not that the disk is full", async () => {
  const contributor = await tenant.addMember("contributor");
  disk.freeBytes = FULL;
  const renaming = services.call(registry.update_website, contributor, { ...ids, expectedVersion: 1, name: "Mine" });
  await expect(renaming).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
});

test("where the database is elsewhere, the disk of the data folder stops no save", async () => {
  const elsewhere = closedAtEnd(await openTestServices({ disk: Object.assign(testDisk({ hasDatabase: false }), { freeBytes: 0 }) }));
  const { actor, website } = await elsewhere.makeTenant();
  await elsewhere.call(registry.create_post, actor, { websiteId: website.id, title: "Hello", body: "x".repeat(300_000) });
});

test("an import that runs out of room stops, and says how far it came", async () => {
  await create();
  const lines: string[] = [];
  for await (const line of (await services.call(registry.export_website, tenant.actor, ids)).lines) lines.push(line);
  const target = await services.makeTenant();
  async function* half() {
    for (const line of lines) {
      yield line.replaceAll(tenant.website.id, target.website.id);
      disk.freeBytes = TIGHT;
    }
  }
  const importing = services.call(registry.import_website, target.actor, { websiteId: target.website.id, source: half() });
  await expect(importing).rejects.toMatchObject({ code: "STORAGE_FULL", facts: { soFar: {} } });
});

test("everything that goes on when the disk is full is an operation that changes something", () => {
  const changing = Object.values(registry).filter(({ activity }) => activity !== "none");
  expect([...RUNS_ON_FULL_DISK].filter((name) => !changing.some((operation) => operation.name === name))).toEqual([]);
});
