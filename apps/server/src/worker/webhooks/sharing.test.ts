import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newId } from "#domain/ids";
import { timestamp } from "#domain/time";
import { execute } from "#operations/kernel/execute";
import { operations as webhooks } from "#operations/webhooks/index";
import type { Sender } from "#ports/sender";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";
import { openReceiver, type Receiver } from "#test/webhooks/receiver";
import { type Writing, writingIn } from "#test/webhooks/writing";
import { createDeliverer } from "./deliverer.ts";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
let writing: Writing;
let receiver: Receiver;

beforeEach(async () => {
  services.now = new Date("2026-11-15T09:00:00.000Z");
  tenant = await services.makeTenant();
  writing = writingIn(services, tenant);
  receiver = await openReceiver();
});
afterEach(() => receiver.close());

/** A worker of its own on the same database; `sent` counts what it sent. */
function worker(post: Sender["post"] = services.sender.post) {
  const counted = { sent: 0 };
  const sender: Sender = {
    ...services.sender,
    post(request, signal) {
      counted.sent += 1;
      return post(request, signal);
    },
  };
  return Object.assign(counted, createDeliverer({ ...services, sender }, { graceMillis: 50 }));
}

test("several workers share the endpoints, and nothing is sent twice", async () => {
  for (let i = 0; i < 30; i++) await writing.addEndpoint(`${receiver.url}/${i}`);
  for (let i = 0; i < 5; i++) await writing.publish();
  await worker().drain();
  const workers = [worker(), worker(), worker()];
  for (let i = 0; i < 5; i++) await writing.publish();
  // Handed out before, so that all three find something to claim.
  await services.webhooks.handOut(timestamp(services.now), () => newId("delivery"), 100);
  await Promise.all(workers.map((each) => each.drain()));
  expect(receiver.received).toHaveLength(300);
  expect(new Set(receiver.received.map(({ path, event }) => `${path} ${event.id}`)).size).toBe(300);
  expect(workers.filter(({ sent }) => sent > 0).length).toBeGreaterThan(1);
});

test("at most eight deliveries to one endpoint are under way at once, on all workers together", async () => {
  const held: ServerResponse[] = [];
  const answer = (response: ServerResponse) => response.writeHead(200).end();
  const answerAll = () => {
    receiver.reaction = answer;
    held.forEach(answer);
  };
  // Nobody is answered before eight are there and a ninth had a moment to come.
  receiver.reaction = (response) => {
    if (held.push(response) === 8) setTimeout(answerAll, 100);
  };
  await writing.addEndpoint(receiver.url);
  for (let i = 0; i < 20; i++) await writing.publish();
  await Promise.all([worker().drain(), worker().drain()]);
  expect(receiver.received).toHaveLength(20);
  expect(receiver.mostAtOnce).toBe(8);
});

test("what a dead worker held is taken over when its lease ends, not before", async () => {
  await writing.addEndpoint(receiver.url);
  await writing.publish();
  // It claims, and is never heard of again.
  void worker(() => new Promise(() => {})).drain();
  await expect
    .poll(async () => (await services.database.query({ text: "SELECT 1 FROM webhooks WHERE lease_holder IS NOT NULL" })).rowCount)
    .toBe(1);
  services.pass(29_000);
  await worker().drain();
  expect(receiver.received).toEqual([]);
  services.pass(2_000);
  await worker().drain();
  expect(receiver.received).toHaveLength(1);
});

test("a worker that lost its lease and comes back changes nothing but its own record", async () => {
  const { record } = await writing.addEndpoint(receiver.url);
  await writing.publish();
  let comeBack = (): void => {};
  const late = worker(async () => {
    await new Promise<void>((resolve) => (comeBack = resolve));
    return { status: 410, error: null, text: "", millis: 1 };
  });
  const lateEnds = late.drain();
  await expect.poll(() => late.sent).toBe(1);
  services.pass(31_000);
  await worker().drain();
  comeBack();
  await lateEnds;
  expect(await writing.endpoint(record.id)).toMatchObject({ status: "active", failures: 0 });
  expect(await writing.deliveries()).toMatchObject([{ status: "delivered" }]);
});

test("a worker that stops gives its leases back, and what it broke off does not count", async () => {
  const { record } = await writing.addEndpoint(receiver.url);
  await writing.publish();
  receiver.reaction = () => {};
  const stopped = worker();
  stopped.start();
  await expect.poll(() => receiver.received.length).toBe(1);
  await stopped.stop();
  expect(await writing.endpoint(record.id)).toMatchObject({ status: "active", failures: 0, waiting: 1 });
  receiver.reaction = 200;
  await worker().drain();
  expect(await writing.deliveries()).toMatchObject([{ status: "delivered", attempts: 1 }]);
});

