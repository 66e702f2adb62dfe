import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { newId } from "#domain/ids";
import { timestamp } from "#domain/time";
import { operations as webhooks } from "#operations/webhooks/index";
import type { Sender } from "#ports/sender";
import { openTestServices, type Tenant, type TestServices } from "#test/services";
import { openReceiver, type Receiver } from "#test/webhooks/receiver";
import { type Writing, writingIn } from "#test/webhooks/writing";
import { createDeliverer } from "./deliverer.ts";

let services: TestServices;
let tenant: Tenant;
let writing: Writing;
let receiver: Receiver;

beforeAll(async () => {
  services = await openTestServices();
});
afterAll(() => services.close());
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
  receiver.reaction = (response) => void setTimeout(() => response.writeHead(200).end(), 20);
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
    for (let j = 0; j < 50; j++) await other.addEndpoint(`${hanging.url}/${i}/${j}`);
    await other.publish();
  }
  services.now = new Date();
  const busy = createDeliverer(real, { graceMillis: 50 });
  busy.start();
  try {
    await expect.poll(() => hanging.received.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(128);
    await writing.addEndpoint(receiver.url);
    await writing.publish();
    await expect.poll(() => receiver.received.length, { timeout: 5_000, interval: 20 }).toBe(1);
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
