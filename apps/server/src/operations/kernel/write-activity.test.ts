import { beforeEach, expect, test } from "vitest";
import { MINUTE } from "#domain/time";
import { closedAtEnd } from "#test/closed-at-end";
import { withoutWholeSave } from "#test/without-whole-save";
import { openTestServices, type Tenant } from "#test/services";
import { oneStore } from "#test/one-store";
import { registry } from "../registry.ts";

const AWAY = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });

/** What the activity log does: it can be away while everything else answers, as when the database goes right after the commit. */
let failure: Error | null = null;
const services = closedAtEnd(await openTestServices());
const content = withoutWholeSave(services.contents.managed);
// Saves in one commit have no line that could be missing.
Object.assign(services, { contents: oneStore(content) });
const { activity } = services.platform;
const append = activity.append.bind(activity);
Object.assign(activity, { append: (...line: Parameters<typeof append>) => (failure ? Promise.reject(failure) : append(...line)) });

let tenant: Tenant;
beforeEach(async () => {
  failure = null;
  tenant = await services.makeTenant();
  services.troubles.length = 0;
});

const create = (title: string) => services.call(registry.create_post, tenant.actor, { websiteId: tenant.website.id, title });
async function lines() {
  const { items } = await services.call(registry.list_activity, tenant.actor, { workspaceId: tenant.workspace.id });
  return items.map(({ action, at, target, count }) => [action, target?.label, at, count]);
}

test("a change whose line cannot be written is answered as done; its line comes when the database is back, at its own time and place", async () => {
  const at = [];
  failure = AWAY;
  at.push(services.now.toISOString());
  const first = await create("First");
  services.pass(MINUTE);
  at.push(services.now.toISOString());
  await create("Second");
  expect(first.version).toBe(1);
  failure = null;
  services.pass(MINUTE);
  at.push(services.now.toISOString());
  await create("Third");
  await expect
    .poll(async () => (await lines()).slice(0, 3), { interval: 20 })
    .toEqual([
      ["create_post", "Third", at[2], 1],
      ["create_post", "Second", at[1], 1],
      ["create_post", "First", at[0], 1],
    ]);
  expect(services.troubles).toEqual([]);
});

test("saves that fold into one line are counted when they come late, and the line keeps the time of the last", async () => {
  const { id: postId } = await create("Folded");
  const save = (expectedVersion: number) =>
    services.call(registry.edit_post, tenant.actor, {
      websiteId: tenant.website.id,
      postId,
      expectedVersion,
      body: `${expectedVersion}`,
      autosave: true,
    });
  await save(1);
  failure = AWAY;
  services.pass(1_000);
  await save(2);
  failure = null;
  services.pass(1_000);
  // Of another node, which had no outage: written before the one that waits here.
  const late = services.now.toISOString();
  const [entry] = (await activity.list(tenant.workspace.id, { after: null, limit: 1 })).rows;
  await append({ ...entry!, at: late as never, details: { last: true } }, await foldKeyOf(postId));
  await expect.poll(async () => (await lines())[0], { interval: 20 }).toEqual(["edit_post", "Folded", late, 3]);
  expect((await activity.list(tenant.workspace.id, { after: null, limit: 1 })).rows[0]!.details).toEqual({ last: true });
});

async function foldKeyOf(postId: string): Promise<string> {
  const { rows } = await services.database.query<{ fold_key: string }>({
    text: "SELECT fold_key FROM activity WHERE target_id = $1 AND fold_key IS NOT NULL",
    values: [postId],
  });
  return rows[0]!.fold_key;
}

test("a line that was written although its answer was lost is not written twice", async () => {
  let written = 0;
  Object.assign(activity, {
    async append(...line: Parameters<typeof append>) {
      await append(...line);
      written += 1;
      if (failure) throw failure;
    },
  });
  failure = Object.assign(new Error("lost"), { code: "ECONNRESET" });
  await create("Once");
  failure = null;
  await expect.poll(() => written, { interval: 20 }).toBe(2);
  expect((await lines()).filter(([, label]) => label === "Once")).toHaveLength(1);
  expect(services.troubles).toEqual([]);
});

test("a line that can never be written is said in the log of the service, and the change stands", async () => {
  failure = Object.assign(new Error("no such workspace"), { code: "23503" });
  expect((await create("Kept")).version).toBe(1);
  expect(services.troubles).toEqual([expect.stringContaining("no such workspace")]);
});
