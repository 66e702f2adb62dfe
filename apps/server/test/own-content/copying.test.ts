import { expect, test } from "vitest";
import { openMongoContent } from "#adapters/mongodb/open";
import { openPostgresContent } from "#adapters/postgres/content/open";
import { MANAGED } from "#domain/content-home";
import { sanitizeHtml } from "#domain/markdown/sanitize-html";
import type { Timestamp } from "#domain/time";
import { registry } from "#operations/registry";
import type { ContentStore } from "#ports/content-store";
import { fillWebsite } from "#test/full-website";
import { mongoJavaServer, testDatabaseName } from "#test/mongodb";
import { withPart } from "#test/parts";
import { openTestServices } from "#test/services";
import { copyRecord } from "#worker/moving/copy-record";
import { sumUp } from "#worker/moving/sum-up";

const END = "9999-01-01T00:00:00.000Z" as Timestamp;

withPart("mongo-java-server 1.47", mongoJavaServer.find(), (server) => {
  test("a website that is copied by its feed to another engine and back is the same, record by record and claim by claim", async () => {
    const services = await openTestServices();
    const { url, stop } = await server.start();
    const options = { url, database: testDatabaseName(), onVisibleChange: async () => {}, sanitizeHtml };
    const there = await openMongoContent(options);
    const here = services.contents.managed;
    const tenant = await services.makeTenant();
    const { website, actor } = tenant;
    const ids = { websiteId: website.id };
    await fillWebsite(services, tenant);

    const follow = async (from: ContentStore, to: ContentStore, since: string | null): Promise<string | null> => {
      for (let cursor = since; ;) {
        const read = await from.feed.read(website.id, cursor, 100);
        for (const change of read.changes) await copyRecord(from, to, website.id, change);
        if (read.changes.length === 0) return cursor;
        ({ cursor } = read);
      }
    };
    const claims = async (content: ContentStore) => {
      const all = await content.claims.listClaimedBefore(END, null, 9_999);
      return all.filter((claim) => claim.websiteId === website.id).map(({ space, slug, ownerId }) => `${space} ${slug} ${ownerId}`);
    };
    let cursor = await follow(here, there, null);
    const first = await sumUp(here, website.id);
    expect(first.post.count).toBeGreaterThan(40);
    expect(Object.values(first).every(({ count }) => count > 0)).toBe(true);
    expect(await sumUp(there, website.id)).toEqual(first);
    expect((await claims(there)).toSorted()).toEqual((await claims(here)).toSorted());

    // Meanwhile: several edits, a slug that is handed over, one that is purged.
    const make = async (title: string) => services.call(registry.create_post, actor, { ...ids, title });
    const [old, other, gone] = [await make("Old"), await make("Other"), await make("Gone")];
    cursor = await follow(here, there, cursor);
    const edit = (post: { id: string; version: number }, more: object) =>
      services.call(registry.edit_post, actor, { ...ids, postId: post.id, expectedVersion: post.version, ...more });
    const published = await services.call(registry.publish_post, actor, { ...ids, postId: old.id, expectedVersion: old.version });
    const renamed = await edit(published, { slug: "new" });
    await services.call(registry.update_live_post, actor, { ...ids, postId: old.id, expectedVersion: renamed.version });
    await edit(other, { slug: "old", takeSlugFrom: old.id });
    const trashed = await services.call(registry.delete_post, actor, { ...ids, postId: gone.id, expectedVersion: gone.version });
    await services.call(registry.purge_post, actor, { ...ids, postId: gone.id, expectedVersion: trashed.version });
    expect(await sumUp(there, website.id)).not.toEqual(await sumUp(here, website.id));
    await follow(here, there, cursor);
    const second = await sumUp(here, website.id);
    expect(second).not.toEqual(first);
    expect(await sumUp(there, website.id)).toEqual(second);
    expect((await there.claims.owners(website.id, "post", ["old", "new"])).get("old")).toBe(other.id);

    // And back, into our own store behind its fence, after what it had was removed.
    await services.platform.homes.pause(website.id, 10);
    expect(await services.platform.homes.move({ id: website.id, home: MANAGED }, "own")).toBe(true);
    while (!(await here.eraseWebsite(website.id, 1_000)));
    await follow(there, openPostgresContent(services.database, { mover: { id: website.id, home: { kind: "own", epoch: 1 } } }), null);
    expect(await sumUp(here, website.id)).toEqual(second);

    // In an install's own MongoDB, too, sweeps leave alone what stayed behind.
    const left = await openMongoContent({ ...options, listMoved: () => services.platform.homes.listMoved() });
    const swept = async ({ media, revisions, claims }: ContentStore) => [
      (await media.listAll(null, 9)).length,
      (await revisions.listThinnable(END, null, 9)).length,
      (await claims.listClaimedBefore(END, null, 9)).length,
    ];
    expect(await swept(there)).not.toContain(0);
    expect(await swept(left)).toEqual([0, 0, 0]);
    await left.close();
    await there.close();
    await stop();
    await services.close();
  });
});
