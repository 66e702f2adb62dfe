import { expect, onTestFinished, test, vi } from "vitest";
import type { PostId } from "#domain/ids";
import { writingIn } from "#test/delivery/writing";
import { mongoJavaServer } from "#test/mongodb";
import { withPart } from "#test/parts";
import { sweepOwnStores } from "#worker/own-stores";
import { settlePending } from "#worker/sweeps";
import { isRefused, onContent, openMovingOnce } from "./moving.ts";

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

withPart(mongoJavaServer.name, mongoJavaServer.find(), async (server) => {
  const { moving, first, second } = await openMovingOnce(server);

  /** A website in its own database, with a writer on the second node. */
  const open = async () => {
    const tenant = await first.makeTenant();
    const write = writingIn(second, tenant);
    const post = await write.post("Before");
    const at = onContent(first, tenant);
    const { url, there } = moving.newDatabase();
    expect(await at.out(url)).toMatchObject({ state: "done" });
    const { id: websiteId } = tenant.website;
    const { posts } = first.contents.managed;
    const titleWithUs = async () => (await posts.get(websiteId, post.id as PostId))!.working.title;
    return { tenant, websiteId, write, post, at, titleWithUs, there };
  };

  test("a sweep finishes what dead processes left only where the database is known to be ours", async () => {
    const { websiteId, post, there } = await open();
    const left = { _id: `${websiteId}/left`, w: websiteId, at: new Date(first.clock().getTime() - 61_000) };
    await there.collection<{ _id: string }>("intents").insertOne(left);
    const marked = { _id: `${websiteId}/${post.id}`, pendingSince: { $exists: true } };
    await there.collection<{ _id: string }>("posts").updateOne({ _id: marked._id }, { $set: { pendingSince: new Date(0) } });
    const state = async () => [
      await there.collection<{ _id: string }>("intents").countDocuments({ _id: left._id }),
      await there.collection<{ _id: string }>("posts").countDocuments(marked),
      (await second.platform.websites.contentState(websiteId)).contentVersion,
    ];
    const version = (await state())[2]!;
    const marker = { _id: "marker" as never };
    const { publicUrl } = (await there.collection("stet").findOne(marker))!;
    const sweep = () => sweepOwnStores([{ name: "settle", everyMillis: 0, sweep: settlePending }])(second);
    await there.collection("stet").updateOne(marker, { $set: { publicUrl: "https://elsewhere.test" } });
    await sweep();
    expect(await state()).toEqual([1, 1, version]);
    await there.collection("stet").updateOne(marker, { $set: { publicUrl } });
    await sweep();
    expect(await state()).toEqual([0, 0, expect.any(Number)]);
    expect((await state())[2]).toBeGreaterThan(version);
  });

  test("fault 7: a write whose acknowledgement is lost while a move back waits for it is saved once, and moves with the rest", async () => {
    const { at, write, post, websiteId } = await open();
    const release = moving.line.holdNext("update", { losesAnswer: true });
    const saving = write.edit(post, { title: "Acknowledgement lost" });
    await expect.poll(() => first.platform.homes.countTickets(websiteId)).toBe(1);
    await at.call("disconnect_own_database");
    while ((await at.step()).position.phase !== "comparing");
    const switching = at.step();
    await expect.poll(at.isPaused).toBe(true);
    release();
    const saved = await saving;
    await switching;
    expect(await at.finish()).toMatchObject({ state: "done", error: null });
    const stored = await first.contents.managed.posts.get(websiteId, post.id as PostId);
    expect(stored).toMatchObject({ version: saved.version, working: { title: "Acknowledgement lost" } });
    const { rows } = await first.contents.managed.revisions.list(websiteId, post.id as PostId, { after: null, limit: 9 });
    expect(rows.filter(({ version }) => version === saved.version)).toHaveLength(1);
  });

  test("fault 7: a write that was applied and never heard of again holds a move back until nothing of it can land, and moves with the rest", async () => {
    const { at, write, post, websiteId, titleWithUs } = await open();
    moving.line.loseNextAnswerTo("update");
    const lost = moving.line.lost();
    const saving = write.edit(post, { title: "Never heard of again" }).catch((error: unknown) => error);
    await expect.poll(() => moving.line.lost(), { interval: 1 }).toBe(lost + 1);
    moving.proxy.cut();
    expect(isRefused(await saving)).toBe(true);
    moving.proxy.restore();
    expect(await first.platform.homes.countTickets(websiteId)).toBe(1);
    await at.call("disconnect_own_database");
    await expect.poll(async () => (await at.step()).error, { timeout: 40_000 }).toMatch(/saving right now/);
    expect(await at.home()).toEqual({ kind: "own", epoch: 1 });
    await at.endTickets();
    await expect.poll(async () => (await at.step()).state, { timeout: 40_000 }).toBe("done");
    expect(await titleWithUs()).toBe("Never heard of again");
  });

  test("fault 8: a write that is stopped for longer than its ticket, and lands after the content moved back, is not told to be saved", async () => {
    const { at, write, post, titleWithUs, websiteId } = await open();
    const release = moving.line.holdNext("update");
    const saving = write.edit(post, { title: "Stopped" }).catch((error: unknown) => error);
    await expect.poll(() => first.platform.homes.countTickets(websiteId)).toBe(1);
    await at.endTickets();
    expect(await at.back()).toMatchObject({ state: "done" });
    const meanwhile = await write.edit(post, { title: "Saved meanwhile" });
    release();
    expect(isRefused(await saving)).toBe(true);
    expect(await titleWithUs()).toBe("Saved meanwhile");
    await write.edit(meanwhile, { title: "And saved again" });
    expect(await titleWithUs()).toBe("And saved again");
  });

  test.each([
    [{ code: 14_031, codeName: "OutOfDiskSpace", errmsg: "No space left on device" }, /disk of the content database is full/],
    [{ code: 13, codeName: "Unauthorized", errmsg: "not authorized on blog to execute command" }, /not allowed.*only read/],
  ] as const)(
    "fault 10: a database that refuses to write (%o) is named; readers read on, and content moves back from it",
    async (error, words) => {
      const { at, write, post, tenant, titleWithUs } = await open();
      onTestFinished(() => moving.line.refuseWrites(null));
      moving.line.refuseWrites(error);
      // More often than a breaker would bear.
      for (let n = 0; n < 3; n++) await expect(write.edit(post, { title: "No" })).rejects.toThrow(words);
      expect(await second.platform.homes.countTickets(tenant.website.id)).toBe(0);
      for (let n = 0; n < 3; n++) {
        await expect(write.edit(post, { title: "No" })).rejects.toThrow(words);
        const website = (await second.platform.websites.get(tenant.website.id))!;
        const read = await second.contents.withContent(website, ({ posts }) => posts.get(website.id, post.id as PostId));
        expect(read!.working.title).toBe("Before");
      }
      // Somebody goes on trying to save.
      let isOver = false;
      const insisting = (async () => {
        while (!isOver && (await at.home()).kind === "own") await write.edit(post, { title: "Kept typing" }).catch(() => {});
      })();
      expect(await at.back().finally(() => (isOver = true))).toMatchObject({ state: "done" });
      await insisting;
      expect(["Before", "Kept typing"]).toContain(await titleWithUs());

      // The other way: it fills up, or its user is changed, while content is copied there.
      const { url } = moving.newDatabase();
      moving.line.refuseWrites(null);
      await at.call("connect_own_database", { url });
      await at.call("activate_own_database");
      await at.step();
      moving.line.refuseWrites(error);
      expect(await at.step()).toMatchObject({ state: "running", failures: 1, error: expect.stringMatching(words) as string });
      expect((await at.home()).kind).toBe("managed");
      await write.draft("Goes on with us");
      moving.line.refuseWrites(null);
      await expect.poll(async () => (await at.step()).state, { timeout: 30_000 }).toBe("done");
      expect((await at.home()).kind).toBe("own");
    },
  );
});
