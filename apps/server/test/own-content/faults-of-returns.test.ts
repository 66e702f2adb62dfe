import { expect, test, vi } from "vitest";
import type { PostId } from "#domain/ids";
import { MINUTE, timestamp } from "#domain/time";
import { writingIn } from "#test/delivery/writing";
import { mongoJavaServer } from "#test/mongodb";
import { withPart } from "#test/parts";
import { publishDue } from "#worker/scheduler";
import { sumUp } from "#worker/moving/sum-up";
import { onContent, openMovingOnce, withHomes } from "./moving.ts";

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

withPart(mongoJavaServer.name, mongoJavaServer.find(), async (server) => {
  const { moving, first, second } = await openMovingOnce(server);

  const open = async () => {
    const tenant = await first.makeTenant();
    const write = writingIn(second, tenant);
    const at = onContent(first, tenant);
    const { id: websiteId, name: confirmName } = tenant.website;
    const posts = [await write.post("One"), await write.draft("Two"), await write.post("Three")] as const;
    return { tenant, write, at, websiteId, posts, without: { withoutCopying: true, confirmName }, ...moving.newDatabase() };
  };
  /** What is left of an install that was restored from a backup of an earlier moment. */
  const restore = (websiteId: string, home: "managed" | "own", epoch: number) =>
    first.database.query({
      text: `WITH restored AS (UPDATE websites SET home = $2, store_epoch = $3 WHERE id = $1)
             UPDATE website_content SET moved = $2 = 'own', store_epoch = $3 WHERE website_id = $1`,
      values: [websiteId, home, epoch],
    });

  test("fault 13: an install that was restored from a backup before later moves reads its database, and writes only after a person confirmed", async () => {
    const { at, write, posts, url, tenant, websiteId } = await open();
    await at.out(url);
    const kept = await first.database.query({ text: "SELECT * FROM own_databases WHERE website_id = $1", values: [websiteId] });
    // It came back, and was written to: the backup of the time before knows of neither.
    await at.back();
    await write.edit(posts[1], { title: "After the backup" });
    await restore(websiteId, "own", 1);
    await first.database.query({
      text: "INSERT INTO own_databases SELECT * FROM json_populate_record(null::own_databases, $1)",
      values: [JSON.stringify(kept.rows[0])],
    });
    const website = (await first.platform.websites.get(websiteId))!;
    expect(await second.contents.withContent(website, (own) => own.posts.get(websiteId, posts[1].id as PostId))).toMatchObject({
      version: 1,
    });
    await expect(write.edit(posts[1], { title: "No" })).rejects.toThrow(/restored from an older backup/);
    expect(await at.call("check_own_database")).toMatchObject({
      readOnly: { reason: expect.stringMatching(/older backup/) as string, confirmable: true },
    });
    await at.call("confirm_own_database", { confirmName: tenant.website.name });
    await write.edit(posts[1], { title: "Confirmed" });
    expect(await at.back()).toMatchObject({ state: "done" });
    expect(await first.contents.managed.posts.get(websiteId, posts[1].id as PostId)).toMatchObject({ working: { title: "Confirmed" } });
  });

  test("fault 13: a backup from before the first move does not take the database over, which has newer content; it is fetched", async () => {
    const { at, write, posts, url, there, websiteId } = await open();
    await at.out(url);
    await write.edit(posts[1], { title: "Only there" });
    const added = await write.draft("Added there");
    await restore(websiteId, "managed", 0);
    await first.platform.ownDatabases.remove(websiteId);
    await write.draft("Written with us");
    await at.call("connect_own_database", { url });
    await at.call("activate_own_database");
    expect(await at.finish()).toMatchObject({
      state: "failed",
      error: expect.stringMatching(/older backup\. Fetch its content/) as string,
    });
    expect(await there.collection("posts").countDocuments({ gone: { $exists: false } })).toBe(4);
    await at.call("fetch_left_content");
    expect(await at.finish(first, "left content")).toMatchObject({ state: "done", error: null });
    expect(await first.contents.managed.posts.get(websiteId, added.id as PostId)).toMatchObject({ working: { title: "Added there" } });
    expect(await there.collection("stet").findOne()).toMatchObject({ epoch: 1 });
  });

  test("fault 14: what was saved in a database that was away is never overwritten when the website moves there again", async () => {
    const { at, write, posts, url, there, without, websiteId } = await open();
    await at.out(url);
    const published = await write.revise(posts[0], { title: "Published there" });
    await write.edit(posts[1], { title: "Draft there" });
    await write.draft("New there");
    moving.proxy.cut();
    expect(await at.call("disconnect_own_database", without)).toMatchObject({ home: "managed" });
    // With us both are raised above the versions that are known of; the draft gets more of them than it has there.
    const here = async (post: { id: string }) => (await first.contents.managed.posts.get(websiteId, post.id as PostId))!;
    const [told, draft] = [await here(posts[0]), await here(posts[1])];
    expect([told.version, told.working.title]).toEqual([published.version + 1, "One"]);
    expect([draft.version, draft.working.title]).toEqual([3, "Two"]);
    const again = await write.edit({ ...posts[1], version: draft.version }, { title: "Draft with us" });
    await write.edit(again, { title: "Draft with us again" });
    moving.proxy.restore();
    const dump = async () => {
      const all = ["posts", "revisions", "claims", "terms"].map((name) => there.collection(name).find().sort({ _id: 1 }).toArray());
      return JSON.stringify(await Promise.all(all));
    };
    const before = await dump();
    // Again and again, and on whichever node.
    for (const node of [first, second]) {
      await expect
        .poll(() => at.call("connect_own_database", { url }).then(() => "connected", String), { timeout: 30_000 })
        .toBe("connected");
      await at.call("activate_own_database");
      expect(await at.finish(node)).toMatchObject({
        state: "failed",
        error: expect.stringMatching(
          /disconnected while your database was away\. \d+ records in it differ from the content in Stet/,
        ) as string,
      });
      expect(await dump()).toBe(before);
    }
    expect(await at.home()).toEqual({ kind: "managed", epoch: 2 });

    // Emptied by its owner it can be used again, and so can one that was left in order, however old what lies there is.
    for (const name of ["posts", "revisions", "claims"]) await there.collection(name).deleteMany({});
    await at.call("activate_own_database");
    expect(await at.finish()).toMatchObject({ state: "done", error: null });
    expect(await at.back()).toMatchObject({ state: "done" });
    const other = moving.newDatabase();
    expect(await at.out(other.url)).toMatchObject({ state: "done" });
    await write.draft("Meanwhile elsewhere");
    expect(await at.back()).toMatchObject({ state: "done" });
    expect(await at.out(url)).toMatchObject({ state: "done", error: null });
    const website = (await first.platform.websites.get(websiteId))!;
    expect(await first.contents.withContent(website, (own) => sumUp(own, websiteId))).toEqual(
      await sumUp(first.contents.managed, websiteId),
    );
  });

  test.each([
    ["is stopped", (at) => at.call("stop_content_move")],
    ["is disconnected once more", (at) => at.call("disconnect_own_database")],
    ["turns around", async () => {}],
  ] satisfies [string, (at: ReturnType<typeof onContent>) => Promise<unknown>][])(
    "a move back that %s after its switch, before the database was told, was an orderly end: the next move there is a usual one",
    async (_, end) => {
      const { at, write, posts, url, there, websiteId } = await open();
      expect(await at.out(url)).toMatchObject({ state: "done" });
      const saved = await write.edit(posts[1], { title: "Saved there" });
      await at.call("disconnect_own_database");
      const dying = withHomes(first, ({ move }) => ({
        move: async (...given) => Promise.reject(new Error(`Killed: ${await move(...given)}`)),
      }));
      expect(await at.finish(dying)).toMatchObject({ state: "running", failures: 1 });
      expect(await at.home()).toEqual({ kind: "managed", epoch: 2 });
      expect(await there.collection("stet").findOne()).toMatchObject({ epoch: 1 });
      await end(at);
      await write.edit(saved, { title: "Saved here" });
      expect(await at.out(url)).toMatchObject({ state: "done", error: null });
      const website = (await first.platform.websites.get(websiteId))!;
      expect(await first.contents.withContent(website, (own) => sumUp(own, websiteId))).toEqual(
        await sumUp(first.contents.managed, websiteId),
      );
    },
  );

  test("fault 15: after a return without the database overdue schedules wait for a person, and later ones are kept", async () => {
    const { at, write, url, without, websiteId } = await open();
    const due = (millis: number) => timestamp(first.now.getTime() + millis);
    const [overdue, later] = [await write.draft("Overdue"), await write.draft("Later")];
    await write.schedule(overdue, due(10 * MINUTE));
    await write.schedule(later, due(60 * MINUTE));
    await at.out(url);
    moving.proxy.cut();
    const pass = (millis: number) => moving.nodes.forEach((node) => node.pass(millis));
    pass(20 * MINUTE);
    // While it is away nothing is published, and nothing is given up.
    await publishDue(first);
    expect((await at.call("list_missing_content")).heldBack).toMatchObject([{ postId: overdue.id, title: "Overdue" }]);
    await at.call("disconnect_own_database", without);
    moving.proxy.restore();
    const status = async (post: { id: string }) => (await first.contents.managed.posts.get(websiteId, post.id as PostId))!.status;
    pass(2 * MINUTE);
    while ((await publishDue(second)) > 0);
    expect([await status(overdue), await status(later)]).toEqual(["scheduled", "scheduled"]);
    pass(60 * MINUTE);
    while ((await publishDue(second)) > 0);
    expect([await status(overdue), await status(later)]).toEqual(["scheduled", "published"]);
  });
});
