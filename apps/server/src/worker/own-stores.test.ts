import { beforeEach, expect, test } from "vitest";
import { openPostgresContent } from "#adapters/postgres/content/open";
import { type ContentHome, MANAGED } from "#domain/content-home";
import { fail } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import { DAY, MINUTE, timestamp } from "#domain/time";
import { registry } from "#operations/registry";
import type { ContentStore } from "#ports/content-store";
import type { WithContent } from "#ports/content-stores";
import { buildEvent, buildMedia, buildPost, buildPublishedPost, buildRecordBeside, buildRevision } from "#test/builders";
import { closedAtEnd } from "#test/closed-at-end";
import { createContentStores } from "#test/one-store";
import { openTestDatabase } from "#test/postgres";
import { openTestServices, type Tenant } from "#test/services";
import { withoutWholeSave } from "#test/without-whole-save";
import { type StoreSweep, sweepOwnStores } from "./own-stores.ts";
import { runWorkers } from "./run-workers.ts";
import { publishDue } from "./scheduler.ts";

const away = async () => Promise.reject(fail("CONTENT_STORE_UNAVAILABLE", "It does not answer."));
const silent = () => new Promise<never>(() => {});

/** How the database of each website that moved behaves; those that are not named answer. */
const behaviour = new Map<WebsiteId, () => Promise<never>>();
const services = closedAtEnd(await openTestServices());
const own = withoutWholeSave(openPostgresContent(closedAtEnd(await openTestDatabase())));
const withOwn: WithContent = (website, work) => behaviour.get(website.id)?.() ?? work(own);
const { managed } = services.contents;
Object.assign(services, { contents: createContentStores(managed, withOwn) });
beforeEach(() => behaviour.clear());

async function move({ website }: Tenant, home: ContentHome = MANAGED, to: ContentHome["kind"] = "own"): Promise<void> {
  await services.platform.homes.pause(website.id, 10);
  expect(await services.platform.homes.move({ id: website.id, home }, to)).toBe(true);
}

async function elsewhere(does?: () => Promise<never>): Promise<Tenant> {
  const tenant = await services.makeTenant();
  await move(tenant);
  if (does) behaviour.set(tenant.website.id, does);
  return tenant;
}

test("a customer's database that fails or hangs ends no round and keeps no other waiting, and is visited ever more rarely", async () => {
  const [dead, hanging, well] = [await elsewhere(away), await elsewhere(silent), await elsewhere()];
  const seen: (WebsiteId | null | undefined)[] = [];
  const sweep: StoreSweep = {
    name: "look",
    everyMillis: 0,
    async sweep(_, content, of) {
      await content.posts.listPending(1);
      seen.push(of);
      return 0;
    },
  };
  const round = sweepOwnStores([sweep], { patienceMillis: 1_000 });
  const roundAfter = async (millis: number) => {
    services.pass(millis);
    seen.length = services.troubles.length = 0;
    await round(services);
    return [seen.splice(0), services.troubles.splice(0).filter((line) => line.includes(dead.website.id)).length];
  };
  expect(await roundAfter(0)).toEqual([[well.website.id], 1]);
  expect(await roundAfter(MINUTE)).toEqual([[], 0]);
  expect(await roundAfter(5 * MINUTE)).toEqual([[well.website.id], 0]);
  expect(await roundAfter(5 * MINUTE)).toEqual([[well.website.id], 1]);
  behaviour.clear();
  // Its first visit has not ended.
  services.pass(DAY);
  await round(services);
  expect(seen.toSorted()).toEqual([dead.website.id, well.website.id].toSorted());
  expect(seen).not.toContain(hanging.website.id);
});

test("a stop waits neither for customers' databases that hang, nor for those that would be visited after them", async () => {
  const HANGING = 40;
  const asked = new Set<WebsiteId>();
  for (let n = 0; n < HANGING; n++) {
    const { website } = await elsewhere();
    behaviour.set(website.id, () => {
      asked.add(website.id);
      return silent();
    });
  }
  const sweep: StoreSweep = { name: "look", everyMillis: 0, sweep: async (_, content) => (await content.posts.listPending(1)).length };
  const jobs = [{ name: "sweep", everyMillis: DAY, run: sweepOwnStores([sweep], { patienceMillis: DAY }) }];
  services.pass(DAY);
  const stop = runWorkers(services, { jobs, graceMillis: DAY });
  await expect.poll(() => asked.size).toBeGreaterThan(10);
  await stop();
  expect(asked.size).toBeLessThan(HANGING);
});

