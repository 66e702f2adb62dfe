import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createGuardedSender } from "#adapters/guarded-fetch/sender";
import { HOUR, MINUTE, SECOND } from "#domain/time";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";
import { openReceiver, type Reaction, type Receiver } from "#test/webhooks/receiver";
import { type Writing, writingIn } from "#test/webhooks/writing";
import { createDeliverer, type Deliverer } from "./deliverer.ts";

const SCHEDULE = [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR];

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
let writing: Writing;
let receiver: Receiver;
/** Its randomness is the middle: delays are exactly those of the schedule. */
let deliverer: Deliverer;

beforeEach(async () => {
  tenant = await services.makeTenant();
  writing = writingIn(services, tenant);
  receiver = await openReceiver(500);
  deliverer = createDeliverer(services, { random: () => 0.5 });
});
afterEach(() => receiver.close());

/** Lets time pass and sends what became due. */
async function pass(millis: number): Promise<void> {
  services.pass(millis);
  await deliverer.drain();
}

test("attempts follow the schedule to the millisecond; after the eighth the delivery has failed", async () => {
  const { record } = await writing.addEndpoint(receiver.url);
  await writing.publish();
  await deliverer.drain();
  expect(receiver.received).toHaveLength(1);
  for (const [index, delay] of SCHEDULE.entries()) {
    await pass(delay - 1);
    expect(receiver.received, `before attempt ${index + 2}`).toHaveLength(index + 1);
    await pass(1);
    expect(receiver.received, `attempt ${index + 2}`).toHaveLength(index + 2);
    expect(receiver.received.at(-1)?.headers["stet-attempt"]).toBe(String(index + 2));
  }
  const [delivery] = await writing.deliveries();
  expect(delivery).toMatchObject({ status: "failed", attempts: 8 });
  expect(await writing.endpoint(record.id)).toMatchObject({ status: "failing", failures: 8, waiting: 0 });
  await pass(48 * HOUR);
  expect(receiver.received).toHaveLength(8);
  const { log } = await writing.act("get_delivery", { deliveryId: delivery!.id });
  expect(log.map(({ status, error }) => [status, error])).toEqual(
    Array.from({ length: 8 }, () => [500, "The receiver answered 500 instead of 2xx."]),
  );
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers["service-signature"])).size).toBe(8);
});

test("while it fails its deliveries wait in order and one at a time probes; a success releases them all", async () => {
  const { record } = await writing.addEndpoint(receiver.url);
  await writing.publish();
  await deliverer.drain();
  for (let i = 0; i < 20; i++) await writing.publish();
  const ids = (await writing.events()).map((event) => event.id);
  await pass(10 * SECOND - 1);
  expect(receiver.ids()).toEqual([ids[0]]);
  await pass(1);
  expect(receiver.ids()).toEqual([ids[0], ids[0]]);
  await pass(59 * SECOND);
  expect(await writing.endpoint(record.id)).toMatchObject({ status: "failing", failures: 2, waiting: 21 });
  receiver.reaction = 200;
  await pass(SECOND);
  expect(receiver.received).toHaveLength(23);
  expect(receiver.ids()[2]).toBe(ids[0]);
  expect(new Set(receiver.ids().slice(2))).toEqual(new Set(ids));
  expect(await writing.endpoint(record.id)).toMatchObject({ status: "active", failures: 0, waiting: 0 });
});

test("after a delivery failed for good the next event probes, and so does one that is resent", async () => {
  const { record } = await writing.addEndpoint(receiver.url);
  await writing.publish();
  await deliverer.drain();
  for (const delay of SCHEDULE) await pass(delay);
  expect(await writing.endpoint(record.id)).toMatchObject({ status: "failing", waiting: 0, nextProbeAt: null });
  await writing.publish();
  await deliverer.drain();
  expect(receiver.received).toHaveLength(9);
  for (const delay of SCHEDULE) await pass(delay);
  expect(await writing.endpoint(record.id)).toMatchObject({ status: "failing", failures: 16, waiting: 0 });
  receiver.reaction = 204;
  await writing.act("resend_delivery", { deliveryId: receiver.received[0]!.headers["stet-delivery-id"] });
  await deliverer.drain();
  expect(await writing.endpoint(record.id)).toMatchObject({ status: "active", failures: 0 });
});

