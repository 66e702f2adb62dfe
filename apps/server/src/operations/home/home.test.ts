import { expect, test } from "vitest";
import { toolActor } from "#domain/actor";
import { fail } from "#domain/failure";
import { newId } from "#domain/ids";
import { HOUR, MINUTE, timestamp } from "#domain/time";
import { getHome } from "#operations/home/get-home";
import { execute } from "#operations/kernel/execute";
import { createPost } from "#operations/posts/create-post";
import { editPost } from "#operations/posts/edit-post";
import { publishPost } from "#operations/posts/publish-post";
import { requestReview } from "#operations/posts/review-post";
import { schedulePost } from "#operations/posts/schedule-post";
import { createWebhook } from "#operations/webhooks/create-webhook";
import { setFieldDefinitions } from "#operations/websites/set-field-definitions";
import type { Actor } from "#domain/actor";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant, testDisk } from "#test/services";
import { oneStore } from "#test/one-store";
import { publishDue } from "#worker/scheduler";

const disk = testDisk();
const services = closedAtEnd(await openTestServices({ disk }));

const at = (tenant: Tenant) => ({ websiteId: tenant.website.id });
const home = (tenant: Tenant, actor: Actor = tenant.actor) => services.call(getHome, actor, at(tenant));
async function write(tenant: Tenant, title: string, actor: Actor = tenant.actor) {
  services.pass(MINUTE);
  return services.call(createPost, actor, { ...at(tenant), title, body: "Text." });
}
const titles = (posts: readonly { working: { title: string } }[]) => posts.map(({ working }) => working.title);

test("one's own drafts and changed posts come first, last edited first, and nobody else's", async () => {
  const tenant = await services.makeTenant();
  const editor = await tenant.addMember("editor");
  const live = await write(tenant, "Live");
  const published = await services.call(publishPost, tenant.actor, { ...at(tenant), postId: live.id, expectedVersion: 1 });
  for (let n = 1; n <= 6; n++) await write(tenant, `Draft ${n}`);
  await write(tenant, "Another's", editor);
  expect(titles((await home(tenant)).continueWriting)).toEqual(["Draft 6", "Draft 5", "Draft 4", "Draft 3", "Draft 2"]);
  services.pass(MINUTE);
  await services.call(editPost, tenant.actor, { ...at(tenant), postId: live.id, expectedVersion: published.version, title: "Changed" });
  const mine = await home(tenant);
  expect(titles(mine.continueWriting)).toEqual(["Changed", "Draft 6", "Draft 5", "Draft 4", "Draft 3"]);
  expect(mine.counts).toMatchObject({ draft: 7, published: 1, scheduled: 0 });
  expect(titles((await home(tenant, editor)).continueWriting)).toEqual(["Another's"]);
});

test("what is scheduled comes next first, and a contributor sees only their own", async () => {
  const tenant = await services.makeTenant();
  const contributor = await tenant.addMember("contributor");
  const later = await write(tenant, "Later");
  const sooner = await write(tenant, "Sooner", contributor);
  for (const [post, hours] of [
    [later, 2],
    [sooner, 1],
  ] as const) {
    const moment = timestamp(services.now.getTime() + hours * HOUR);
    await services.call(schedulePost, tenant.actor, { ...at(tenant), postId: post.id, expectedVersion: 1, at: moment });
  }
  expect((await home(tenant)).scheduled.map(({ title }) => title)).toEqual(["Sooner", "Later"]);
  const theirs = await home(tenant, contributor);
  expect(theirs.scheduled.map(({ title }) => title)).toEqual(["Sooner"]);
  expect(theirs.counts).toMatchObject({ scheduled: 1, draft: 0 });
});

test("what waits for review is shown to those who may publish it, the longest wait first", async () => {
  const tenant = await services.makeTenant();
  const contributor = await tenant.addMember("contributor");
  for (let n = 1; n <= 6; n++) {
    const post = await write(tenant, `Please look ${n}`, contributor);
    await services.call(requestReview, contributor, { ...at(tenant), postId: post.id, expectedVersion: 1 });
  }
  const { waitingForReview } = await home(tenant, await tenant.addMember("editor"));
  expect(waitingForReview).toMatchObject({ count: 6, hasMore: false });
  expect(titles(waitingForReview!.posts)).toEqual([1, 2, 3, 4, 5].map((n) => `Please look ${n}`));
  expect((await home(tenant, contributor)).waitingForReview).toBeNull();
  expect((await home(tenant, await tenant.addMember("author"))).waitingForReview).toBeNull();
});

test("webhooks that fail or were switched off are told to those who manage them", async () => {
  const tenant = await services.makeTenant();
  const make = () => services.call(createWebhook, tenant.actor, { ...at(tenant), url: "https://hooks.example.com/stet" });
  const [failing, off] = [await make(), await make()];
  const set = (id: string, status: string, failures: number, reason: string | null) =>
    services.database.query({
      text: "UPDATE webhooks SET status = $2, failures = $3, off_reason = $4 WHERE id = $1",
      values: [id, status, failures, reason],
    });
  await set(failing.record.id, "failing", 3, null);
  await set(off.record.id, "off", 30, "gone");
  const { alerts } = await home(tenant);
  expect(alerts).toMatchObject([
    { kind: "webhook-off", severity: "critical", link: { kind: "webhook", id: off.record.id } },
    { kind: "webhook-failing", severity: "warning", link: { kind: "webhook", id: failing.record.id } },
  ]);
  expect(alerts[1]!.message).toContain("hooks.example.com is failing: 3 attempts");
  expect((await home(tenant, await tenant.addMember("editor"))).alerts).toEqual([]);
  const tool = toolActor(tenant.owner.id, { id: newId("grant"), workspaces: "all", allowDelete: false, publishPerHour: 30 });
  expect((await home(tenant, tool)).alerts).toEqual([]);
});

