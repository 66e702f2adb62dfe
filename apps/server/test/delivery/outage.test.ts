import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "#adapters/postgres/database";
import { openPostgresSignals } from "#adapters/postgres/signals/signals";
import { readRoutes } from "#delivery/read-routes";
import { createPreview } from "#delivery/preview";
import { previewRoute } from "#http/delivery/preview";
import { registry } from "#operations/registry";
import type { Signal, Signals } from "#ports/signals";
import { closedAtEnd } from "#test/closed-at-end";
import { openBreakableProxy } from "#test/breakable-proxy";
import { type DeliveryNode, deliveryServices, makeKey, problemOf, startDelivery } from "#test/delivery-node";
import { openTestDatabase } from "#test/postgres";
import { openTestServices, type Tenant, type TestServices } from "#test/services";

/** Two nodes of one install, whose database can be taken away from both. */
const direct = closedAtEnd(await openTestDatabase());
const cutOff = closedAtEnd(await openBreakableProxy(direct.url));

type Listener = Parameters<Signals["subscribe"]>[0];

interface Node {
  readonly services: TestServices;
  readonly signals: Signals;
  readonly heard: (Signal | "everything")[];
  readonly listeners: Listener[];
  readonly delivery: DeliveryNode;
}

async function openNode(): Promise<Node> {
  const database = openDatabase({ url: cutOff.url, lookUpMillis: 1_500, connectMillis: 2_000 });
  const opened = await openPostgresSignals(database, () => {});
  const listeners: Listener[] = [];
  const signals: Signals = { ...opened, subscribe: (listener) => (listeners.push(listener), opened.subscribe(listener)) };
  const services = await openTestServices({ signals }, database);
  const heard: (Signal | "everything")[] = [];
  signals.subscribe((signal) => heard.push(signal));
  const preview = previewRoute(
    createPreview({ ...deliveryServices(services), render: services.render, connections: services.connections }),
  );
  const delivery = await startDelivery(services, { readRoutes, publicRoutes: [preview] });
  return { services, signals, heard, listeners, delivery };
}

let here: Node;
let there: Node;
let tenant: Tenant;
let key: string;
beforeAll(async () => {
  here = await openNode();
  there = await openNode();
  return async () => {
    for (const { delivery, signals, services } of [here, there]) {
      await delivery.stop();
      await signals.close();
      await services.close();
    }
  };
});
beforeEach(async () => {
  tenant = await here.services.makeTenant({ plan: "free" });
  key = await makeKey(here.services, tenant);
  const draft = await here.services.call(registry.create_post, tenant.actor, { websiteId: tenant.website.id, title: "Live" });
  await here.services.call(registry.publish_post, tenant.actor, {
    websiteId: tenant.website.id,
    postId: draft.id,
    expectedVersion: draft.version,
  });
  await allHeard();
  await warm();
});
afterEach(() => {
  cutOff.restore();
  for (const { services } of [here, there]) services.pass(60_000);
});

/** Until both nodes have looked for changes once more: a mark that nobody is notified of is found by looking only. */
async function allHeard(): Promise<void> {
  const id = `site_mark${Math.random()}`;
  await direct.query({
    text: "INSERT INTO signals (topic, id, xid) VALUES ('content', $1, pg_current_xact_id())",
    values: [id],
  });
  for (const { heard } of [here, there]) await expect.poll(() => heard, { interval: 10 }).toContainEqual({ topic: "content", id });
}

async function warm(): Promise<void> {
  for (const { delivery } of [here, there]) expect((await delivery.get("/blog/posts", key)).status).toBe(200);
}

const read = async () => {
  const answers = await Promise.all([here, there].map(({ delivery }) => delivery.get("/blog/posts", key)));
  return answers.map(({ status, headers }) => [status, headers.get("cache-status")]);
};
const BOTH_READY = [
  [200, null],
  [200, null],
];

const makeDraft = () => here.services.call(registry.create_post, tenant.actor, { websiteId: tenant.website.id, title: "Draft" });
const save = (postId: string, expectedVersion: number) =>
  here.services.call(registry.edit_post, tenant.actor, {
    websiteId: tenant.website.id,
    postId,
    expectedVersion,
    title: "Draft, changed",
    autosave: true,
  });