test("20 failed attempts in a row switch it off, the owner is told at 10 and at 20, and what was missed can be sent", async () => {
  const { record } = await writing.addEndpoint(receiver.url);
  for (let i = 0; i < 3; i++) {
    await writing.publish();
    await deliverer.drain();
  }
  for (let i = 0; i < 24; i++) await pass(12 * HOUR);
  expect(receiver.received).toHaveLength(20);
  expect(await writing.endpoint(record.id)).toMatchObject({ status: "off", offReason: "failures", failures: 20, missed: 1 });
  await writing.publish("While it was off");
  await pass(HOUR);
  expect(receiver.received).toHaveLength(20);
  const log = await services.platform.activity.list(tenant.workspace.id, { targetId: record.id, after: null, limit: 10 });
  expect(log.rows.map(({ action, details }) => [action, details.failures])).toEqual([
    ["webhook_switched_off", 20],
    ["webhook_failing", 10],
    ["create_webhook", undefined],
  ]);
  receiver.reaction = 204;
  expect(await writing.act("resume_webhook", { webhookId: record.id, resend: true })).toMatchObject({
    resent: 2,
    webhook: { status: "active" },
  });
  await deliverer.drain();
  const ids = (await writing.events()).map((event) => event.id);
  expect(receiver.ids().slice(20).toSorted()).toEqual([ids[2], ids[3]].toSorted());
  expect(await writing.act("resend_failed", { webhookId: record.id, since: "2026-01-01T00:00:00.000Z" })).toMatchObject({ resent: 2 });
  await deliverer.drain();
  expect(new Set(receiver.ids().slice(20))).toEqual(new Set(ids));
});

test("a new address is tried at once, with what waited for the old one", async () => {
  const { record } = await writing.addEndpoint(receiver.url);
  await writing.publish();
  await deliverer.drain();
  await writing.publish();
  const mended = await openReceiver();
  expect(await writing.act("update_webhook", { webhookId: record.id, url: mended.url })).toMatchObject({ status: "active", failures: 0 });
  await deliverer.drain();
  expect(mended.received.map(({ headers }) => headers["stet-attempt"]).toSorted()).toEqual(["1", "2"]);
  expect(receiver.received).toHaveLength(1);
  await mended.close();
});

test("410 switches it off at once", async () => {
  const { record } = await writing.addEndpoint(receiver.url);
  receiver.reaction = 410;
  await writing.publish();
  await deliverer.drain();
  expect(await writing.endpoint(record.id)).toMatchObject({ status: "off", offReason: "gone", failures: 1, missed: 1 });
  await pass(48 * HOUR);
  expect(receiver.received).toHaveLength(1);
});

test("a 2xx resets the count", async () => {
  const { record } = await writing.addEndpoint(receiver.url);
  await writing.publish();
  await deliverer.drain();
  for (const delay of SCHEDULE.slice(0, 5)) await pass(delay);
  expect((await writing.endpoint(record.id)).failures).toBe(6);
  receiver.reaction = 299;
  await pass(6 * HOUR);
  expect(await writing.endpoint(record.id)).toMatchObject({ status: "active", failures: 0, failingSince: null });
});

test("one that fails among others does not keep the endpoint busy: it is probed on its schedule", async () => {
  await writing.addEndpoint(receiver.url);
  const poison = await writing.publish("Poison");
  receiver.reaction = (response, { event }) => response.writeHead(event.data.post?.id === poison.id ? 500 : 200).end();
  for (let i = 0; i < 5; i++) await writing.publish();
  await deliverer.drain();
  await deliverer.drain();
  expect(receiver.received.filter(({ event }) => event.data.post?.id === poison.id)).toHaveLength(1);
});

