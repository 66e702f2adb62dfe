import { afterEach, beforeEach, expect, test } from "vitest";
import { newId } from "#domain/ids";
import { MINUTE, SECOND, timestamp } from "#domain/time";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";
import { openReceiver, type Receiver } from "#test/webhooks/receiver";
import { type Writing, writingIn } from "#test/webhooks/writing";
import { createDeliverer, type Deliverer } from "./deliverer.ts";

/** What people do to an endpoint while a delivery to it is under way, or while it fails. */
const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
let writing: Writing;
let receiver: Receiver;
let deliverer: Deliverer;
/** Answers the request that the receiver keeps waiting. */
let answer: (status: number) => void;

beforeEach(async () => {
  tenant = await services.makeTenant();
  writing = writingIn(services, tenant);
  receiver = await openReceiver((response) => {
    answer = (status) => response.writeHead(status).end();
  });
  deliverer = createDeliverer(services, { random: () => 0.5 });
});
afterEach(() => receiver.close());

/** An endpoint with one delivery under way; `ended` when what came of it is written down. */
async function oneUnderWay() {
  const { record } = await writing.addEndpoint(receiver.url);
  await writing.publish();
  const drained = createDeliverer(services, { random: () => 0.5 }).drain();
  await expect.poll(() => receiver.received.length).toBe(1);
  const ended = async (status: number) => {
    answer(status);
    await drained;
  };
  return { webhookId: record.id, ended };
}

/** What the owner was told of it. */
async function toldAbout(webhookId: string): Promise<readonly string[]> {
  const { rows } = await services.platform.activity.list(tenant.workspace.id, { targetId: webhookId, after: null, limit: 10 });
  return rows.map(({ action }) => action).filter((action) => action.startsWith("webhook_"));
}

test("what the old address still says counts neither against the new one nor against the event", async () => {
  const { webhookId, ended } = await oneUnderWay();
  const mended = await openReceiver();
  await writing.act("update_webhook", { webhookId, url: mended.url });
  await ended(410);
  expect(await writing.endpoint(webhookId)).toMatchObject({ status: "active", failures: 0, missed: 0 });
  expect(await toldAbout(webhookId)).toEqual([]);
  await deliverer.drain();
  expect(mended.received).toHaveLength(1);
  const [delivery] = await writing.deliveries({ webhookId });
  const { log, attempts } = await writing.act("get_delivery", { deliveryId: delivery!.id });
  expect([delivery!.status, attempts]).toEqual(["delivered", 2]);
  expect(log.map(({ url, status }) => [url, status])).toEqual(
    expect.arrayContaining([
      [receiver.url, 410],
      [mended.url, 204],
    ]),
  );
  await mended.close();
});

test("an address that stays the same keeps its count and its schedule", async () => {
  receiver.reaction = 500;
  const { record } = await writing.addEndpoint(receiver.url);
  await writing.publish();
  await deliverer.drain();
  await writing.act("update_webhook", { webhookId: record.id, url: receiver.url, debounceSeconds: 30 });
  await deliverer.drain();
  expect(receiver.received).toHaveLength(1);
  expect(await writing.endpoint(record.id)).toMatchObject({ status: "failing", failures: 1, debounceSeconds: 30 });
});

test("paused meanwhile, a failed one is missed and a received one was received", async () => {
  const failed = await oneUnderWay();
  await writing.act("pause_webhook", { webhookId: failed.webhookId });
  await failed.ended(410);
  expect(await writing.endpoint(failed.webhookId)).toMatchObject({ status: "paused", missed: 1, waiting: 0 });
  expect(await toldAbout(failed.webhookId)).toEqual([]);
  await writing.act("delete_webhook", { webhookId: failed.webhookId });
  receiver.received.length = 0;
  const received = await oneUnderWay();
  await writing.act("pause_webhook", { webhookId: received.webhookId });
  await received.ended(200);
  expect(await writing.endpoint(received.webhookId)).toMatchObject({ status: "paused", missed: 0, waiting: 0 });
});

test("deleted meanwhile, it is gone", async () => {
  const { webhookId, ended } = await oneUnderWay();
  await writing.act("delete_webhook", { webhookId });
  await ended(500);
  expect(await writing.deliveries()).toEqual([]);
});

test("what is on its way when its kind is no longer chosen is still sent; what happens later is not", async () => {
  receiver.reaction = 500;
  const { record } = await writing.addEndpoint(receiver.url);
  const post = await writing.publish();
  await deliverer.drain();
  await writing.act("update_webhook", { webhookId: record.id, events: ["post.deleted"] });
  await writing.update(post, { title: "Nobody asked" });
  receiver.reaction = 204;
  services.pass(10 * SECOND);
  await deliverer.drain();
  expect(receiver.received.map(({ event }) => event.type)).toEqual(["post.published", "post.published"]);
});

