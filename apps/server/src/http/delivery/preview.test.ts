import { afterAll, beforeAll, expect, test } from "vitest";
import { createPreview } from "#delivery/preview";
import { readRoutes } from "#delivery/read-routes";
import { HOUR } from "#domain/time";
import { registry } from "#operations/registry";
import { type DeliveryNode, deliveryServices, makeKey, problemOf, startDelivery } from "#test/delivery-node";
import { writingIn } from "#test/delivery/writing";
import { readDescribed } from "#test/openapi";
import { openTestServices, type Tenant, type TestServices } from "#test/services";
import { previewRoute } from "./preview.ts";

let services: TestServices;
let tenant: Tenant;
let node: DeliveryNode;

beforeAll(async () => {
  services = await openTestServices();
  tenant = await services.makeTenant();
  const preview = previewRoute(
    createPreview({ ...deliveryServices(services), render: services.render, connections: services.connections }),
  );
  node = await startDelivery(services, { readRoutes, publicRoutes: [preview] });
});
afterAll(async () => {
  await node.stop();
  await services.close();
});

async function previewOf(title: string) {
  const { id } = await writingIn(services, tenant).draft(title, { body: "Secret *body*" });
  return { id, ...(await services.call(registry.create_preview, tenant.actor, { websiteId: tenant.website.id, postId: id })) };
}

test("a preview needs no key, is kept by nobody, indexed by nobody, and carries the limit headers", async () => {
  const { id, token } = await previewOf("Draft");
  const response = await node.get(`/preview/${token}`);
  expect(response.status).toBe(200);
  expect(await readDescribed(response)).toMatchObject({ data: { id, title: "Draft", body: { html: "<p>Secret <em>body</em></p>\n" } } });
  const headers = Object.fromEntries(response.headers);
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex",
  });
  for (const name of ["ratelimit", "ratelimit-policy", "x-request-id"]) expect(headers).toHaveProperty(name);
  expect(headers).not.toHaveProperty("etag");
  const head = await node.get(`/preview/${token}`, null, {}, "HEAD");
  expect([head.status, await head.text(), head.headers.get("cache-control")]).toEqual([200, "", "no-store"]);
});

test("no key suffices: neither as the token nor beside one that has ended, nor for the draft itself", async () => {
  const key = await makeKey(services, tenant);
  const { id, token } = await previewOf("Another draft");
  expect((await node.get(`/preview/${key}`)).status).toBe(404);
  expect((await node.get(`/preview/${id}`, key)).status).toBe(404);
  expect((await node.get(`/blog/posts/${id}`, key)).status).toBe(404);
  services.pass(HOUR);
  const ended = await node.get(`/preview/${token}`, key);
  expect(await problemOf(ended)).toMatchObject({ status: 404, code: "NOT_FOUND" });
  expect(ended.headers.get("cache-control")).toBe("no-store");
  expect(ended.headers.get("ratelimit")).not.toBeNull();
});

test("an answer is counted once, a refusal as well as a preview", async () => {
  const counted = () => {
    const ofPreviews = node.delivery.metrics().requests.filter(({ route }) => route === "/preview/{token}");
    return [2, 4].map((kind) => ofPreviews.find(({ statusClass }) => statusClass === kind)?.count ?? 0);
  };
  const { token } = await previewOf("Counted");
  const [good = 0, refused = 0] = counted();
  await node.get(`/preview/${token}`);
  await node.get(`/preview/${token}x`);
  await expect.poll(counted).toEqual([good + 1, refused + 1]);
});

test("a preview can only be read", async () => {
  const { token } = await previewOf("Read only");
  for (const method of ["POST", "PUT", "DELETE"]) {
    const response = await node.get(`/preview/${token}`, null, {}, method);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  }
});

test("a token is never logged", async () => {
  const { token } = await previewOf("Unlogged");
  await node.get(`/preview/${token}`);
  await node.get(`/preview/${token}x`);
  await expect.poll(() => JSON.stringify(node.lines)).toContain("/v1/preview/…");
  expect(JSON.stringify(node.lines)).not.toContain(token.slice(-20));
});
