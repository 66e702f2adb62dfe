import { expect, test, vi } from "vitest";
import { ensureContentIndexes } from "#adapters/mongodb/open";
import { DAY, HOUR } from "#domain/time";
import { openOwnDatabases } from "#main/own-databases";
import { registry } from "#operations/registry";
import { writingIn } from "#test/delivery/writing";
import { mongoJavaServer } from "#test/mongodb";
import { withPart } from "#test/parts";
import { openTestServices, type Tenant } from "#test/services";
import { probeOwnDatabases } from "#worker/probe-own-databases";
import { onContent, openMovingOnce } from "./moving.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

withPart(mongoJavaServer.name, mongoJavaServer.find(), async (server) => {
  const { moving } = await openMovingOnce(server);

  test("how a database does is counted on all nodes; while it is away, Home and the page say so in words, on any node", async () => {
    const [first, second] = moving.nodes;
    const tenant = await first.makeTenant();
    const at = onContent(first, tenant);
    const post = await writingIn(first, tenant).draft("There");
    const { url } = moving.newDatabase();
    await at.out(url);
    const { id: websiteId } = tenant.website;
    const home = async (actor: Tenant["actor"] = tenant.actor, on = second) =>
      (await on.call(registry.get_home, actor, { websiteId })).alerts;
    const view = () => at.call("get_own_database", {}, second);
    await probeOwnDatabases(first);
    expect(await home()).toEqual([]);

    moving.proxy.cut();
    const read = (on = first) => on.call(registry.get_post, tenant.actor, { websiteId, postId: post.id });
    await expect(read()).rejects.toMatchObject({ code: "CONTENT_STORE_UNAVAILABLE" });
    await expect.poll(async () => (await view()).database?.isAway, { timeout: 10_000 }).toBe(true);
    const { database, history } = await view();
    expect(database?.error).toMatch(/^\w.*\.$/);
    expect(history).toHaveLength(96);
    expect(history.at(-1)).toMatchObject({ failed: 1, latencyMillis: expect.any(Number) });
    expect(history.at(-1)!.answered).toBeGreaterThan(1);
    expect(history.slice(0, -1).every(({ answered, failed }) => answered + failed === 0)).toBe(true);
    const [alert, ...others] = await home();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({ kind: "content-store", severity: "critical", next: expect.stringContaining(database!.error!) });
    // Who cannot manage it hears of it without its hosts.
    const [said] = await home(await tenant.addMember("contributor"));
    expect(said).toMatchObject({ kind: "content-store" });
    expect(JSON.stringify(said)).not.toContain("127.0.0.1");

    moving.proxy.restore();
    first.pass(HOUR);
    await expect
      .poll(async () => [await probeOwnDatabases(first), (await view()).database], { timeout: 20_000 })
      .toMatchObject([0, { isAway: false, error: database!.error, errorAt: database!.errorAt }]);
    expect(await home(tenant.actor, first)).toEqual([]);
    second.pass(HOUR);
    expect((await view()).history.at(-5)).toMatchObject({ failed: 1 });

    // A day later nothing is left of it but the last error; without the database nothing at all.
    for (const node of moving.nodes) node.pass(DAY + HOUR);
    moving.proxy.cut();
    await expect(read()).rejects.toMatchObject({ code: "CONTENT_STORE_UNAVAILABLE" });
    const rows = async () =>
      (await first.database.query({ text: "SELECT FROM own_database_health WHERE website_id = $1", values: [websiteId] })).rowCount;
    await expect.poll(rows, { timeout: 10_000 }).toBe(1);
    await at.call("disconnect_own_database", { withoutCopying: true, confirmName: tenant.website.name });
    moving.proxy.restore();
    expect(await rows()).toBe(0);
    expect(await view()).toMatchObject({ database: null, history: [] });
  });

  test("a newer version brings a database up to date once, whoever writes first; the version before then only reads", async () => {
    const [old] = moving.nodes;
    const tenant = await old.makeTenant();
    const { id: websiteId } = tenant.website;
    const post = await writingIn(old, tenant).draft("There");
    const { url, there } = moving.newDatabase();
    expect(await onContent(old, tenant).out(url)).toMatchObject({ state: "done" });
    const done: (number | null)[] = [];
    const newNode = async () => {
      const ownDatabases = openOwnDatabases({
        privateTargets: true,
        ownDatabasesOpen: 50,
        database: old.database,
        clock: () => new Date(),
        onBadDocument: () => {},
        onOutcome: () => {},
        schema: {
          version: 2,
          async bringUpToDate(opened, from) {
            done.push(from);
            await ensureContentIndexes(opened);
            await opened.collection("posts").createIndex({ inVersionTwo: 1 }, { name: "in_version_two" });
          },
        },
      });
      return openTestServices({ ownDatabases }, { ...old.database, close: async () => {} });
    };
    const nodes = [await newNode(), await newNode()];
    const marker = () => there.collection("stet").findOne({ _id: "marker" as never });
    // Reading changes nothing there, however often it is opened.
    for (const node of nodes) await node.call(registry.get_post, tenant.actor, { websiteId, postId: post.id });
    expect([done, await marker()]).toMatchObject([[], { schemaVersion: 1 }]);

    await Promise.all(nodes.flatMap((node) => ["One", "Two"].map((title) => writingIn(node, tenant).draft(title))));
    expect(done).toEqual([1]);
    expect(await marker()).toMatchObject({ schemaVersion: 2, epoch: 1 });
    expect((await there.collection("posts").indexes()).map(({ name }) => name)).toContain("in_version_two");

    old.ownDatabases.forget(websiteId);
    expect(await old.call(registry.get_post, tenant.actor, { websiteId, postId: post.id })).toMatchObject({ id: post.id });
    expect(await onContent(old, tenant).call("check_own_database")).toMatchObject({
      readOnly: { reason: expect.stringContaining("newer version of Stet"), confirmable: false },
    });

    // Without a writer the next visit does it; a marker that a person confirms counts as one of this version only when it is.
    await there.collection("stet").updateOne({ _id: "marker" as never }, { $set: { schemaVersion: 1 } });
    await probeOwnDatabases(nodes[0]!);
    expect([done, await marker()]).toMatchObject([[1, 1], { schemaVersion: 2 }]);
    await there.collection("stet").deleteOne({ _id: "marker" as never });
    const confirm = { confirmName: tenant.website.name };
    await onContent(nodes[0]!, tenant).call("confirm_own_database", confirm);
    expect([done, await marker()]).toMatchObject([[1, 1, null], { schemaVersion: 2 }]);
    await there.collection("stet").updateOne({ _id: "marker" as never }, { $set: { publicUrl: "https://elsewhere.test" } });
    await expect(onContent(old, tenant).call("confirm_own_database", confirm)).rejects.toThrow(/newer version of Stet/);
    for (const node of nodes) {
      await node.ownDatabases.close();
      await node.close();
    }
  });
});
