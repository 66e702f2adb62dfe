import path from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { openPostgresSignals } from "#adapters/postgres/signals/signals";
import { MANAGED } from "#domain/content-home";
import { newId } from "#domain/ids";
import { registry } from "#operations/registry";
import type { Signals } from "#ports/signals";
import { closedAtEnd } from "#test/closed-at-end";
import { distinctImage } from "#test/images";
import { createContentStores } from "#test/one-store";
import { openTestServices } from "#test/services";
import { createFindMediaFile, type FindMediaFile } from "./media-file.ts";
import { rememberFiles } from "./remembered-files.ts";

const services = closedAtEnd(await openTestServices());
const tenant = await services.makeTenant();
const websiteId = tenant.website.id;
// Another node: it hears of changes from the database alone.
const signals = closedAtEnd(await openPostgresSignals(services.database, () => {}));
let looks = 0;
const find = createFindMediaFile(services);
const files = rememberFiles((...asked) => {
  looks += 1;
  return find(...asked);
}, signals);

let uploads = 100;
async function upload({ actor, website: { id: websiteId } } = tenant) {
  const media = await services.call(registry.add_media, actor, { websiteId, bytes: distinctImage(uploads++), filename: "a.gif" });
  const name = path.basename(media.url);
  const ask = async () => (await files.find(websiteId, name, null))?.open();
  return { media, ask, isInMemory: () => files.inMemory(websiteId, name, null) !== null };
}

test("a file that was asked for is in memory, to the byte, and not looked up again", async () => {
  const { ask, isInMemory } = await upload();
  expect(isInMemory()).toBe(false);
  const first = (await ask())!;
  const before = looks;
  const again = (await ask())!;
  expect([looks, isInMemory()]).toEqual([before, true]);
  expect(again).toEqual(first);
  expect((await buffer(again.read(0, again.size - 1))).equals(again.bytes!)).toBe(true);
});

test("what goes into the trash on another node is gone here within a second, and back when it is restored", async () => {
  const { media, ask, isInMemory } = await upload();
  await ask();
  expect(isInMemory()).toBe(true);
  await services.call(registry.delete_media, tenant.actor, { websiteId, mediaId: media.id });
  await vi.waitFor(() => expect(isInMemory()).toBe(false), 5_000);
  expect(await ask()).toBeUndefined();
  await services.call(registry.restore_media, tenant.actor, { websiteId, mediaId: media.id });
  expect(await ask()).toMatchObject({ contentType: media.contentType });
});

test("so it is when a node of the version before trashes or removes it, and when the website goes", async () => {
  for (const text of [
    "UPDATE media_files SET trashed = true WHERE media_id = $1",
    "UPDATE media_files SET state = 'leaving' WHERE media_id = $1",
    "DELETE FROM media_files WHERE media_id = $1",
    "UPDATE websites SET deleted_at = now() WHERE id = (SELECT website_id FROM media_files WHERE media_id = $1)",
  ]) {
    const { media, ask, isInMemory } = await upload();
    // A change that was just heard keeps it out.
    await vi.waitFor(async () => expect([await ask(), isInMemory()]).toEqual([expect.anything(), true]), 5_000);
    await services.database.query({ text, values: [media.id] });
    await vi.waitFor(() => expect(isInMemory(), text).toBe(false), 5_000);
  }
});

test("what was read before a change is not kept after it, and neither is what is large or may change", async () => {
  let tell: Parameters<Signals["subscribe"]>[0] = () => {};
  const heard: Pick<Signals, "subscribe"> = { subscribe: (listener) => ((tell = listener), () => {}) };
  const file = (size: number, isFinal: boolean, meanwhile = () => {}): FindMediaFile => {
    const facts = { contentType: "image/png", etag: '"e"', isFinal };
    async function* read() {
      meanwhile();
      yield new Uint8Array(size);
    }
    return async () => ({ ...facts, open: async () => ({ ...facts, size, read }) });
  };
  const isKept = async (found: FindMediaFile) => {
    const memory = rememberFiles(found, heard);
    await (await memory.find("site_1", "a.png", null))!.open();
    return memory.inMemory("site_1", "a.png", null) !== null;
  };
  expect(await isKept(file(10, true))).toBe(true);
  expect(await isKept(file(10, false))).toBe(false);
  expect(await isKept(file(1024 * 1024, true))).toBe(false);
  expect(await isKept(file(10, true, () => tell({ topic: "files", id: "site_1" })))).toBe(false);
  expect(await isKept(file(10, true, () => tell("everything")))).toBe(false);
  expect(await isKept(file(10, true, () => tell({ topic: "content", id: "site_1" })))).toBe(true);
});

test("with a workspace that is deleted go the images of its websites", async () => {
  const other = await services.makeTenant();
  const { ask, isInMemory } = await upload(other);
  await vi.waitFor(async () => expect([await ask(), isInMemory()]).toEqual([expect.anything(), true]), 5_000);
  const input = { workspaceId: other.workspace.id, confirmName: other.workspace.name };
  await services.call(registry.delete_workspace, other.actor, input);
  await vi.waitFor(() => expect(isInMemory()).toBe(false), 5_000);
  expect(await ask()).toBeUndefined();
});

test("ids that somebody made up take two places at a customer's database, however many come at once", async () => {
  const asker = await services.makeTenant();
  await services.platform.homes.pause(asker.website.id, 10);
  expect(await services.platform.homes.move({ id: asker.website.id, home: MANAGED }, "own")).toBe(true);
  let [most, atOnce] = [0, 0];
  const { managed } = services.contents;
  const held = Promise.withResolvers<void>();
  const get: typeof managed.media.get = async (...asked) => {
    most = Math.max(most, ++atOnce);
    await held.promise;
    atOnce -= 1;
    return managed.media.get(...asked);
  };
  const theirs = { ...managed, media: { ...managed.media, get } };
  const findHeld = createFindMediaFile({ ...services, contents: createContentStores(managed, (_, work) => work(theirs)) });
  const finding = Array.from({ length: 60 }, () => findHeld(asker.website.id, `${newId("media")}.png`, null));
  const first = await Promise.race(finding.map((each) => each.catch((error: unknown) => error)));
  expect(first).toMatchObject({ code: "RATE_LIMITED" });
  held.resolve();
  const found = await Promise.allSettled(finding);
  expect([most, found.filter(({ status }) => status === "fulfilled").length]).toEqual([2, 52]);
});
