import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openMongoContent } from "#adapters/mongodb/open";
import { raiseContentVersion } from "#adapters/postgres/content/raise-content-version";
import { createPreview } from "#delivery/preview";
import { createFindMediaFile } from "#delivery/media-file";
import { readRoutes } from "#delivery/read-routes";
import { MANAGED } from "#domain/content-home";
import { fail, Failure } from "#domain/failure";
import type { PostId, WebsiteId } from "#domain/ids";
import { sanitizeHtml } from "#domain/markdown/sanitize-html";
import { DAY, MINUTE, timestamp } from "#domain/time";
import { previewRoute } from "#http/delivery/preview";
import { execute } from "#operations/kernel/execute";
import { type OperationName, registry } from "#operations/registry";
import type { ContentStore } from "#ports/content-store";
import { createDeliverer } from "#worker/webhooks/deliverer";
import { publishDue } from "#worker/scheduler";
import { settleFiles } from "#worker/settle-files";
import { purgeMedia, purgeTrash, settlePending } from "#worker/sweeps";
import { sweepOwnStores } from "#worker/own-stores";
import { connectTestTool } from "#test/connected-tool";
import { writingIn } from "#test/delivery/writing";
import { type DeliveryNode, deliveryServices, startDelivery } from "#test/delivery-node";
import { distinctImage } from "#test/images";
import { mongoJavaServer, testDatabaseName } from "#test/mongodb";
import { createContentStores } from "#test/one-store";
import { withPart } from "#test/parts";
import { fillTenant } from "#test/policy/fill-tenant";
import { INPUTS } from "#test/policy/operation-inputs";
import { openTestServices, type Tenant, type TestServices } from "#test/services";
import { openReceiver } from "#test/webhooks/receiver";

/** A post is read here beside its website, before it is known where the website lies; what comes of it is not used. */
const READ_AHEAD = ["posts.get", "revisions.latest"];

/** Notes each call that concerns a website which does not lie here. */
function watched(store: ContentStore, moved: ReadonlySet<string>, seen: Set<string>): ContentStore {
  const parts = Object.entries(store).map(([part, methods]: [string, unknown]) => {
    if (typeof methods === "function") return [part, methods];
    const watchedMethods = Object.entries(methods as Record<string, (...args: unknown[]) => unknown>).map(([name, method]) => [
      name,
      (...args: unknown[]) => {
        const about = typeof args[0] === "string" ? args[0] : JSON.stringify(args[0] ?? "");
        if ([...moved].some((id) => about.includes(id)) && !READ_AHEAD.includes(`${part}.${name}`)) seen.add(`${part}.${name}`);
        return method(...args);
      },
    ]);
    return [part, Object.fromEntries(watchedMethods)];
  });
  return Object.fromEntries(parts) as ContentStore;
}