test("many receivers that hang delay nobody else", async () => {
  const real = { ...services, clock: () => new Date() };
  const hanging = await openReceiver(() => {});
  for (let i = 0; i < 4; i++) {
    const other = writingIn(services, await services.makeTenant());
    await Promise.all(Array.from({ length: 50 }, (_, j) => other.addEndpoint(`${hanging.url}/${i}/${j}`)));
    await other.publish();
  }
  services.now = new Date();
  const busy = createDeliverer(real, { graceMillis: 50 });
  busy.start();
  try {
    await expect.poll(() => hanging.received.length).toBeGreaterThanOrEqual(128);
    await writing.addEndpoint(receiver.url);
    await writing.publish();
    // Sooner than those that hang are given up.
    await expect.poll(() => receiver.received.length, { timeout: 10_000 }).toBe(1);
  } finally {
    await busy.stop();
    await hanging.close();
  }
});

test("an event that is logged while an endpoint is added is either before it or delivered", async () => {
  const { create_webhook: create } = webhooks;
  for (let i = 0; i < 10; i++) {
    const [, published] = await Promise.all([
      services.call(create, tenant.actor, { ...writing.here, url: `${receiver.url}/${i}` }),
      writing.publish(),
    ]);
    await worker().drain();
    const late = await writing.publish();
    await worker().drain();
    const heard = receiver.received.filter(({ path }) => path.endsWith(`/${i}`)).map(({ event }) => event.data.post?.id);
    expect([[late.id], [published.id, late.id]]).toContainEqual(heard);
  }
});

test("whatever is put in line at the moment a worker finds the line empty is not forgotten", async () => {
  const real = { ...services, clock: () => new Date() };
  services.now = new Date();
  await writing.addEndpoint(receiver.url);
  const workers = [createDeliverer(real), createDeliverer(real)];
  for (const each of workers) each.start();
  try {
    const { record } = await writing.addEndpoint(receiver.url, { events: ["post.deleted"] });
    const tests: string[] = [];
    // One after the other, so that the line is empty again and again; signals are lost, as when a connection broke.
    for (let i = 0; i < 60; i++) {
      const { deliveryId } = await execute(real, webhooks.test_webhook, tenant.actor, { ...writing.here, webhookId: record.id });
      tests.push(deliveryId);
      if (i % 10 === 0) await writing.publish();
    }
    const heard = () => new Set(receiver.received.map(({ headers }) => headers["stet-delivery-id"]));
    await expect.poll(() => heard().size).toBe(66);
    expect(tests.filter((id) => !heard().has(id))).toEqual([]);
    expect(receiver.received).toHaveLength(66);
  } finally {
    await Promise.all(workers.map((each) => each.stop()));
  }
});

test("endpoints that are dead, off or idle cost a claim nothing", async () => {
  await writing.addEndpoint(receiver.url);
  await writing.publish();
  await services.database.query({
    text: `INSERT INTO webhooks (website_id, id, url, events, debounce_seconds, status, secret, created_at, after_sequence, slow_lane, due_at)
      SELECT $1, 'wh_' || n, 'https://example.com/', '{}', 0, CASE n % 3 WHEN 0 THEN 'failing' WHEN 1 THEN 'off' ELSE 'active' END, '', now(), 0,
        n % 3 = 0, CASE n % 3 WHEN 0 THEN timestamptz '2026-11-16' END
      FROM generate_series(1, 6000) AS n`,
    values: [tenant.website.id],
  });
  await services.database.query({ text: "ANALYZE webhooks" });
  await services.webhooks.handOut(timestamp(services.now), () => newId("delivery"), 100);
  for (const lane of [true, false]) {
    const { rows } = await services.database.query<{ "QUERY PLAN": string }>({
      text: `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT website_id, id FROM webhooks WHERE slow_lane = ${String(lane)}
        AND due_at <= '2026-11-15T09:00:00Z' ORDER BY due_at LIMIT 16 FOR UPDATE SKIP LOCKED`,
    });
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toContain("Index Scan using webhooks_due");
    expect(plan).not.toMatch(/Sort|Filter/);
  }
  await services.database.query({ text: "DELETE FROM webhooks WHERE secret = ''" });
});

test("a website whose events cannot be handed out keeps no other's waiting, and is tried again", async () => {
  await writing.addEndpoint(`${receiver.url}/${tenant.website.id}`);
  await writing.publish();
  const set = (event: string) =>
    services.database.query({ text: "UPDATE events SET event = $2 WHERE website_id = $1", values: [tenant.website.id, event] });
  const { rows } = await services.database.query<{ event: object }>({
    text: "SELECT event FROM events WHERE website_id = $1",
    values: [tenant.website.id],
  });
  await set('{"type":"post.published","post":{"content":{"title":"\\u0000"}}}');
  const other = await services.makeTenant();
  await writingIn(services, other).addEndpoint(`${receiver.url}/${other.website.id}`);
  await writingIn(services, other).publish();
  const told = () => receiver.received.map(({ path }) => path.split("/").at(-1));
  const deliverer = worker();
  await expect(deliverer.drain()).rejects.toThrow(tenant.website.id);
  await deliverer.drain();
  expect(told()).toEqual([other.website.id]);
  await set(JSON.stringify(rows[0]!.event));
  await services.database.query({ text: "UPDATE webhook_feeds SET behind_at = now() WHERE website_id = $1", values: [tenant.website.id] });
  await deliverer.drain();
  expect(told()).toEqual([other.website.id, tenant.website.id]);
});