const REACTIONS: Record<string, Reaction> = {
  "a redirect": (response) => response.writeHead(301, { location: "http://127.0.0.1:1/elsewhere" }).end(),
  "a reset": (response) => response.socket!.resetAndDestroy(),
  silence: () => {},
  "headers, then a slow drip": (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write("."), 20);
    response.on("close", () => clearInterval(timer));
  },
  "a change of protocol": (response) =>
    void response.socket!.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: chat\r\nConnection: Upgrade\r\n\r\n"),
  "half an answer": (response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half", () => response.socket!.destroy());
  },
};

test.each(Object.entries(REACTIONS))("%s is a failed attempt, within the time limit", async (_, reaction) => {
  receiver.reaction = reaction;
  const sender = createGuardedSender({ privateTargets: true, timeoutMillis: 1_000 });
  const { record } = await writing.addEndpoint(receiver.url);
  await writing.publish();
  await createDeliverer({ ...services, sender }).drain();
  const webhook = await writing.endpoint(record.id);
  expect(webhook).toMatchObject({ status: "failing", failures: 1 });
  expect(webhook.lastAttempt?.error).toMatch(/^[A-Z].*\.$/);
  expect(receiver.received).toHaveLength(1);
  sender.close();
});

test("an answer without end is cut off after 64 KiB, and its status counts", async () => {
  let written = 0;
  receiver.reaction = (response) => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(16 * 1_024))) written += 16 * 1_024;
    };
    response.on("drain", more);
    more();
  };
  const { record } = await writing.addEndpoint(receiver.url);
  await writing.publish();
  await deliverer.drain();
  expect(await writing.endpoint(record.id)).toMatchObject({ status: "active" });
  expect(written).toBeLessThan(32 * 1_024 * 1_024);
});

test("nothing listens, or something that is not HTTP: failed attempts", async () => {
  const closed = await openReceiver();
  await closed.close();
  const { record } = await writing.addEndpoint(closed.url);
  const gibberish = createServer((socket) => {
    socket.on("error", () => {});
    socket.end("220 mail.example.com ESMTP\r\n");
  });
  gibberish.listen(0, "127.0.0.1");
  await once(gibberish, "listening");
  const other = await writing.addEndpoint(`http://127.0.0.1:${(gibberish.address() as AddressInfo).port}/`);
  await writing.publish();
  await deliverer.drain();
  expect((await writing.endpoint(record.id)).lastAttempt?.error).toBe("The connection was refused: nothing is listening there.");
  expect((await writing.endpoint(other.record.id)).lastAttempt?.error).toBe("The answer is not HTTP.");
  gibberish.close();
});

test("what happens while it is paused is missed, and sent later only if asked for", async () => {
  receiver.reaction = 200;
  const { record } = await writing.addEndpoint(receiver.url);
  await writing.act("pause_webhook", { webhookId: record.id });
  await writing.publish("Missed");
  await deliverer.drain();
  await writing.act("resume_webhook", { webhookId: record.id, resend: false });
  await writing.publish("Heard");
  await deliverer.drain();
  expect(receiver.received.map(({ event }) => event.data.post?.title)).toEqual(["Heard"]);
  // Also when it was switched on without them.
  await writing.act("resend_failed", { webhookId: record.id, since: "2026-01-01T00:00:00.000Z" });
  await deliverer.drain();
  expect(receiver.received.map(({ event }) => event.data.post?.title)).toEqual(["Heard", "Missed"]);
});

test("to a paused endpoint nothing is sent by hand either", async () => {
  const { record } = await writing.addEndpoint(receiver.url);
  const { deliveryId } = await writing.act("test_webhook", { webhookId: record.id });
  await writing.act("pause_webhook", { webhookId: record.id });
  const calls = [
    () => writing.act("test_webhook", { webhookId: record.id }),
    () => writing.act("resend_delivery", { deliveryId }),
    () => writing.act("resend_failed", { webhookId: record.id, since: "2026-01-01T00:00:00.000Z" }),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
});