withPart("mongo-java-server 1.47", mongoJavaServer.find(), (server) => {
  let services: TestServices;
  let node: DeliveryNode;
  let tenant: Tenant;
  let here: { websiteId: WebsiteId };
  let own: ContentStore;
  let stop: () => Promise<void>;
  const moved = new Set<string>();
  const seen = new Set<string>();
  const lent = { now: 0, away: false, asked: 0 };

  beforeAll(async () => {
    services = await openTestServices();
    const started = await server.start();
    tenant = await services.makeTenant();
    const { id } = tenant.website;
    here = { websiteId: id };
    own = await openMongoContent({
      url: started.url,
      database: testDatabaseName(),
      only: id,
      onVisibleChange: (websiteId) => raiseContentVersion(services.database, websiteId),
      sanitizeHtml,
    });
    const managed = watched(services.contents.managed, moved, seen);
    const contents = createContentStores(managed, async (website, work) => {
      expect(website.id).toBe(id);
      lent.asked += 1;
      if (lent.away) throw fail("CONTENT_STORE_UNAVAILABLE", "It does not answer.");
      lent.now += 1;
      try {
        return await work(own);
      } finally {
        lent.now -= 1;
      }
    });
    Object.assign(services, { contents, contentOf: (website: { id: string }) => (moved.has(website.id) ? own : managed) });
    await services.platform.homes.pause(id, 10);
    expect(await services.platform.homes.move({ id, home: MANAGED }, "own")).toBe(true);
    moved.add(id);
    const preview = previewRoute(
      createPreview({ ...deliveryServices(services), render: services.render, connections: services.connections }),
    );
    node = await startDelivery(services, { readRoutes, publicRoutes: [preview] });
    stop = async () => {
      await node.stop();
      await own.close();
      await started.stop();
      await services.close();
    };
  }, 60_000);
  afterAll(() => stop?.());

  const isOver = () => {
    expect([...seen]).toEqual([]);
    expect(lent.now).toBe(0);
  };

  test("people, tools, readers, receivers, schedules and sweeps find a website's content in its own store, and none of it in ours", async () => {
    const write = writingIn(services, tenant);
    const receiver = await openReceiver();
    await services.call(registry.create_webhook, tenant.actor, { ...here, url: receiver.url });
    const { key } = await services.call(registry.create_key, tenant.actor, { ...here, name: "Test" });
    const category = await write.term("category", "Bread");
    const image = await write.image("dot.gif");
    const post = await write.post("Sourdough", { categoryIds: [category.id], coverMediaId: image.id, body: "Flour and water." });
    expect(await own.posts.get(here.websiteId, post.id)).toMatchObject({ status: "published" });

    const read = async (path: string) => text((await node.get(path, key)).body!);
    for (const path of [
      "/blog/posts",
      `/blog/posts/${post.working.slug}`,
      "/blog/search?q=flour",
      "/blog/categories",
      `/blog/media/${image.id}`,
    ])
      expect([path, await read(path)]).toEqual([path, expect.stringMatching(/Sourdough|Bread|dot\.gif/)]);
    const { token } = await services.call(registry.create_preview, tenant.actor, { ...here, postId: post.id });
    expect(await read(`/preview/${token}`)).toContain("Flour and water.");
    const find = createFindMediaFile({ ...deliveryServices(services), ...services });
    expect(await find(here.websiteId, `${image.id}.gif`, null)).not.toBeNull();

    // A receiver hears of it, and what a reader sees follows.
    await createDeliverer(services).drain();
    expect(receiver.received.map(({ event }) => event.data.post?.categories)).toEqual([[expect.objectContaining({ name: "Bread" })]]);
    const renamed = await write.revise(post, { title: "Rye" });
    expect(await read("/blog/posts")).toContain("Rye");

    // A schedule, a tool's change and its undo, a suggestion.
    const planned = await write.schedule(await write.draft("Planned"), timestamp(services.now.getTime() + MINUTE));
    services.pass(MINUTE);
    await publishDue(services);
    expect(await own.posts.get(here.websiteId, planned.id)).toMatchObject({ status: "published" });
    const tool = await connectTestTool(services, tenant);
    const since = timestamp(services.now);
    const input = { ...here, postId: renamed.id, expectedVersion: renamed.version };
    await services.call(registry.edit_post, tool.actor, { ...input, excerpt: "By a tool" });
    const undo = {
      workspaceId: tenant.workspace.id,
      connectionId: tool.connection.id,
      since,
      until: timestamp(services.now),
      phase: "posts",
    };
    expect((await services.call(registry.undo_connection, tenant.actor, undo)).items).toMatchObject([{ id: renamed.id, left: null }]);
    await write.settings({ holdToolChanges: true });
    const held = await services.call(registry.edit_post, tool.actor, { ...input, expectedVersion: renamed.version + 2, excerpt: "Held" });
    expect(await own.beside.countOpen(here.websiteId, "suggestion")).toBe(1);
    await services.call(registry.accept_suggestion, tenant.actor, { ...here, suggestionId: held.suggestion!.id });
    expect(await own.posts.get(here.websiteId, renamed.id)).toMatchObject({ working: { excerpt: "Held" } });

    // An export keeps the store until it is taken, and an import comes back to it.
    const { lines } = await services.call(registry.export_website, tenant.actor, here);
    expect(lent.now).toBe(0);
    const taken: string[] = [];
    for await (const line of lines) {
      // From the first line on: a store that is away is found out before there is a file.
      expect(lent.now).toBe(1);
      taken.push(line);
    }
    expect(lent.now).toBe(0);
    expect(taken.some((line) => line.includes("Flour and water."))).toBe(true);
    const broken = (await services.call(registry.export_website, tenant.actor, here)).lines;
    for await (const line of broken) if (line.includes("Flour")) break;
    expect(lent.now).toBe(0);
    const report = await services.call(registry.import_website, tenant.actor, { ...here, source: Readable.from(taken) });
    expect(report).toMatchObject({ conflicts: [] });

    // Sweeps: what is in the trash goes there, with its file.
    const { id: trash } = await write.trash(await write.draft("Trash"));
    await write.deleteImage(image.id);
    services.pass(31 * DAY);
    for (const sweep of [settlePending, purgeTrash, purgeMedia]) await sweep(services, services.contents.managed);
    expect(await own.posts.get(here.websiteId, trash as PostId)).not.toBeNull();
    const sweeps = [settlePending, purgeTrash, purgeMedia].map((sweep, index) => ({ name: String(index), everyMillis: 0, sweep }));
    await sweepOwnStores(sweeps)(services);
    expect(await own.posts.get(here.websiteId, trash as PostId)).toBeNull();
    expect(await own.media.get(here.websiteId, image.id)).toBeNull();
    await settleFiles(services);
    isOver();
    await receiver.close();
  });

  test("no operation there is asks our own store for a website that lies elsewhere", async () => {
    const { ids, things } = await fillTenant(services, tenant);
    const gone = ["delete_workspace", "delete_website", "leave_workspace", "transfer_ownership", "remove_member"];
    const names = (Object.keys(INPUTS) as OperationName[]).filter((name) => registry[name].scope !== "account" && !gone.includes(name));
    for (const name of names) {
      const outcome: unknown = await execute(services, registry[name] as never, tenant.actor, INPUTS[name](ids, things)).catch(
        (error: unknown) => error,
      );
      // Some refuse the example, as the policy's tests know; none may break.
      if (outcome instanceof Error) expect([name, outcome]).toEqual([name, expect.any(Failure)]);
      if (outcome && typeof outcome === "object" && "lines" in outcome) for await (const _ of outcome.lines as AsyncIterable<string>);
    }
    isOver();
  });

  test("while it is away readers get the last good answer, or are refused at once; nobody else notices", async () => {
    const { key } = await services.call(registry.create_key, tenant.actor, { ...here, name: "Test" });
    const other = await services.makeTenant();
    const { key: theirs } = await services.call(registry.create_key, other.actor, { websiteId: other.website.id, name: "Test" });
    const write = writingIn(services, tenant);
    await write.post("Last good");
    const good = await text((await node.get("/blog/posts?limit=3", key)).body!);
    lent.away = true;
    services.pass(42_000);
    await raiseContentVersion(services.database, here.websiteId);
    await services.signals.tellHere({ topic: "content", id: here.websiteId });
    const stale = await node.get("/blog/posts?limit=3", key);
    expect([stale.status, stale.headers.get("age"), await text(stale.body!)]).toEqual([200, "42", good]);
    expect(stale.headers.get("cache-status")).toMatch(/^stet; fwd=stale/);
    const { asked } = lent;
    for (const path of ["/blog/posts?limit=4", "/blog/tags"]) {
      const refused = await node.get(path, key);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await refused.json()).toMatchObject({ code: "CONTENT_STORE_UNAVAILABLE" });
    }
    expect(lent.asked).toBe(asked);
    expect((await node.get("/blog/posts", theirs)).status).toBe(200);
    // What does not need it is done all the same.
    await write.settings({ description: "Said while it was away" });
    expect(await services.call(registry.get_home, tenant.actor, here)).toMatchObject({ alerts: [{ kind: "content-store" }] });
    await expect(write.draft("Typed meanwhile")).rejects.toMatchObject({ code: "CONTENT_STORE_UNAVAILABLE" });
    const image = { bytes: distinctImage(777), filename: "dot.gif", websiteId: other.website.id };
    await services.call(registry.add_media, other.actor, image);
    lent.away = false;
    services.pass(1_000);
    expect((await node.get("/blog/posts?limit=4", key)).status).toBe(200);
    await write.draft("Typed meanwhile");
    isOver();
  });

  test("a website that is deleted and erased leaves the customer's database as it is", async () => {
    const before = await own.posts.countByStatus(here.websiteId);
    const { eraseDeleted } = await import("#worker/sweeps");
    const { name } = (await services.platform.websites.get(here.websiteId))!;
    await services.call(registry.delete_website, tenant.actor, { ...here, confirmName: name });
    services.pass(31 * DAY);
    lent.asked = 0;
    while ((await eraseDeleted(services)) > 0);
    expect(lent.asked).toBe(0);
    expect(await own.posts.countByStatus(here.websiteId)).toEqual(before);
  });
});