test("what our own store keeps of a website that moved is swept by nobody", async () => {
  const tenant = await services.makeTenant();
  const websiteId = tenant.website.id;
  const rendering = { rendererVersion: 1 };
  const published = buildPublishedPost(1, { websiteId });
  const old = { ...published, live: { ...published.live!, rendering: { ...published.live!.rendering, ...rendering } } };
  const deletedAt = published.createdAt;
  await managed.posts.insert({ ...old, pendingEvents: [buildEvent(1, old)] }, { visible: true });
  await managed.posts.insert(buildPost(2, { websiteId, status: "deleted", deletedAt }), { visible: false });
  await managed.revisions.put(buildRevision(1, old));
  await managed.media.insert(buildMedia(1, { websiteId, deletedAt, metadata: "unchecked" }));
  await managed.beside.insert(buildRecordBeside(1, { websiteId, open: false }));
  await managed.claims.claim(websiteId, "post", { slug: "left", ownerId: old.id, claimedAt: deletedAt });
  const now = timestamp(services.now);
  const listers: Record<string, (content: ContentStore) => Promise<readonly { websiteId: WebsiteId }[]>> = {
    pending: (content) => content.posts.listPending(99),
    "in the trash": (content) => content.posts.listDeletedBefore(now, 99),
    "rendered before": (content) => content.posts.listRenderedBefore(2, 99),
    thinnable: (content) => content.revisions.listThinnable(now, null, 99),
    "images in the trash": (content) => content.media.listDeletedBefore(now, 99),
    images: (content) => content.media.listAll(null, 99),
    "unchecked images": (content) => content.media.listUnchecked(null, 99),
    "closed suggestions": (content) => content.beside.listClosedBefore(now, 99),
    claims: (content) => content.claims.listClaimedBefore(now, null, 99),
  };
  const found = async () => {
    const names: string[] = [];
    for (const [name, list] of Object.entries(listers))
      if ((await list(managed)).some((record) => record.websiteId === websiteId)) names.push(name);
    return names;
  };
  expect(await found()).toEqual(Object.keys(listers));
  await move(tenant);
  expect(await found()).toEqual([]);
  expect(await managed.media.countNotStripped()).toEqual({ unchecked: 0, unreadable: 0 });
  await move(tenant, { kind: "own", epoch: 1 }, "managed");
  expect(await found()).toEqual(Object.keys(listers));
});

test("schedules of websites whose database is away wait for it a minute at most, and nobody else's wait for theirs", async () => {
  const schedule = async ({ website, actor }: Tenant) => {
    const ids = { websiteId: website.id };
    const post = await services.call(registry.create_post, actor, { ...ids, title: "In time" });
    const at = timestamp(services.now.getTime() + MINUTE);
    await services.call(registry.schedule_post, actor, { ...ids, postId: post.id, expectedVersion: 1, at });
    return async () => (await services.call(registry.get_post, actor, { ...ids, postId: post.id })).status;
  };
  const [dead, hanging, other] = [await elsewhere(), await elsewhere(), await services.makeTenant()];
  const [ofDead, ofHanging, ofOther] = [await schedule(dead), await schedule(hanging), await schedule(other)];
  behaviour.set(dead.website.id, away).set(hanging.website.id, silent);
  services.pass(MINUTE);
  await publishDue(services, 20);
  await expect.poll(ofOther).toBe("published");
  const isTold = async () => {
    const { items } = await services.call(registry.list_activity, dead.actor, { workspaceId: dead.workspace.id });
    return items.some(({ action }) => action === "schedule_failed");
  };
  await expect.poll(isTold).toBe(true);
  // However often it failed.
  for (let tries = 0; tries < 5; tries++) {
    services.pass(MINUTE);
    await publishDue(services, 200);
  }
  behaviour.clear();
  services.pass(MINUTE);
  await publishDue(services);
  expect([await ofDead(), await ofHanging()]).toEqual(["published", "published"]);
});

test("a schedule that meets the pause of a move is published seconds later, without a word", async () => {
  const { website, workspace, actor } = await services.makeTenant();
  const post = await services.call(registry.create_post, actor, { websiteId: website.id, title: "In time" });
  const at = timestamp(services.now.getTime() + MINUTE);
  await services.call(registry.schedule_post, actor, { websiteId: website.id, postId: post.id, expectedVersion: 1, at });
  services.pass(MINUTE);
  await services.platform.homes.pause(website.id, 10);
  await publishDue(services);
  await services.platform.homes.resume(website.id);
  services.pass(2_000);
  await publishDue(services);
  expect(await services.call(registry.get_post, actor, { websiteId: website.id, postId: post.id })).toMatchObject({ status: "published" });
  const { items } = await services.call(registry.list_activity, actor, { workspaceId: workspace.id });
  expect(items.some(({ action }) => action === "schedule_failed")).toBe(false);
});

test("merging and deleting terms holds no lock of the workspace while the database is asked", async () => {
  const tenant = await services.makeTenant();
  const ids = { websiteId: tenant.website.id };
  const make = (name: string) => services.call(registry.create_term, tenant.actor, { ...ids, kind: "tag", name });
  const [one, two, three] = [await make("One"), await make("Two"), await make("Three")];
  const locks: string[] = [];
  const whileFree = async () => void locks.push(await services.platform.locked(tenant.workspace.id, async () => "free"));
  const { terms } = managed;
  const watched: ContentStore = {
    ...managed,
    terms: {
      ...terms,
      save: (term) => whileFree().then(() => terms.save(term)),
      delete: (...args) => whileFree().then(() => terms.delete(...args)),
    },
  };
  const { execute } = await import("#operations/kernel/execute");
  const through = { ...services, contents: createContentStores(watched) };
  await execute(through, registry.merge_terms, tenant.actor, { ...ids, sourceId: one.id, targetId: two.id });
  await execute(through, registry.delete_term, tenant.actor, { ...ids, termId: three.id });
  expect(locks).toEqual(["free", "free"]);
});