test("a test is sent at once also while the endpoint fails, once, and leaves the schedule as it was", async () => {
  receiver.reaction = 500;
  const { record } = await writing.addEndpoint(receiver.url);
  await writing.publish();
  await deliverer.drain();
  services.pass(10 * SECOND);
  await deliverer.drain();
  const { nextProbeAt } = await writing.endpoint(record.id);
  expect(nextProbeAt).toBe(new Date(services.now.getTime() + MINUTE).toISOString());
  const { deliveryId } = await writing.act("test_webhook", { webhookId: record.id });
  await deliverer.drain();
  expect(receiver.received.map(({ event }) => event.type)).toEqual(["post.published", "post.published", "webhook.test"]);
  expect(await writing.act("get_delivery", { deliveryId })).toMatchObject({ status: "failed", attempts: 1 });
  expect(await writing.endpoint(record.id)).toMatchObject({ status: "failing", failures: 3, nextProbeAt });
  services.pass(MINUTE);
  await deliverer.drain();
  expect(receiver.received.at(-1)).toMatchObject({ event: { type: "post.published" }, headers: { "stet-attempt": "3" } });
});

test("a test that is received ends the failing and releases what waits", async () => {
  receiver.reaction = 500;
  const { record } = await writing.addEndpoint(receiver.url);
  await writing.publish();
  await deliverer.drain();
  receiver.reaction = 204;
  await writing.act("test_webhook", { webhookId: record.id });
  await deliverer.drain();
  expect(await writing.endpoint(record.id)).toMatchObject({ status: "active", failures: 0, waiting: 0 });
});

test("tried now, a failing endpoint is probed with the first in line and goes on counting", async () => {
  receiver.reaction = 500;
  const { record } = await writing.addEndpoint(receiver.url);
  await writing.publish();
  await deliverer.drain();
  await writing.publish();
  services.pass(10 * SECOND);
  await deliverer.drain();
  const tryNow = () => writing.act("resume_webhook", { webhookId: record.id, resend: false });
  expect(await tryNow()).toMatchObject({ webhook: { status: "failing", failures: 2 } });
  await deliverer.drain();
  expect(new Set(receiver.ids()).size).toBe(1);
  const after = new Date(services.now.getTime() + 10 * SECOND).toISOString();
  expect(await writing.endpoint(record.id)).toMatchObject({ failures: 3, waiting: 2, nextProbeAt: after });
  receiver.reaction = 204;
  await tryNow();
  await deliverer.drain();
  expect(await writing.endpoint(record.id)).toMatchObject({ status: "active", failures: 0, waiting: 0 });
});

test("what was missed is put in line without disturbing what is under way", async () => {
  const { record } = await writing.addEndpoint(receiver.url);
  await writing.act("pause_webhook", { webhookId: record.id });
  await writing.publish("Missed");
  await deliverer.drain();
  await writing.act("resume_webhook", { webhookId: record.id, resend: false });
  await writing.publish("Under way");
  const drained = deliverer.drain();
  await expect.poll(() => receiver.received.length).toBe(1);
  expect(await writing.act("resume_webhook", { webhookId: record.id, resend: true })).toMatchObject({ resent: 1 });
  receiver.reaction = 204;
  answer(204);
  await drained;
  await deliverer.drain();
  expect(receiver.received.map(({ event }) => event.data.post?.["title"])).toEqual(["Under way", "Missed"]);
});

test("of several sent at once, the endpoint shows the one that failed", async () => {
  const { record } = await writing.addEndpoint(receiver.url);
  const poison = await writing.publish("Poison");
  await writing.publish("Fine");
  receiver.reaction = (response, { event }) => response.writeHead(event.data.post?.id === poison.id ? 422 : 200).end();
  await deliverer.drain();
  expect(await writing.endpoint(record.id)).toMatchObject({ status: "failing", lastAttempt: { status: 422 } });
});

test("a clock that is set back holds up what is in line for as long as it went back, and no longer", async () => {
  receiver.reaction = 204;
  await writing.addEndpoint(receiver.url);
  await writing.publish();
  await services.webhooks.handOut(timestamp(services.now), () => newId("delivery"), 100);
  services.pass(-5 * MINUTE);
  await deliverer.drain();
  expect(receiver.received).toEqual([]);
  services.pass(5 * MINUTE);
  await deliverer.drain();
  await deliverer.drain();
  expect(receiver.received).toHaveLength(1);
});

test("a delivery that is resent again and again keeps its latest 24 attempts", async () => {
  receiver.reaction = 204;
  await writing.addEndpoint(receiver.url);
  await writing.publish();
  await deliverer.drain();
  const [delivery] = await writing.deliveries();
  for (let i = 0; i < 25; i++) {
    services.pass(SECOND);
    await writing.act("resend_delivery", { deliveryId: delivery!.id });
    await deliverer.drain();
  }
  const { attempts, log } = await writing.act("get_delivery", { deliveryId: delivery!.id });
  expect([attempts, log.length]).toEqual([26, 24]);
  expect(log.map(({ at }) => at)).toEqual(log.map((_, i) => timestamp(services.now.getTime() - (23 - i) * SECOND)));
});

test("an answer that is no text is kept as far as it can be read", async () => {
  const answered = Buffer.from([0x4e, 0x6f, 0x00, 0xff, 0xfe, 0xed, 0xa0, 0x80, 0xf0, 0x9f, 0x98]);
  receiver.reaction = (response) => response.writeHead(500).end(answered);
  await writing.addEndpoint(receiver.url);
  await writing.publish();
  await deliverer.drain();
  const [delivery] = await writing.deliveries();
  expect(delivery?.lastAttempt?.answer).toMatch(/^No\ufffd+$/);
});
