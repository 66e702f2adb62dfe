import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HOUR, MINUTE } from "#domain/time";
import { verifyWebhook } from "#domain/webhook-signature";
import { execute } from "#operations/kernel/execute";
import { operations as posts } from "#operations/posts/index";
import { operations as terms } from "#operations/terms/index";
import { operations as webhooks } from "#operations/webhooks/index";
import { deleteWebsite } from "#operations/websites/delete-website";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";
import { openReceiver, type Receiver } from "#test/webhooks/receiver";
import { type Writing, writingIn } from "#test/webhooks/writing";
import { oneStore } from "#test/one-store";
import { createDeliverer, type Deliverer } from "./deliverer.ts";
import { forgetDeliveries } from "./forget-deliveries.ts";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
let writing: Writing;
let receiver: Receiver;
let deliverer: Deliverer;

beforeEach(async () => {
  tenant = await services.makeTenant();
  writing = writingIn(services, tenant);
  receiver = await openReceiver();
  deliverer = createDeliverer(services, { random: () => 0.5 });
});
afterEach(() => receiver.close());

test("each change of a post is told once, to the endpoints that chose it", async () => {
  const deletions = await openReceiver();
  await writing.addEndpoint(receiver.url);
  await writing.addEndpoint(deletions.url, { events: ["post.deleted"] });
  const post = await writing.update(await writing.publish(), { title: "Changed" });
  await writing.remove(post);
  await deliverer.drain();
  await deliverer.drain();
  const types = (of: Receiver) => of.received.map(({ event }) => event.type);
  expect(types(receiver).toSorted()).toEqual(["post.deleted", "post.published", "post.updated"]);
  expect(types(deletions)).toEqual(["post.deleted"]);
  expect(await writing.deliveries({ status: "delivered" })).toHaveLength(4);
  await deletions.close();
});

test("nothing is sent while the request that publishes runs", async () => {
  await writing.addEndpoint(receiver.url);
  await writing.publish();
  expect(receiver.received).toEqual([]);
});

test("an endpoint is not told what happened before it was added", async () => {
  await writing.publish();
  await writing.addEndpoint(receiver.url);
  await writing.publish("Afterwards");
  await deliverer.drain();
  expect(receiver.received.map(({ event }) => event.data.post?.title)).toEqual(["Afterwards"]);
});

test("the body is what the contract says, byte for byte the same in the record", async () => {
  const category = await services.call(terms.create_term, tenant.actor, { ...writing.here, kind: "category", name: "Žluťoučký" });
  await writing.addEndpoint(receiver.url);
  const title = "😀é日".repeat(100);
  expect([...title]).toHaveLength(300);
  const published = await writing.publish(title, { slug: "old-slug", body: "A secret of the body", categoryIds: [category.id] });
  await writing.update(published, { slug: "new-slug" });
  await deliverer.drain();
  const event = (await writing.events())[1]!;
  const sent = receiver.received.find((entry) => entry.event.id === event.id)!;
  const json = JSON.parse(sent.body) as Record<string, unknown> & { data: { post: Record<string, unknown> } };
  expect(Object.keys(json)).toEqual(["id", "type", "apiVersion", "createdAt", "website", "actor", "data"]);
  expect(json).toMatchObject({
    id: event.id,
    type: "post.updated",
    apiVersion: "v1",
    createdAt: event.at,
    website: { id: tenant.website.id, name: tenant.website.name },
    actor: { type: "user", id: tenant.owner.id },
    data: { version: event.version, status: "published", previousSlug: "old-slug", changed: ["slug"] },
  });
  expect(Object.keys(json.data)).toEqual(["post", "version", "status", "previousSlug", "changed"]);
  expect(json.data.post).toMatchObject({ title, slug: "new-slug", categories: [{ id: category.id, name: "Žluťoučký" }] });
  expect(sent.body).not.toContain("A secret of the body");
  expect(sent.headers["content-length"]).toBe(String(Buffer.byteLength(sent.body)));
  const record = await writing.act("get_delivery", { deliveryId: sent.headers["stet-delivery-id"] });
  expect(record.body).toBe(sent.body);
});

test("a post that was never live is told by its id only", async () => {
  await writing.addEndpoint(receiver.url);
  const draft = await services.call(posts.create_post, tenant.actor, { ...writing.here, title: "Nobody's business" });
  await writing.remove(draft);
  await deliverer.drain();
  expect(receiver.received[0]?.event.data.post).toEqual({ id: draft.id });
});