describe("while the database is away, warm answers go out on every node as if nothing had happened", () => {
  test("after a draft was saved", async () => {
    const draft = await makeDraft();
    await warm();
    await save(draft.id, draft.version);
    await allHeard();
    cutOff.cut();
    expect(await read()).toEqual(BOTH_READY);
  });

  test("after a draft could not be saved", async () => {
    const draft = await makeDraft();
    await warm();
    cutOff.cut();
    await expect(save(draft.id, draft.version)).rejects.toThrow();
    expect(await read()).toEqual(BOTH_READY);
  });

  // The machine is gone without a word: nothing fails by itself.
  test.each(["cut", "hang"] as const)("after something was published, the answer before it, marked as old (%s)", async (away) => {
    const draft = await makeDraft();
    await warm();
    await here.services.call(registry.publish_post, tenant.actor, {
      websiteId: tenant.website.id,
      postId: draft.id,
      expectedVersion: draft.version,
    });
    await allHeard();
    cutOff[away]();
    expect(await read()).toEqual([
      [200, expect.stringMatching(/fwd=stale/)],
      [200, expect.stringMatching(/fwd=stale/)],
    ]);
  });
});

describe("while the database is away, a key is as good as it was known to be last", () => {
  const statuses = async (raw: string) =>
    Promise.all([here, there].map(async ({ delivery }) => (await delivery.get("/blog/posts", raw)).status));
  const call = (operation: "create_key" | "update_website" | "revoke_key" | "update_key" | "delete_website", input: object) =>
    here.services.call(registry[operation] as never, tenant.actor, { websiteId: tenant.website.id, ...input } as never);

  test.each([
    ["another key was made", "create_key", { name: "Another" }, "cut"],
    ["the website's settings were changed", "update_website", { expectedVersion: 1, settings: { language: "de" } }, "cut"],
    ["another key was made and no server answers", "create_key", { name: "Another" }, "hang"],
  ] as const)("after %s, it goes on", async (_, operation, input, away) => {
    await call(operation, input);
    await allHeard();
    cutOff[away]();
    // The second time nobody is asked.
    for (let n = 0; n < 2; n++) expect(await statuses(key)).toEqual([200, 200]);
    cutOff.restore();
  });

  test("after a restart of the database that was up for a moment only, it goes on", async () => {
    // As signals tell it of a server that was started since.
    for (const { listeners } of [here, there]) for (const listener of listeners) listener("everything");
    cutOff.cut();
    expect(await statuses(key)).toEqual([200, 200]);
  });

  test("one that was revoked stays closed, and another one of the website goes on", async () => {
    const { key: other, record } = await here.services.call(registry.create_key, tenant.actor, {
      websiteId: tenant.website.id,
      name: "Revoked",
    });
    await allHeard();
    expect([await statuses(other), await statuses(key)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    await call("revoke_key", { keyId: record.id });
    await allHeard();
    cutOff.cut();
    expect(await statuses(other)).toEqual([503, 503]);
    expect(await statuses(key)).toEqual([200, 200]);
    cutOff.restore();
    await expect.poll(() => statuses(other)).toEqual([401, 401]);
  });

  test.each([
    ["it can be used from fewer origins", "update_key", (keyId: string) => ({ keyId, origins: ["https://blog.example"] })],
    ["its website was deleted", "delete_website", () => ({ confirmName: tenant.website.name })],
  ] as const)("after %s, it does not go on, on the node that did it at once", async (_, operation, inputOf) => {
    const [record] = await here.services.platform.keys.list(tenant.website.id);
    await call(operation, inputOf(record!.id));
    cutOff.cut();
    expect((await here.delivery.get("/blog/posts", key)).status).toBe(503);
    cutOff.restore();
    await allHeard();
    cutOff.cut();
    expect(await statuses(key)).toEqual([503, 503]);
  });
});

describe("a fault of ours takes nothing from the client", () => {
  test("a key that this node has not seen is answered 503, however often it asks", async () => {
    const unseen = await makeKey(here.services, tenant);
    await allHeard();
    cutOff.cut();
    const answers = [];
    for (let n = 0; n < 60; n++) answers.push(await there.delivery.get("/blog/posts", unseen));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect((await problemOf(answers.at(-1)!)).code).toBe("UNAVAILABLE");
    expect(answers.at(-1)!.headers.get("ratelimit")).toBe('"address";r=50;t=0');
    cutOff.restore();
    await expect.poll(async () => (await there.delivery.get("/blog/posts", unseen)).status).toBe(200);
  });

  test("nor does an answer that is not ready, of its buckets or its month", async () => {
    cutOff.cut();
    const before = (await there.delivery.get("/blog/posts", key)).headers.get("ratelimit");
    for (let n = 0; n < 60; n++) expect((await there.delivery.get(`/blog/posts?limit=${n + 1}`, key)).status).toBe(503);
    const refused = await there.delivery.get("/blog/posts?limit=61", key);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("ratelimit")).toBe(before);
  });

  test("nor does a preview that cannot be read", async () => {
    const draft = await makeDraft();
    const { token } = await here.services.call(registry.create_preview, tenant.actor, { websiteId: tenant.website.id, postId: draft.id });
    cutOff.cut();
    for (let n = 0; n < 60; n++) expect((await there.delivery.get(`/preview/${token}`)).status).toBe(503);
  });
});