test.each([
  [7_499, []],
  [7_500, ["75 % of this month's requests are used."]],
  [9_000, ["90 % of this month's requests are used."]],
  [12_000, ["100 % of this month's requests are used."]],
])("%i of 10,000 requests: %j", async (requests, messages) => {
  const tenant = await services.makeTenant({ plan: "free" });
  await services.database.query({
    text: "INSERT INTO workspace_usage (workspace_id, month, requests) VALUES ($1, $2, $3)",
    values: [tenant.workspace.id, timestamp(services.now).slice(0, 7), requests],
  });
  expect((await home(tenant)).alerts.map(({ message }) => message)).toEqual(messages);
});

test("a schedule that could not fire is told until someone deals with it", async () => {
  const tenant = await services.makeTenant();
  const post = await write(tenant, "Due");
  const moment = timestamp(services.now.getTime() + HOUR);
  await services.call(schedulePost, tenant.actor, { ...at(tenant), postId: post.id, expectedVersion: 1, at: moment });
  const required = { key: "price", label: "Price", type: "number", required: true, help: "", options: [] };
  const { version } = (await services.platform.websites.get(tenant.website.id))!;
  await services.call(setFieldDefinitions, tenant.actor, { ...at(tenant), expectedVersion: version, fieldDefinitions: [required] });
  services.pass(HOUR);
  await publishDue(services);
  services.pass(2 * MINUTE);
  const { alerts } = await home(tenant);
  expect(alerts).toMatchObject([{ kind: "schedule-failed", severity: "critical", link: { kind: "post", id: post.id } }]);
  expect(alerts[0]!.message).toContain('"Due"');
  expect((await home(tenant, await tenant.addMember("contributor"))).alerts).toEqual([]);
  const later = timestamp(services.now.getTime() + HOUR);
  const filled = await services.call(editPost, tenant.actor, { ...at(tenant), postId: post.id, expectedVersion: 2, fields: { price: 1 } });
  await services.call(schedulePost, tenant.actor, { ...at(tenant), postId: post.id, expectedVersion: filled.version, at: later });
  expect((await home(tenant)).alerts).toEqual([]);
});

test("while the content store does not answer, the rest is shown and an alert says so", async () => {
  const tenant = await services.makeTenant();
  const content = services.contentOf(tenant.website);
  const down = () => Promise.reject(fail("CONTENT_STORE_UNAVAILABLE", "The database does not answer."));
  const posts = { ...content.posts, list: down, listDated: down, countByStatus: down };
  const broken = { ...services, contents: oneStore({ ...content, posts }) };
  const answer = await execute(broken, getHome, tenant.actor, at(tenant));
  expect(answer).toMatchObject({ continueWriting: [], counts: null, alerts: [{ kind: "content-store", severity: "critical" }] });
  expect(answer.views.days).toHaveLength(30);
});

test("activity is the website's for those who may read the log, and that of one's own posts for others", async () => {
  const tenant = await services.makeTenant();
  const author = await tenant.addMember("author");
  await write(tenant, "Owner's");
  const own = await write(tenant, "Author's", author);
  await services.call(publishPost, tenant.actor, { ...at(tenant), postId: own.id, expectedVersion: 1 });
  const lines = async (actor: Actor) => (await home(tenant, actor)).activity.map((line) => [line.action, line.target?.label]);
  expect(await lines(author)).toEqual([
    ["publish_post", "Author's"],
    ["create_post", "Author's"],
  ]);
  expect((await lines(tenant.actor)).slice(0, 3)).toEqual([
    ["publish_post", "Author's"],
    ["create_post", "Author's"],
    ["create_post", "Owner's"],
  ]);
  expect((await home(tenant, author)).activity[0]!.actorName).toBe(tenant.owner.name);
  expect(await lines(await tenant.addMember("contributor"))).toEqual([]);
});

test("a disk that fills up is an alert for owners and admins, without a way that leads nowhere", async () => {
  const tenant = await services.makeTenant();
  const alerts = async (actor?: Actor) => (await home(tenant, actor)).alerts;
  expect(await alerts()).toEqual([]);
  disk.freeBytes = 1e9;
  const [alert] = await alerts(await tenant.addMember("admin"));
  expect(alert).toMatchObject({
    kind: "disk-space",
    severity: "warning",
    link: null,
    next: expect.stringContaining("Make room") as string,
  });
  expect(await alerts(await tenant.addMember("editor"))).toEqual([]);
  disk.freeBytes = 1e6;
  expect(await alerts()).toMatchObject([{ severity: "critical", message: expect.stringContaining("Nothing can be saved") as string }]);
  disk.freeBytes = 1e12;
});
