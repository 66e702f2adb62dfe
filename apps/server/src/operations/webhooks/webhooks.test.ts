import { beforeEach, expect, test } from "vitest";
import { createGuardedSender } from "#adapters/guarded-fetch/sender";
import { toolMay } from "#domain/access";
import { execute } from "#operations/kernel/execute";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";
import { openReceiver } from "#test/webhooks/receiver";
import { type Writing, writingIn } from "#test/webhooks/writing";
import { createDeliverer } from "#worker/webhooks/deliverer";
import { createWebhook } from "./create-webhook.ts";
import { operations } from "./index.ts";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
let writing: Writing;
beforeEach(async () => {
  tenant = await services.makeTenant();
  writing = writingIn(services, tenant);
});

const URL = "https://hooks.example.com/stet";

test("a new endpoint hears every event, and its secret is answered once", async () => {
  const { secret, record } = await writing.addEndpoint(URL);
  expect(secret).toMatch(/^whsec_[\w-]{43}$/);
  expect(record).toMatchObject({
    url: URL,
    events: ["post.published", "post.updated", "post.unpublished", "post.deleted"],
    status: "active",
    debounceSeconds: 0,
    createdBy: tenant.owner.id,
  });
  const activity = await services.platform.activity.list(tenant.workspace.id, { targetId: record.id, after: null, limit: 5 });
  expect(JSON.stringify([await writing.endpoint(record.id), activity])).not.toContain(secret.slice(6));
});

test.each([
  { url: "http://hooks.example.com/" },
  { url: "https://127.0.0.1/" },
  { url: "https://user:pw@hooks.example.com/" },
  { url: "not an address" },
  { url: URL, events: [] },
  { url: URL, events: ["post.exploded"] },
  { url: URL, debounceSeconds: 3_601 },
  { url: URL, debounceSeconds: -1 },
])("refused on a public install, naming the field: %o", async (input) => {
  const strict = { ...services, sender: createGuardedSender({ privateTargets: [] }) };
  const field = Object.keys(input).at(-1)!;
  await expect(execute(strict, createWebhook, tenant.actor, { ...writing.here, ...input })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    errors: [{ field: expect.stringMatching(new RegExp(`^${field}`)) as string }],
  });
});

test("whoever enters their own machine is told how events come to it", async () => {
  const strict = { ...services, sender: createGuardedSender({ privateTargets: [] }) };
  for (const url of ["http://localhost:3000/hook", "https://127.0.0.1:3000/hook", "http://[::1]:3000/hook"]) {
    await expect(execute(strict, createWebhook, tenant.actor, { ...writing.here, url })).rejects.toMatchObject({
      errors: [{ field: "url", message: expect.stringContaining(`stet listen --forward ${url}`) as string }],
    });
  }
});

test("address, events and debounce change one by one", async () => {
  const { record } = await writing.addEndpoint(URL, { debounceSeconds: 10 });
  const update = (change: Record<string, unknown>) => writing.act("update_webhook", { webhookId: record.id, ...change });
  expect(await update({ url: "https://OTHER.example.com" })).toMatchObject({ url: "https://other.example.com/", debounceSeconds: 10 });
  expect(await update({ events: ["post.deleted", "post.updated", "post.deleted"] })).toMatchObject({
    events: ["post.updated", "post.deleted"],
  });
  expect(await update({ debounceSeconds: 0 })).toMatchObject({
    url: "https://other.example.com/",
    events: ["post.updated", "post.deleted"],
  });
  expect(await writing.endpoint(record.id)).toMatchObject({ url: "https://other.example.com/", debounceSeconds: 0 });
});

test("what was sent can be listed by endpoint, status and event, page by page", async () => {
  const receiver = await openReceiver();
  const { record } = await writing.addEndpoint(receiver.url);
  const other = await writing.addEndpoint(receiver.url, { events: ["post.deleted"] });
  for (let i = 0; i < 5; i++) {
    services.pass(1_000);
    await writing.publish();
    await createDeliverer(services).drain();
  }
  await writing.act("test_webhook", { webhookId: other.record.id });
  expect(await writing.deliveries({ webhookId: record.id })).toHaveLength(5);
  expect(await writing.deliveries({ status: "waiting" })).toMatchObject([{ eventType: "webhook.test", webhookId: other.record.id }]);
  expect(await writing.deliveries({ eventType: "post.published" })).toHaveLength(5);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await writing.act("list_deliveries", { limit: 2, ...(cursor && { cursor }) });
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(seen).toEqual((await writing.deliveries()).map(({ id }) => id));
  expect(new Set(seen).size).toBe(6);
  await receiver.close();
});

test("a deleted endpoint takes its deliveries with it, and hears no more", async () => {
  const receiver = await openReceiver();
  const { record } = await writing.addEndpoint(receiver.url);
  await writing.publish();
  await writing.act("delete_webhook", { webhookId: record.id });
  await writing.publish();
  await createDeliverer(services).drain();
  expect(receiver.received).toEqual([]);
  expect(await writing.deliveries()).toEqual([]);
  await expect(writing.act("delete_webhook", { webhookId: record.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await receiver.close();
});

test("a website has 50 endpoints at most", async () => {
  for (let i = 0; i < 50; i++) await writing.addEndpoint(`${URL}/${i}`);
  await expect(writing.addEndpoint(URL)).rejects.toMatchObject({ code: "PLAN_LIMIT", facts: { allowed: 50 } });
});

test("erasing a website leaves nothing of its endpoints", async () => {
  const receiver = await openReceiver();
  await writing.addEndpoint(receiver.url);
  await writing.publish();
  await createDeliverer(services).drain();
  await services.platform.websites.erase(tenant.website.id);
  for (const table of ["webhooks", "webhook_deliveries", "webhook_feeds"]) {
    const { rowCount } = await services.database.query({
      text: `SELECT 1 FROM ${table} WHERE website_id = $1`,
      values: [tenant.website.id],
    });
    expect([table, rowCount]).toEqual([table, 0]);
  }
  await receiver.close();
});

test("every operation here needs the permission for webhooks; the two that only read are all that a connected tool may have", () => {
  const open = new Set(["list_deliveries", "list_events"]);
  for (const { name, permission } of Object.values(operations)) {
    expect(permission, name).toBe(open.has(name) ? "webhook.read" : "webhook.manage");
  }
  expect([toolMay("webhook.read"), toolMay("webhook.manage")]).toEqual(["yes", "never"]);
});
