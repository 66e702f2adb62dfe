import { expect, test } from "vitest";
import { toolActor } from "#domain/actor";
import { isApiKey } from "#domain/api-key";
import { newId } from "#domain/ids";
import { createKey } from "#operations/keys/create-key";
import { listKeys } from "#operations/keys/list-keys";
import { revokeKey } from "#operations/keys/revoke-key";
import { updateKey } from "#operations/keys/update-key";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";

const services = closedAtEnd(await openTestServices());

const makeKey = (tenant: Tenant, input: Record<string, unknown> = {}) =>
  services.call(createKey, tenant.actor, { websiteId: tenant.website.id, name: "Production", ...input });

test("a new key is answered once, and only its keyed hash is stored", async () => {
  const tenant = await services.makeTenant();
  const { key, record } = await makeKey(tenant, { origins: ["Example.com"], monthlyCap: 500 });
  expect(isApiKey(key)).toBe(true);
  expect(record).toMatchObject({
    name: "Production",
    masked: `stet…${key.slice(-4)}`,
    origins: ["example.com"],
    monthlyCap: 500,
    status: "live",
  });
  const stored = await services.platform.keys.findByHash(services.keyring.mac("api-key", key).hash);
  expect(stored?.id).toBe(record.id);
  const everything = await services.database.query<{ row: string }>({
    text: "SELECT row_to_json(api_keys)::text AS row FROM api_keys UNION ALL SELECT row_to_json(activity)::text FROM activity",
  });
  expect(everything.rows.some(({ row }) => row.includes(record.id))).toBe(true);
  expect(everything.rows.some(({ row }) => row.includes(key))).toBe(false);
});

test("lists show keys masked, live ones first, and never a hash", async () => {
  const tenant = await services.makeTenant();
  const first = await makeKey(tenant, { name: "First" });
  services.pass(1_000);
  await makeKey(tenant, { name: "Second" });
  await services.call(revokeKey, tenant.actor, { websiteId: tenant.website.id, keyId: first.record.id });
  const keys = await services.call(listKeys, tenant.actor, { websiteId: tenant.website.id });
  expect(keys.map(({ name, status }) => [name, status])).toEqual([
    ["Second", "live"],
    ["First", "revoked"],
  ]);
  const hash = services.keyring.mac("api-key", first.key).hash;
  expect(JSON.stringify([keys, first.record])).not.toContain(hash);
});

test("the third live key of a free website is refused, also when all are made at the same moment", async () => {
  const tenant = await services.makeTenant({ plan: "free" });
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => makeKey(tenant)));
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(2);
  for (const result of results) {
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "PLAN_LIMIT", facts: { allowed: 2, used: 2 } });
  }
  const [live] = await services.call(listKeys, tenant.actor, { websiteId: tenant.website.id });
  await services.call(revokeKey, tenant.actor, { websiteId: tenant.website.id, keyId: live!.id });
  await expect(makeKey(tenant)).resolves.toBeDefined();
  await expect(makeKey(tenant)).rejects.toMatchObject({ code: "PLAN_LIMIT" });
});

test("paid plans have no limit of keys", async () => {
  const tenant = await services.makeTenant({ plan: "starter" });
  for (let i = 0; i < 4; i++) await makeKey(tenant);
  expect(await services.platform.keys.countLive(tenant.website.id)).toBe(4);
});

test("every origin at fault is named", async () => {
  const tenant = await services.makeTenant();
  await expect(makeKey(tenant, { origins: ["example.com", "*", "https://example.com/path"] })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    errors: [{ field: "origins.1" }, { field: "origins.2" }],
  });
});

test("name, origins and cap can be changed one by one; a revoked key cannot be changed", async () => {
  const tenant = await services.makeTenant();
  const { record } = await makeKey(tenant, { origins: ["a.example"], monthlyCap: 10 });
  const ids = { websiteId: tenant.website.id, keyId: record.id };
  expect(await services.call(updateKey, tenant.actor, { ...ids, name: "Renamed" })).toMatchObject({
    name: "Renamed",
    origins: ["a.example"],
  });
  expect(await services.call(updateKey, tenant.actor, { ...ids, origins: [] })).toMatchObject({
    name: "Renamed",
    origins: [],
    monthlyCap: 10,
  });
  expect(await services.call(updateKey, tenant.actor, { ...ids, monthlyCap: null })).toMatchObject({ monthlyCap: null });
  expect(await services.platform.keys.get(tenant.website.id, record.id)).toMatchObject({ name: "Renamed", origins: [], monthlyCap: null });
  await services.call(revokeKey, tenant.actor, ids);
  await expect(services.call(updateKey, tenant.actor, { ...ids, name: "Again" })).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
});

test("revoking twice keeps the first moment and writes one line of activity", async () => {
  const tenant = await services.makeTenant();
  const { record } = await makeKey(tenant);
  const ids = { websiteId: tenant.website.id, keyId: record.id };
  const first = await services.call(revokeKey, tenant.actor, ids);
  services.pass(60_000);
  const second = await services.call(revokeKey, tenant.actor, ids);
  expect(second.key.revokedAt).toBe(first.key.revokedAt);
  const log = await services.platform.activity.list(tenant.workspace.id, { action: "revoke_key", after: null, limit: 10 });
  expect(log.rows).toHaveLength(1);
});

test("editors manage no keys, and a tool never does, whoever connected it", async () => {
  const tenant = await services.makeTenant();
  const { record } = await makeKey(tenant);
  const ids = { websiteId: tenant.website.id, keyId: record.id };
  const editor = await tenant.addMember("editor");
  await expect(services.call(createKey, editor, { websiteId: tenant.website.id, name: "Mine" })).rejects.toMatchObject({
    code: "INSUFFICIENT_ROLE",
  });
  const tool = toolActor(tenant.owner.id, { id: newId("grant"), workspaces: "all", allowDelete: true, publishPerHour: 30 });
  await expect(services.call(createKey, tool, { websiteId: tenant.website.id, name: "Mine" })).rejects.toMatchObject({
    code: "GRANT_FORBIDS",
  });
  await expect(services.call(revokeKey, tool, ids)).rejects.toMatchObject({ code: "GRANT_FORBIDS" });
  await expect(services.call(listKeys, tool, { websiteId: tenant.website.id })).rejects.toMatchObject({ code: "GRANT_FORBIDS" });
});

test("a key of another website is not found", async () => {
  const [mine, theirs] = [await services.makeTenant(), await services.makeTenant()];
  const { record } = await makeKey(theirs);
  const ids = { websiteId: mine.website.id, keyId: record.id };
  await expect(services.call(revokeKey, mine.actor, ids)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(services.call(updateKey, mine.actor, { ...ids, name: "Mine now" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(services.call(listKeys, mine.actor, { websiteId: theirs.website.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
});