test("openssl in a shell finds the same signature, and an old one is refused", async () => {
  const { secret } = await writing.addEndpoint(receiver.url);
  await writing.publish("Ünïcode 日本 😀 'quoted' \"twice\"");
  await deliverer.drain();
  const [{ headers, body }] = receiver.received as [Receiver["received"][number]];
  const header = headers["service-signature"] as string;
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header)!;
  expect(Number(t)).toBe(services.now.getTime() / 1_000);
  const answer = execFileSync("sh", ["-c", 'printf "%s.%s" "$T" "$BODY" | openssl dgst -sha256 -hmac "$SECRET" -r'], {
    env: { ...process.env, T: t, BODY: body, SECRET: secret },
    encoding: "utf8",
  });
  expect(answer.split(" ")[0]).toBe(v1);
  const after = (millis: number) => new Date(services.now.getTime() + millis);
  expect(verifyWebhook(header, body, secret, after(5 * MINUTE))).toBe(true);
  expect(verifyWebhook(header, body, secret, after(5 * MINUTE + 1))).toBe(false);
  expect(verifyWebhook(header, `${body} `, secret, services.now)).toBe(false);
  expect(verifyWebhook(header, body, `${secret}x`, services.now)).toBe(false);
  expect(headers).toMatchObject({
    "stet-attempt": "1",
    "stet-event-id": JSON.parse(body).id,
    "content-type": "application/json; charset=utf-8",
  });
});

test("after rolling, both secrets verify for 24 hours, then only the new one", async () => {
  const { secret: old, record } = await writing.addEndpoint(receiver.url);
  const { secret: fresh } = await writing.act("roll_webhook_secret", { webhookId: record.id });
  const verified = async () => {
    await writing.publish();
    await deliverer.drain();
    const { headers, body } = receiver.received.at(-1)!;
    return [old, fresh].map((secret) => verifyWebhook(headers["service-signature"] as string, body, secret, services.now));
  };
  expect(await verified()).toEqual([true, true]);
  services.pass(24 * HOUR - 1);
  expect(await verified()).toEqual([true, true]);
  services.pass(1);
  expect(await verified()).toEqual([false, true]);
});

test("a secret that was rolled and lost before anybody saw it does not end the one that the receiver knows", async () => {
  const { secret: known, record } = await writing.addEndpoint(receiver.url);
  const roll = async () => (await writing.act("roll_webhook_secret", { webhookId: record.id })).secret;
  const secrets = [known, await roll()];
  services.pass(HOUR);
  secrets.push(await roll());
  const verified = async () => {
    await writing.publish();
    await deliverer.drain();
    const { headers, body } = receiver.received.at(-1)!;
    return secrets.map((secret) => verifyWebhook(headers["service-signature"] as string, body, secret, services.now));
  };
  expect(await verified()).toEqual([true, true, true]);
  services.pass(23 * HOUR);
  expect(await verified()).toEqual([false, true, true]);
  services.pass(HOUR);
  expect(await verified()).toEqual([false, false, true]);
});

test("of two people who roll a secret at once, neither is shown one that does not sign", async () => {
  const { record } = await writing.addEndpoint(receiver.url);
  const bothHaveRead = Promise.withResolvers<void>();
  let read = 0;
  const get: typeof services.webhooks.get = async (...asked) => {
    const found = await services.webhooks.get(...asked);
    if (++read === 2) bothHaveRead.resolve();
    await bothHaveRead.promise;
    return found;
  };
  const input = { ...writing.here, webhookId: record.id };
  const roll = () => execute({ ...services, webhooks: { ...services.webhooks, get } }, webhooks.roll_webhook_secret, tenant.actor, input);
  const rolled = await Promise.allSettled([roll(), roll()]);
  await writing.publish();
  await deliverer.drain();
  const { headers, body } = receiver.received[0]!;
  for (const each of rolled) {
    if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "VERSION_CONFLICT" });
    else expect(verifyWebhook(headers["service-signature"] as string, body, each.value.secret, services.now)).toBe(true);
  }
  expect(rolled.map(({ status }) => status)).toContain("fulfilled");
});

test("secrets are stored sealed, and shown in no list", async () => {
  const { secret, record } = await writing.addEndpoint(receiver.url);
  const rolled = await writing.act("roll_webhook_secret", { webhookId: record.id });
  const { rows } = await services.database.query<{ row: string }>({ text: "SELECT w::text AS row FROM webhooks w" });
  const seen = JSON.stringify([rows, await writing.endpoint(record.id), record]);
  expect(seen).toContain(record.id);
  for (const text of [secret, rolled.secret]) expect(seen).not.toContain(text.slice(6));
});

