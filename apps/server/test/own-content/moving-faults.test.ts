import { expect, test, vi } from "vitest";
import { type PostId, type WebsiteId } from "#domain/ids";
import { createKeyring } from "#adapters/keyring/keyring";
import { resealAll } from "#adapters/postgres/reseal";
import { connectionOf } from "#operations/own-database/helpers/connection";
import { registry } from "#operations/registry";
import { writingIn } from "#test/delivery/writing";
import { ferretdb, mongoJavaServer } from "#test/mongodb";
import { withPart } from "#test/parts";
import { TEST_SECRET } from "#test/services";
import { runMove } from "#worker/moving/run-move";
import { sumUp } from "#worker/moving/sum-up";
import { isRefused, onContent, openMovingOnce, withHomes } from "./moving.ts";

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

for (const part of process.env.STET_SOAK ? [mongoJavaServer, ferretdb] : [mongoJavaServer])
  withPart(part.name, part.find(), async (server) => {
    const { moving, first, second } = await openMovingOnce(server);

    const open = async () => {
      const tenant = await first.makeTenant();
      const write = writingIn(first, tenant);
      const posts = [await write.post("One"), await write.post("Two"), await write.draft("Three")] as const;
      const { url, there } = moving.newDatabase();
      return { tenant, write, posts, url, there, at: onContent(first, tenant), websiteId: tenant.website.id };
    };
    const died = () => Promise.reject(new Error("This node was killed."));
    const titleOf = async (websiteId: WebsiteId, id: string) => {
      const website = (await first.platform.websites.get(websiteId))!;
      return first.contents.withContent(website, async ({ posts }) => (await posts.get(websiteId, id as PostId))?.working.title ?? null);
    };

    test("fault 2: a node that dies in the pause leaves the website where it was; writers wait for seconds, and another node goes on", async () => {
      const { at, url, write, posts, websiteId } = await open();
      const dying = withHomes(first, () => ({ move: died, resume: async () => {} }));
      await at.call("connect_own_database", { url });
      await at.call("activate_own_database");
      expect(await at.finish(dying)).toMatchObject({ state: "running", failures: 1 });
      expect(await at.home()).toEqual({ kind: "managed", epoch: 0 });
      await expect(write.edit(posts[0], { title: "Early" })).rejects.toMatchObject({ facts: { reason: "paused" } });
      await expect.poll(() => write.edit(posts[0], { title: "Late" }).then(() => "saved", isRefused), { timeout: 15_000 }).toBe("saved");
      expect(await at.finish(second)).toMatchObject({ state: "done" });
      expect(await at.home()).toEqual({ kind: "own", epoch: 1 });
      expect(await titleOf(websiteId, posts[0].id)).toBe("Late");
    });

    test("fault 3: a node that dies right after the switch has switched; another one tidies up, and a stale node writes to the right place", async () => {
      const { at, url, posts, tenant, websiteId, there } = await open();
      const dying = withHomes(first, (homes) => ({ move: (...given) => homes.move(...given).then(died) }));
      await at.call("connect_own_database", { url });
      await at.call("activate_own_database");
      await at.finish(dying);
      expect(await at.home()).toEqual({ kind: "own", epoch: 1 });
      expect(await there.collection("stet").findOne({})).toMatchObject({ epoch: 0 });
      await writingIn(second, tenant).edit(posts[1], { title: "There" });
      expect(await titleOf(websiteId, posts[1].id)).toBe("There");
      expect(await there.collection("stet").findOne({})).toMatchObject({ epoch: 1 });
      await at.step(second);
      expect(await at.call("get_own_database")).toMatchObject({ move: { state: "done" }, database: { activatedAt: expect.any(String) } });
    });

    test("faults 4 and 5: a database that goes away during the copy or the pause delays the move and nothing else", async () => {
      const { at, url, write, posts, websiteId } = await open();
      await at.call("connect_own_database", { url });
      await at.call("activate_own_database");
      await at.step();
      moving.proxy.cut();
      expect(await at.step()).toMatchObject({ state: "running", failures: 1 });
      const renamed = await write.edit(posts[0], { title: "While it was away" });
      moving.proxy.restore();
      const cutting = withHomes(first, (homes) => ({ pause: (...given) => homes.pause(...given).finally(() => moving.proxy.cut()) }));
      await expect
        .poll(async () => (await at.step(cutting)).error, { timeout: 30_000 })
        .toMatch(/could not be reached|too slow|not responding/);
      await expect.poll(async () => (await at.step(cutting)).failures, { timeout: 30_000 }).toBeGreaterThan(0);
      expect(await at.home()).toEqual({ kind: "managed", epoch: 0 });
      await write.edit(renamed, { title: "At once" });
      moving.proxy.restore();
      await expect.poll(async () => (await at.step()).state, { timeout: 60_000 }).toBe("done");
      expect(await at.home()).toEqual({ kind: "own", epoch: 1 });
      expect(await titleOf(websiteId, posts[0].id)).toBe("At once");
    });

    test("faults 6 and 11: what is renamed, purged or handed over during the copy arrives so, and so does what its owner changed there", async () => {
      const { at, url, write, posts, tenant, websiteId, there } = await open();
      await at.call("connect_own_database", { url });
      await at.call("start_content_move");
      await at.step();
      await at.step();
      const renamed = await write.revise(posts[0], { slug: "first" });
      await write.edit(posts[2], { slug: "one", takeSlugFrom: renamed.id });
      const trashed = await write.trash(posts[1]);
      await first.call(registry.purge_post, tenant.actor, {
        websiteId,
        postId: posts[1].id,
        expectedVersion: trashed.version,
      });
      await there.collection("posts").deleteOne({ _id: { $regex: posts[2].id } as never });
      expect(await at.finish()).toMatchObject({ state: "done", error: null });
      await at.call("activate_own_database");
      expect(await at.finish()).toMatchObject({ state: "done", error: null });
      const website = (await first.platform.websites.get(websiteId))!;
      await first.contents.withContent(website, async (own) => {
        expect(await sumUp(own, websiteId)).toEqual(await sumUp(first.contents.managed, websiteId));
        const owners = await own.claims.owners(websiteId, "post", ["one", "first"]);
        expect([owners.get("one"), owners.get("first")]).toEqual([posts[2].id, posts[0].id]);
      });
    });

    test("a purge that was cut off there after the post leaves no revisions behind, and no owner has to see to them", async () => {
      const { at, url, write, posts, tenant, websiteId, there } = await open();
      await at.call("connect_own_database", { url });
      await at.call("start_content_move");
      expect(await at.finish()).toMatchObject({ state: "done", error: null });
      const { version } = await write.trash(posts[1]);
      await first.call(registry.purge_post, tenant.actor, { websiteId, postId: posts[1].id, expectedVersion: version });
      await there.collection("posts").deleteOne({ _id: { $regex: posts[1].id } as never });
      expect(await there.collection("revisions").countDocuments({ post: posts[1].id })).toBeGreaterThan(0);
      await at.call("activate_own_database");
      expect(await at.finish()).toMatchObject({ state: "done", error: null });
      const website = (await first.platform.websites.get(websiteId))!;
      await first.contents.withContent(website, async (own) => {
        expect(await sumUp(own, websiteId)).toEqual(await sumUp(first.contents.managed, websiteId));
        expect((await own.revisions.list(websiteId, posts[1].id, { after: null, limit: 10 })).rows).toEqual([]);
      });
    });

    test("faults 11 and 12: somebody else's database is refused, newer documents are never overwritten, and a lost marker stops writes alone", async () => {
      const { at, url, write, posts, there, websiteId } = await open();
      const other = await open();
      expect(await at.out(url)).toMatchObject({ state: "done" });
      await expect(other.at.call("connect_own_database", { url })).rejects.toThrow(/belongs to another website/);
      expect(await at.back()).toMatchObject({ state: "done" });
      await there.collection("posts").updateOne({ _id: { $regex: posts[0].id } as never }, { $set: { version: 99 } });
      expect(await at.out(url)).toMatchObject({ state: "failed", error: expect.stringMatching(/1 record in your database is newer/) });
      expect(await at.home()).toEqual({ kind: "managed", epoch: 2 });
      await write.edit(posts[1], { title: "Still here" });

      expect(await other.at.out(other.url)).toMatchObject({ state: "done" });
      await other.there.collection("stet").deleteMany({});
      const third = other.tenant.website.id;
      expect(await titleOf(third, other.posts[0].id)).toBe("One");
      // Another node, which has not looked at the marker yet.
      await expect(writingIn(second, other.tenant).edit(other.posts[0], { title: "No" })).rejects.toThrow(/marker .* is missing/);
      expect(await titleOf(websiteId, posts[1].id)).toBe("Still here");
      const lost = { error: null, readOnly: { reason: expect.stringMatching(/marker .* is missing/), confirmable: true } };
      expect(await other.at.call("check_own_database")).toMatchObject(lost);
      await other.at.call("confirm_own_database", { confirmName: other.tenant.website.name });
      expect(await other.at.call("check_own_database")).toEqual({ latencyMillis: expect.any(Number), error: null, readOnly: null });
      await writingIn(second, other.tenant).edit(other.posts[0], { title: "Yes" });
      expect(await titleOf(third, other.posts[0].id)).toBe("Yes");
    });

    test("the address is sealed for its website, resealed with a new secret, never shown, and only for plans that include it", async () => {
      const { at, url, tenant, websiteId } = await open();
      const secret = url.replace("mongodb://", "mongodb://ada:hidden%21word@");
      await expect(at.call("connect_own_database", { url: secret })).rejects.not.toThrow(/hidden/);
      await at.call("connect_own_database", { url });
      const sealed = async () => (await first.platform.ownDatabases.get(websiteId))!.connection;
      const before = await sealed();
      expect(before).not.toContain("127.0.0.1");
      const keyring = createKeyring(["another secret for tests only", TEST_SECRET]);
      await resealAll(first.database, keyring, keyring.mac("setup", "").secretId);
      expect(await sealed()).not.toBe(before);
      expect(connectionOf(createKeyring(["another secret for tests only"]), (await first.platform.ownDatabases.get(websiteId))!)).toEqual({
        url,
        ca: null,
      });
      const { workspace, actor } = tenant;
      await expect(first.call(registry.change_plan, actor, { workspaceId: workspace.id, plan: "free" })).rejects.toMatchObject({
        code: "PLAN_LIMIT",
      });
      await at.call("disconnect_own_database");
      await first.call(registry.change_plan, actor, { workspaceId: workspace.id, plan: "free" });
      await expect(at.call("connect_own_database", { url })).rejects.toMatchObject({ code: "PLAN_REQUIRED" });
    });

    test("faults 7 and 14: a move back waits for a write under way, and without the database only the owner returns, to the copy", async () => {
      const { at, url, write, posts, tenant, websiteId } = await open();
      first.pass(60_000);
      expect(await at.out(url)).toMatchObject({ state: "done" });
      const website = (await first.platform.websites.get(websiteId))!;
      const taken = await second.platform.homes.takeTicket(website);
      await at.call("disconnect_own_database");
      const said: (string | null)[] = [];
      for (let n = 0; n < 4; n++) said.push((await at.step()).error);
      expect(said).toContainEqual(expect.stringMatching(/saving right now/));
      expect(await at.home()).toEqual({ kind: "own", epoch: 1 });
      if (typeof taken === "object") await second.platform.homes.returnTicket(websiteId, taken.ticket);
      await at.call("stop_content_move");

      first.pass(60_000);
      const updated = await write.revise(posts[0], { title: "Only there" });
      first.pass(1_000);
      const draft = await write.draft("Only a draft");
      first.pass(1_000);
      const term = await write.term("tag", "Late");
      const late = await second.platform.homes.takeTicket(website);
      moving.proxy.cut();
      const away = { latencyMillis: null, error: expect.stringMatching(/\w/), readOnly: null };
      expect(await at.call("check_own_database")).toEqual(away);
      const { changes, total } = await at.call("list_missing_content");
      const shown = changes.map(({ kind, id, title, visible }) => [kind, id, title, visible]);
      expect([total, shown]).toEqual([
        3,
        [
          ["tag", term.id, "Late", false],
          ["post", draft.id, "Only a draft", false],
          ["post", posts[0].id, "Only there", true],
        ],
      ]);
      const without = { withoutCopying: true, confirmName: tenant.website.name };
      await expect(at.call("disconnect_own_database", without, first, await tenant.addMember("admin"))).rejects.toMatchObject({
        code: "INSUFFICIENT_ROLE",
      });
      await expect(at.call("disconnect_own_database", { ...without, confirmName: "no" })).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
      });
      expect(await at.call("disconnect_own_database", without)).toMatchObject({ home: "managed", database: null });
      moving.proxy.restore();
      expect(await titleOf(websiteId, posts[0].id)).toBe("One");
      // Whoever has the last text from there open does not write over the older one unasked.
      await expect(write.edit(updated, { title: "Stale" })).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
      expect(typeof late === "object" && (await second.platform.homes.returnTicket(websiteId, late.ticket))).toBe(false);
      expect(await runMove(first, { websiteId, subject: "content" })).toBe(0);
    });
  });
