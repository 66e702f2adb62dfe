import { expect, test, vi } from "vitest";
import { fail } from "#domain/failure";
import type { MediaId, PostId } from "#domain/ids";
import { DAY, HOUR, MINUTE, timestamp } from "#domain/time";
import { execute } from "#operations/kernel/execute";
import { registry } from "#operations/registry";
import type { ContentStore } from "#ports/content-store";
import { writingIn } from "#test/delivery/writing";
import { mongoJavaServer } from "#test/mongodb";
import { withPart } from "#test/parts";
import type { TestServices } from "#test/services";
import { purgeMedia, purgeTrash } from "#worker/sweeps";
import { onContent, openMovingOnce, withHomes } from "./moving.ts";

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

withPart(mongoJavaServer.name, mongoJavaServer.find(), async (server) => {
  const { moving, first } = await openMovingOnce(server);

  const open = async () => {
    const tenant = await first.makeTenant();
    const { id: websiteId, name: confirmName } = tenant.website;
    const at = onContent(first, tenant);
    return {
      tenant,
      websiteId,
      at,
      write: writingIn(first, tenant),
      /** Returns to the copy while the database is away. */
      async leave(on = first) {
        moving.proxy.cut();
        try {
          return await execute(on, registry.disconnect_own_database, tenant.actor, { websiteId, withoutCopying: true, confirmName });
        } finally {
          moving.proxy.restore();
        }
      },
      post: (id: string) => first.contents.managed.posts.get(websiteId, id as PostId),
      ...moving.newDatabase(),
    };
  };

  /** As soon as the database is seen again. */
  const connect = (at: ReturnType<typeof onContent>, url: string) =>
    expect.poll(() => at.call("connect_own_database", { url }).then(() => "connected", String), { timeout: 30_000 }).toBe("connected");

  test("what was in the trash when content moved, and was restored there, is kept for 30 days more after a return without the database", async () => {
    const { at, write, url, leave, post, tenant, websiteId } = await open();
    const image = await write.image("restored.gif");
    await write.deleteImage(image.id);
    const draft = await write.trash(await write.draft("Restored"));
    expect(await at.out(url)).toMatchObject({ state: "done" });
    await first.call(registry.restore_media, tenant.actor, { websiteId, mediaId: image.id });
    await first.call(registry.restore_post, tenant.actor, { websiteId, postId: draft.id, expectedVersion: draft.version });
    moving.nodes.forEach((node) => node.pass(31 * DAY));
    await leave();
    const sweep = async () => {
      await purgeMedia(first, first.contents.managed);
      await purgeTrash(first, first.contents.managed);
      const found = await first.contents.managed.media.get(websiteId, image.id as MediaId);
      return [found !== null, first.files.size, (await post(draft.id))?.status];
    };
    expect(await sweep()).toEqual([true, 1, "deleted"]);
    moving.nodes.forEach((node) => node.pass(31 * DAY));
    expect(await sweep()).toEqual([false, 0, undefined]);
  });

  test("a database whose password is lost after the server got another address is connected again, then confirmed, then written to", async () => {
    const { at, write, url, tenant, there, websiteId } = await open();
    const draft = await write.draft("Draft");
    expect(await at.out(url)).toMatchObject({ state: "done" });
    await there.collection("stet").updateOne({}, { $set: { publicUrl: "https://before.test" } });
    await first.database.query({ text: "UPDATE own_databases SET connection = '' WHERE website_id = $1", values: [websiteId] });
    const confirm = () => at.call("confirm_own_database", { confirmName: tenant.website.name });
    await expect(confirm()).rejects.toThrow(/entered again/);
    expect(await at.call("test_own_database", { url })).toMatchObject({
      report: { passed: true, readOnly: expect.stringMatching(/confirm its new address/) as string },
    });
    expect(await at.call("connect_own_database", { url })).toMatchObject({ home: "own", database: { needsAddress: false } });
    await expect(write.edit(draft, { title: "No" })).rejects.toThrow(/confirm its new address/);
    expect(await there.collection("stet").findOne()).toMatchObject({ publicUrl: "https://before.test" });
    await confirm();
    expect(await write.edit(draft, { title: "Yes" })).toMatchObject({ version: 2 });
  });

  test("a return without the database that fails, or whose node is killed, has no effect; in the pause only what is new is read", async () => {
    const { at, write, url, leave, websiteId } = await open();
    const draft = await write.draft("Scheduled");
    await write.schedule(draft, timestamp(first.now.getTime() + MINUTE));
    expect(await at.out(url)).toMatchObject({ state: "done" });
    await write.post("Published there");
    moving.nodes.forEach((node) => node.pass(HOUR));
    const { locked, events } = first.platform;
    const read: ("paused" | number)[] = [];
    const tooLate = withHomes(first, () => ({ pause: async () => void read.push("paused") }));
    Object.assign(tooLate.platform, {
      events: { ...events, list: (...given: Parameters<typeof events.list>) => events.list(...given).finally(() => read.push(given[1])) },
    });
    const killed: TestServices = {
      ...first,
      platform: {
        ...first.platform,
        locked: (id, work) =>
          locked(id, (platform) => {
            const leaving = { ...platform.ownDatabases, leave: () => Promise.reject(new Error("This node was killed.")) };
            return work({ ...platform, ownDatabases: leaving });
          }),
      },
    };
    for (const [node, reason] of [
      [tooLate, /could not be switched/],
      [killed, /was killed/],
    ] as const) {
      await expect(leave(node)).rejects.toThrow(reason);
      expect(await at.home()).toEqual({ kind: "own", epoch: 1 });
      expect(await first.platform.schedules.claimDue(timestamp(first.now), 0, 10)).toMatchObject([{ websiteId, postId: draft.id }]);
    }
    expect(read).toEqual([0, "paused", (await events.last(websiteId))!.sequence]);
    expect(await leave()).toMatchObject({ home: "managed", left: { fetchedAt: null } });
    expect(await first.platform.schedules.claimDue(timestamp(first.now), 0, 10)).toEqual([]);
  });

  test("fetching from a database that was left ends where another one is connected, which is not taken for it", async () => {
    const { at, write, url, leave, websiteId } = await open();
    await write.draft("Draft");
    expect(await at.out(url)).toMatchObject({ state: "done" });
    await leave();
    await connect(at, url);
    await at.call("fetch_left_content");
    expect(await at.step(first, "left content")).toMatchObject({ state: "running", position: { walk: 0 } });
    await connect(at, moving.newDatabase().url);
    expect(await first.platform.moves.get(websiteId, "left content")).toMatchObject({ state: "stopped" });
    // One step was still under way.
    await first.database.query({ text: "UPDATE moves SET state = 'running' WHERE website_id = $1", values: [websiteId] });
    expect(await at.finish(first, "left content")).toMatchObject({ state: "failed", error: expect.stringMatching(/No content/) as string });
    await first.platform.ownDatabases.setFetched(websiteId, "another one", timestamp(first.now));
    expect(await at.call("get_own_database")).toMatchObject({ left: { fetchedAt: null, isConnected: false } });
  });

  test("an outage of our own store while content moves or is fetched is not taken for one of the owner's database", async () => {
    const { at, write, url, leave, websiteId } = await open();
    await write.draft("Draft");
    const { managed, withContent } = first.contents;
    const away = () => Promise.reject(fail("CONTENT_STORE_UNAVAILABLE", "Our own store does not answer."));
    const withoutOurs: ContentStore = { ...managed, feed: { ...managed.feed, read: away }, posts: { ...managed.posts, get: away } };
    const node: TestServices = {
      ...first,
      contents: { ...first.contents, managed: withoutOurs, withContent: (website, work) => withContent(website, () => work(withoutOurs)) },
    };
    const ours = { state: "running", failures: 1, error: "Something failed on this server. Stet keeps trying." };
    await at.call("connect_own_database", { url });
    await at.call("activate_own_database");
    expect(await at.step()).toMatchObject({ position: { phase: "copying" } });
    expect(await at.step(node)).toMatchObject(ours);
    expect(first.ownDatabases.health(websiteId)).toEqual({ state: "open", lastError: null });
    expect(await at.finish()).toMatchObject({ state: "done" });
    await leave();
    await connect(at, url);
    await at.call("fetch_left_content");
    for (let walk = 0; walk < 2; walk++) await at.step(first, "left content");
    expect(await at.step(node, "left content")).toMatchObject(ours);
    expect(first.ownDatabases.health(websiteId)).toEqual({ state: "open", lastError: null });
    expect(await at.finish(first, "left content")).toMatchObject({ state: "done" });
  });

  test("whoever has the last version of a term or an image from there open is told of a conflict after a return without it", async () => {
    const { at, write, url, leave, tenant, websiteId } = await open();
    const image = await write.image("shown.gif");
    const tag = await first.call(registry.create_term, tenant.actor, { websiteId, kind: "tag", name: "Bread" });
    expect(await at.out(url)).toMatchObject({ state: "done" });
    const edits = {
      term: (expectedVersion: number, name: string) =>
        first.call(registry.edit_term, tenant.actor, { websiteId, termId: tag.id, expectedVersion, name }),
      image: (expectedVersion: number, alt: string) =>
        first.call(registry.edit_media, tenant.actor, { websiteId, mediaId: image.id, expectedVersion, alt }),
    };
    const there = await edits.term(tag.version, "Loaves");
    const shown = await edits.image(1, "A loaf");
    await leave();
    await expect(edits.term(there.version, "Rolls")).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
    await expect(edits.image(shown.version, "A roll")).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
    expect(await edits.term(there.version + 1, "Rolls")).toMatchObject({ name: "Rolls" });
  });

  test("a copy of a server that leaves the database does not take it from the server that uses it", async () => {
    const { at, write, url, there } = await open();
    await write.post("One");
    expect(await at.out(url)).toMatchObject({ state: "done" });
    const marker = () => there.collection("stet").findOne({});
    await there.collection("stet").updateOne({}, { $set: { publicUrl: "https://production.test" } });
    const before = await marker();
    expect(await at.back()).toMatchObject({ state: "done" });
    expect(await marker()).toEqual(before);
  });
});