test("many changes within the debounce time are told as one: the newest, which names the others", async () => {
  await writing.addEndpoint(receiver.url, { debounceSeconds: 30 });
  let post = await writing.publish();
  for (let i = 0; i < 4; i++) post = await writing.update(post, { title: `Title ${i}` });
  await deliverer.drain();
  services.pass(29_000);
  post = await writing.update(post, { title: "The last" });
  await deliverer.drain();
  expect(receiver.received).toEqual([]);
  services.pass(1_000);
  await deliverer.drain();
  const ids = (await writing.events()).map((event) => event.id);
  expect(ids).toHaveLength(6);
  expect(receiver.ids()).toEqual([ids.at(-1)]);
  expect(receiver.received[0]?.event.data.coalesced).toEqual(ids.slice(0, -1));
  expect(await writing.deliveries({ status: "coalesced" })).toHaveLength(5);
  await writing.update(post, { title: "Alone" });
  await deliverer.drain();
  services.pass(30_000);
  await deliverer.drain();
  expect(receiver.received.at(-1)?.event.data).not.toHaveProperty("coalesced");
});

test("a test event is sent like any other, and says what it is", async () => {
  const { record, secret } = await writing.addEndpoint(receiver.url, { debounceSeconds: 60 });
  const { deliveryId } = await writing.act("test_webhook", { webhookId: record.id });
  await deliverer.drain();
  const [{ event, headers, body }] = receiver.received as [Receiver["received"][number]];
  expect(event.type).toBe("webhook.test");
  expect(headers["stet-delivery-id"]).toBe(deliveryId);
  expect(verifyWebhook(headers["service-signature"] as string, body, secret, services.now)).toBe(true);
  expect(await writing.act("get_delivery", { deliveryId })).toMatchObject({ status: "delivered", attempts: 1, log: [{ status: 204 }] });
});

test("a delivery resent by hand is the same bytes, signed afresh", async () => {
  await writing.addEndpoint(receiver.url);
  await writing.publish();
  await deliverer.drain();
  services.pass(HOUR);
  const deliveryId = receiver.received[0]!.headers["stet-delivery-id"];
  await writing.act("resend_delivery", { deliveryId });
  await deliverer.drain();
  const [first, second] = receiver.received as [Receiver["received"][number], Receiver["received"][number]];
  expect(second.body).toBe(first.body);
  expect(second.headers["stet-attempt"]).toBe("2");
  expect(second.headers["service-signature"]).not.toBe(first.headers["service-signature"]);
});

test("when the content store does not answer, nothing counts against the receiver, and a test is sent all the same", async () => {
  const category = await services.call(terms.create_term, tenant.actor, { ...writing.here, kind: "category", name: "One" });
  const { record } = await writing.addEndpoint(receiver.url);
  await writing.publish("With a term", { categoryIds: [category.id] });
  const content = services.contentOf(tenant.website);
  const down = { ...content, terms: { ...content.terms, getMany: () => Promise.reject(new Error("down")) } };
  await writing.act("test_webhook", { webhookId: record.id });
  await createDeliverer({ ...services, contents: oneStore(down) }).drain();
  expect(await writing.endpoint(record.id)).toMatchObject({ status: "active", failures: 0, waiting: 1 });
  services.pass(15_000);
  expect(receiver.received.map(({ event }) => event.type)).toEqual(["webhook.test"]);
  await deliverer.drain();
  expect(receiver.received).toHaveLength(2);
});

test("of a website that was deleted nothing is told any more", async () => {
  await writing.addEndpoint(receiver.url);
  await writing.publish();
  await services.call(deleteWebsite, tenant.actor, { ...writing.here, confirmName: tenant.website.name });
  await deliverer.drain();
  expect(receiver.received).toEqual([]);
});

test("records are kept for 90 days", async () => {
  await writing.addEndpoint(receiver.url);
  await writing.publish();
  await deliverer.drain();
  services.pass(90 * 24 * HOUR);
  await forgetDeliveries(services);
  expect(await writing.deliveries()).toHaveLength(1);
  services.pass(1);
  await forgetDeliveries(services);
  expect(await writing.deliveries()).toEqual([]);
});
