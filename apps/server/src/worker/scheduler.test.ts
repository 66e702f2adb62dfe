import { beforeEach, expect, test } from "vitest";
import { DAY, HOUR, MINUTE, SECOND, timestamp } from "#domain/time";
import { operations as posts } from "#operations/posts/index";
import { setFieldDefinitions } from "#operations/websites/set-field-definitions";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant, testDisk } from "#test/services";
import { runWorkers } from "./run-workers.ts";
import { publishDue } from "./scheduler.ts";

const disk = testDisk();
const services = closedAtEnd(await openTestServices({ disk }));
let tenant: Tenant;
let ids: { websiteId: string };

beforeEach(async () => {
  tenant = await services.makeTenant();
  ids = { websiteId: tenant.website.id };
});

const inFuture = (millis: number) => timestamp(services.now.getTime() + millis);
async function scheduled(at: string, title = "Later") {
  const post = await services.call(posts.create_post, tenant.actor, { ...ids, title });
  return services.call(posts.schedule_post, tenant.actor, { ...ids, postId: post.id, expectedVersion: 1, at });
}
const statusOf = async (id: string) => (await services.call(posts.get_post, tenant.actor, { ...ids, postId: id })).status;
const events = async () => (await services.platform.events.list(tenant.website.id, 0, 100)).map(({ event }) => event);

test("a scheduled post publishes itself at its time, as the system, and not before", async () => {
  const post = await scheduled(inFuture(MINUTE));
  services.pass(MINUTE - 1);
  await publishDue(services);
  expect(await statusOf(post.id)).toBe("scheduled");
  services.pass(1);
  await publishDue(services);
  expect(await statusOf(post.id)).toBe("published");
  expect(await events()).toMatchObject([{ type: "post.published", actor: { type: "system", id: "scheduler" } }]);
});

test("several nodes publish it once", async () => {
  const due = await Promise.all(Array.from({ length: 12 }, (_, i) => scheduled(inFuture(MINUTE), `Post ${i}`)));
  services.pass(MINUTE);
  await Promise.all(Array.from({ length: 5 }, () => publishDue(services)));
  await publishDue(services);
  for (const post of due) expect(await statusOf(post.id)).toBe("published");
  expect(await events()).toHaveLength(due.length);
});

test("a node that died while publishing gives its posts up after the lease", async () => {
  const post = await scheduled(inFuture(MINUTE));
  services.pass(MINUTE);
  // Another node claims it and dies.
  expect(await services.platform.schedules.claimDue(timestamp(services.now), 30, 50)).toHaveLength(1);
  await publishDue(services);
  expect(await statusOf(post.id)).toBe("scheduled");
  services.pass(31 * SECOND);
  await publishDue(services);
  expect(await statusOf(post.id)).toBe("published");
});

test("a post whose time passed while the service was down carries the moment it was meant for", async () => {
  const at = inFuture(MINUTE);
  const post = await scheduled(at);
  services.pass(DAY);
  await publishDue(services);
  const open = await services.call(posts.get_post, tenant.actor, { ...ids, postId: post.id });
  expect(open).toMatchObject({ status: "published", publishedAt: at });
});

test("a post that was moved publishes at the new time only", async () => {
  const post = await scheduled(inFuture(MINUTE));
  await services.call(posts.schedule_post, tenant.actor, { ...ids, postId: post.id, expectedVersion: post.version, at: inFuture(HOUR) });
  services.pass(2 * MINUTE);
  await publishDue(services);
  expect(await statusOf(post.id)).toBe("scheduled");
  services.pass(HOUR);
  await publishDue(services);
  expect(await statusOf(post.id)).toBe("published");
});

