import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openapiDocument } from "@stet/contract";
import { readRoutes } from "#delivery/read-routes";
import { timestamp } from "#domain/time";
import { registry } from "#operations/registry";
import { seedWebsite } from "#operations/sample/seed-website";
import { type DeliveryNode, makeKey, startDelivery } from "#test/delivery-node";
import { readDescribed } from "#test/openapi";
import { openTestServices, type Tenant, type TestServices } from "#test/services";

let services: TestServices;
let tenant: Tenant;
let node: DeliveryNode;
let key: string;
/** A value for each parameter of a path. */
const values: Record<string, string> = {};
beforeAll(async () => {
  services = await openTestServices();
  tenant = await services.makeTenant();
  const websiteId = tenant.website.id;
  await services.call(seedWebsite, tenant.actor, { websiteId, posts: 12 });
  const { version } = await services.call(registry.get_website, tenant.actor, { websiteId });
  const settings = { publicUrl: "https://example.com/blog" };
  await services.call(registry.update_website, tenant.actor, { websiteId, expectedVersion: version, settings });
  key = await makeKey(services, tenant);
  node = await startDelivery(services, { readRoutes });
  const first = async (path: string) => ((await (await node.get(path, key)).json()) as { data: { id: string; slug: string }[] }).data[0]!;
  const post = await first("/blog/posts");
  Object.assign(values, { slugOrId: post.slug, id: (await first("/blog/media")).id });
  for (const plural of ["categories", "tags", "authors"]) values[plural] = (await first(`/blog/${plural}`)).slug;
  // One of them was renamed, so that there is a redirect.
  const renamed = await services.call(registry.get_post, tenant.actor, { websiteId, postId: post.id });
  const on = { websiteId, postId: post.id };
  const saved = await services.call(registry.edit_post, tenant.actor, { ...on, expectedVersion: renamed.version, slug: "renamed" });
  await services.call(registry.update_live_post, tenant.actor, { ...on, expectedVersion: saved.version });
  const at = timestamp(services.now);
  await services.readers.add([{ websiteId, postId: post.id as never, at, referrer: null, visitors: ["someone"] }]);
});
afterAll(async () => {
  await node.stop();
  await services.close();
});
beforeEach(() => services.pass(60_000));

const paths = Object.keys(openapiDocument("https://stet.test").paths).filter((path) => path.startsWith("/blog/"));
const addressOf = (pattern: string) =>
  pattern.replace(/\{(\w+)\}/, (_all, name: string) => values[name === "slug" ? pattern.split("/")[2]! : name]!) +
  (pattern === "/blog/search" ? "?q=the" : "");

test.each(paths)("%s answers as it is described", async (pattern) => {
  const response = await node.get(addressOf(pattern), key);
  expect(response.status).toBe(200);
  const body = await readDescribed(response);
  if (typeof body === "object" && body !== null && "data" in body && Array.isArray(body.data) && pattern !== "/blog/changes") {
    expect(body.data.length, "an empty list proves nothing").toBeGreaterThan(0);
  }
  const again = await node.get(addressOf(pattern), key, { "If-None-Match": response.headers.get("etag")! });
  expect(again.status).toBe(304);
  await readDescribed(again);
});

test.each(paths)("%s refuses as it is described", async (pattern) => {
  const path = addressOf(pattern);
  const join = path.includes("?") ? "&" : "?";
  const asked: [string, string | null, Record<string, string>?, string?][] = [
    [`${path}${join}page=2`, key],
    [path, null],
    [path, "stet_wrong"],
    [path, key, {}, "DELETE"],
  ];
  for (const name of ["limit", "cursor", "sort", "featured", "format", "period", "since", "category"])
    asked.push([`${path}${join}${name}=`, key]);
  if (pattern.includes("{")) asked.push([pattern.replace(/\{\w+\}/, "no-such-thing"), key]);
  for (const [address, as, headers, method] of asked) {
    const response = await node.get(address, as, headers, method);
    expect(response.status, address).toBeGreaterThanOrEqual(400);
    expect(response.status, address).toBeLessThan(500);
    await readDescribed(response, method);
  }
});

test("a post as Markdown, in one form, and by a former slug is described", async () => {
  const path = `/blog/posts/${values["slugOrId"]}`;
  expect(await readDescribed(await node.get(path, key, { Accept: "text/markdown" }))).toContain("# ");
  for (const format of ["html", "markdown"]) await readDescribed(await node.get(`${path}?format=${format}`, key));
});

test("a plan without search, a foreign origin, an empty bucket and a feed without an address are described", async () => {
  const other = await services.makeTenant({ plan: "free" });
  const theirs = await makeKey(services, other, { origins: ["example.com"] });
  expect(await readDescribed(await node.get("/blog/search?q=a", theirs))).toMatchObject({ code: "PLAN_REQUIRED" });
  expect(await readDescribed(await node.get("/blog/posts", theirs, { Origin: "https://evil.example" }))).toMatchObject({
    code: "ORIGIN_NOT_ALLOWED",
  });
  expect(await readDescribed(await node.get("/blog/feed.xml", theirs))).toMatchObject({ code: "VALIDATION_FAILED" });
  const answers = await Promise.all(Array.from({ length: 60 }, () => node.get("/blog/posts", theirs)));
  expect(await readDescribed(answers.find((answer) => answer.status === 429)!)).toMatchObject({ code: "RATE_LIMITED" });
});