test.each([
  { before: "is a draft", seconds: 1 },
  { before: "is scheduled for another time", seconds: 1 },
  // As one that is imported later than it was to be published.
  { before: "is not there", seconds: -3_600 },
])("a reminder whose post $before when its time comes, and is saved a moment late, is not forgotten", async ({ before, seconds }) => {
  const content = services.contentOf(tenant.website);
  const made = before.endsWith("draft") ? await services.call(posts.create_post, tenant.actor, { ...ids, title: "Slow save" }) : null;
  const { id } = made ?? (await scheduled(inFuture(HOUR)));
  const at = inFuture(seconds * SECOND);
  const stored = (await content.posts.get(tenant.website.id, id))!;
  const next = { ...stored, version: stored.version + 1, status: "scheduled", scheduledAt: at } as const;
  if (before.endsWith("there")) await content.posts.purge(tenant.website.id, id, stored.version);
  await services.platform.schedules.add(tenant.website.id, id, at);
  services.pass(2 * SECOND);
  await publishDue(services);
  const saved = before.endsWith("there") ? content.posts.insert(next, { visible: false }) : content.posts.save(next, { visible: false });
  expect(await saved).toBe("saved");
  services.pass(10 * SECOND);
  await publishDue(services);
  expect(await statusOf(id)).toBe("published");
});

test("a reminder whose post was moved to another time is given up", async () => {
  const post = await scheduled(inFuture(MINUTE));
  await services.call(posts.schedule_post, tenant.actor, { ...ids, postId: post.id, expectedVersion: post.version, at: inFuture(HOUR) });
  const left: (number | null)[] = [];
  for (let seconds = 60; seconds <= 150; seconds += 30) {
    services.pass(30 * SECOND);
    for (let look = 0; look < 3; look++) {
      services.pass(10 * SECOND);
      await publishDue(services);
    }
    const reminders = { text: "SELECT FROM schedules WHERE website_id = $1", values: [tenant.website.id] };
    left.push((await services.database.query(reminders)).rowCount);
  }
  expect(left).toEqual([2, 2, 1, 1]);
  expect(await statusOf(post.id)).toBe("scheduled");
});

test("a post that cannot be published says why in the activity log, and is tried again", async () => {
  const post = await scheduled(inFuture(MINUTE));
  const definition = { key: "source", label: "Source", type: "text", required: true, help: "", options: [] };
  const website = await services.call(setFieldDefinitions, tenant.actor, { ...ids, expectedVersion: 1, fieldDefinitions: [definition] });
  services.pass(MINUTE);
  await publishDue(services);
  const { rows } = await services.platform.activity.list(tenant.workspace.id, { action: "schedule_failed", after: null, limit: 5 });
  expect(rows).toMatchObject([{ target: { id: post.id }, details: { reason: expect.stringContaining("Source") as unknown } }]);
  await services.call(setFieldDefinitions, tenant.actor, { ...ids, expectedVersion: website.version, fieldDefinitions: [] });
  services.pass(MINUTE);
  await publishDue(services);
  expect(await statusOf(post.id)).toBe("published");
});

// Timed against a promise in seconds: a machine that stalls may try again. What is late by design is late each time.
test("the running workers publish within a second of the time", { retry: 5 }, async () => {
  const stop = runWorkers({ ...services, clock: () => new Date() });
  try {
    services.now = new Date();
    const due = services.now.getTime() + 1_500;
    const post = await scheduled(timestamp(due));
    await expect.poll(() => events()).toHaveLength(1);
    expect(await statusOf(post.id)).toBe("published");
    const [event] = await events();
    expect(Date.parse(event!.at) - due).toBeLessThan(1_000);
  } finally {
    await stop();
  }
});

test("what is due while the disk is full is published within seconds of there being room", async () => {
  const post = await scheduled(inFuture(MINUTE));
  disk.freeBytes = 0;
  for (let minutes = 0; minutes < 90; minutes += 1) {
    services.pass(MINUTE);
    await publishDue(services);
  }
  expect(await statusOf(post.id)).toBe("scheduled");
  disk.freeBytes = 1e12;
  services.pass(10 * SECOND);
  await publishDue(services);
  expect(await statusOf(post.id)).toBe("published");
});
