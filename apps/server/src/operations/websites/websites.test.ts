import { expect, test } from "vitest";
import { toolActor } from "#domain/actor";
import { newId } from "#domain/ids";
import { createKey } from "#operations/keys/create-key";
import { createWebsite } from "#operations/websites/create-website";
import { deleteWebsite } from "#operations/websites/delete-website";
import { getWebsite } from "#operations/websites/get-website";
import { listWebsites } from "#operations/websites/list-websites";
import { setFieldDefinitions } from "#operations/websites/set-field-definitions";
import { updateWebsite } from "#operations/websites/update-website";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";

const services = closedAtEnd(await openTestServices());

const create = (tenant: Tenant, input: Record<string, unknown> = {}) =>
  services.call(createWebsite, tenant.actor, { workspaceId: tenant.workspace.id, name: "Another", ...input });
const update = (tenant: Tenant, input: Record<string, unknown>) =>
  services.call(updateWebsite, tenant.actor, { websiteId: tenant.website.id, expectedVersion: 1, ...input });

test("a new website has sensible settings", async () => {
  const tenant = await services.makeTenant();
  const website = await create(tenant, { name: "Field Notes", settings: { language: "pt-br" } });
  expect(website).toMatchObject({
    version: 1,
    fieldDefinitions: [],
    settings: { title: "Field Notes", language: "pt-BR", timeZone: "UTC", publicUrl: null, holdToolChanges: false },
  });
  expect(await services.call(getWebsite, tenant.actor, { websiteId: website.id })).toEqual(website);
});

test("the plan's limit of websites holds, also when they are created at the same moment", async () => {
  const tenant = await services.makeTenant({ plan: "team" });
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => create(tenant)));
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(4);
  for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "PLAN_LIMIT" });
  expect(await services.call(listWebsites, tenant.actor, { workspaceId: tenant.workspace.id })).toHaveLength(5);
});

test("a deleted website makes room for another", async () => {
  const tenant = await services.makeTenant({ plan: "free" });
  await expect(create(tenant)).rejects.toMatchObject({ code: "PLAN_LIMIT", facts: { allowed: 1, used: 1 } });
  await services.call(deleteWebsite, tenant.actor, { websiteId: tenant.website.id, confirmName: tenant.website.name });
  await expect(create(tenant)).resolves.toBeDefined();
});

test("settings are changed one by one, and a stale version overwrites nothing", async () => {
  const tenant = await services.makeTenant();
  const changed = await update(tenant, { settings: { publicUrl: "https://example.com/blog/", timeZone: "Europe/Lisbon" } });
  expect(changed).toMatchObject({ version: 2, name: tenant.website.name });
  expect(changed.settings).toEqual({ ...tenant.website.settings, publicUrl: "https://example.com/blog", timeZone: "Europe/Lisbon" });
  await expect(update(tenant, { name: "Stale" })).rejects.toMatchObject({ code: "VERSION_CONFLICT", facts: { currentVersion: 2 } });
  expect(await services.call(getWebsite, tenant.actor, { websiteId: tenant.website.id })).toEqual(changed);
});

test("of changes at the same moment one is saved and the others are told", async () => {
  const tenant = await services.makeTenant();
  const results = await Promise.allSettled([1, 2, 3, 4].map((n) => update(tenant, { name: `Name ${n}` })));
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "VERSION_CONFLICT" });
});

test.each([
  ["publicUrl", "javascript:alert(1)"],
  ["publicUrl", "example.com"],
  ["publicUrl", "https://user:secret@example.com"],
  ["publicUrl", "https://example.com/?page=1"],
  ["previewUrl", "file:///etc/passwd"],
  ["language", "not a language"],
  ["language", ""],
  ["timeZone", "Mars/Olympus"],
  ["timeZone", "+01:00"],
  ["timeZone", ""],
  ["title", "two\nlines"],
  ["description", "x".repeat(1_001)],
])("a setting that cannot be is refused by name: %s %j", async (key, value) => {
  const tenant = await services.makeTenant();
  await expect(update(tenant, { settings: { [key]: value } })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    errors: [{ field: `settings.${key}` }],
  });
});

test("settings that do not exist are refused, so that a typing error is not lost in silence", async () => {
  const tenant = await services.makeTenant();
  await expect(update(tenant, { settings: { titel: "Oops" } })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
});

const field = (key: string, more: Record<string, unknown> = {}) => ({ key, label: key, type: "text", ...more });
const define = (tenant: Tenant, fieldDefinitions: unknown, expectedVersion = 1) =>
  services.call(setFieldDefinitions, tenant.actor, { websiteId: tenant.website.id, expectedVersion, fieldDefinitions });

test("field definitions are replaced as a whole, and a key may change its type", async () => {
  const tenant = await services.makeTenant();
  const first = await define(tenant, [field("rating"), field("mood", { type: "select", options: ["calm", "loud"] })]);
  expect(first.fieldDefinitions[0]).toEqual({ key: "rating", label: "rating", type: "text", required: false, help: "", options: [] });
  const second = await define(tenant, [field("rating", { type: "number", required: true })], 2);
  expect(second).toMatchObject({ version: 3, fieldDefinitions: [{ key: "rating", type: "number", required: true }] });
  await expect(define(tenant, [], 2)).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
});

test.each([
  ["a key twice", [field("a"), field("a")], "fieldDefinitions.1.key"],
  ["a key with a space", [field("a b")], "fieldDefinitions.0.key"],
  ["a key that every object has", [field("constructor")], "fieldDefinitions.0.key"],
  ["a choice of nothing", [field("a", { type: "select" })], "fieldDefinitions.0.options"],
  ["a choice twice", [field("a", { type: "select", options: ["x", "x"] })], "fieldDefinitions.0.options"],
  ["options for a text", [field("a", { options: ["x"] })], "fieldDefinitions.0.options"],
  ["a type that does not exist", [field("a", { type: "colour" })], "fieldDefinitions.0.type"],
  ["more than 50", Array.from({ length: 51 }, (_, n) => field(`f${n}`)), "fieldDefinitions"],
])("field definitions are refused by name: %s", async (_, definitions, at) => {
  const tenant = await services.makeTenant();
  await expect(define(tenant, definitions)).rejects.toMatchObject({ code: "VALIDATION_FAILED", errors: [{ field: at }] });
});

test("only the owner deletes a website, by typing its name; its keys end with it", async () => {
  const tenant = await services.makeTenant();
  const { key } = await services.call(createKey, tenant.actor, { websiteId: tenant.website.id, name: "Key" });
  const ids = { websiteId: tenant.website.id };
  const confirmName = tenant.website.name;
  await expect(services.call(deleteWebsite, await tenant.addMember("admin"), { ...ids, confirmName })).rejects.toMatchObject({
    code: "INSUFFICIENT_ROLE",
  });
  await expect(services.call(deleteWebsite, tenant.actor, { ...ids, confirmName: "No" })).rejects.toMatchObject({
    errors: [{ field: "confirmName" }],
  });
  await services.call(deleteWebsite, tenant.actor, { ...ids, confirmName });
  await expect(services.call(getWebsite, tenant.actor, ids)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await services.platform.keys.findByHash(services.keyring.mac("api-key", key).hash)).toBeNull();
});

test("editors and tools read websites and change none", async () => {
  const tenant = await services.makeTenant();
  const editor = await tenant.addMember("editor");
  const tool = toolActor(tenant.owner.id, { id: newId("grant"), workspaces: "all", allowDelete: true, publishPerHour: 30 });
  const ids = { websiteId: tenant.website.id };
  for (const [actor, code] of [
    [editor, "INSUFFICIENT_ROLE"],
    [tool, "GRANT_FORBIDS"],
  ] as const) {
    expect(await services.call(getWebsite, actor, ids)).toEqual(tenant.website);
    const change = { ...ids, expectedVersion: 1 };
    await expect(services.call(updateWebsite, actor, { ...change, name: "Mine" })).rejects.toMatchObject({ code });
    await expect(services.call(setFieldDefinitions, actor, { ...change, fieldDefinitions: [] })).rejects.toMatchObject({ code });
    await expect(services.call(createWebsite, actor, { workspaceId: tenant.workspace.id, name: "New" })).rejects.toMatchObject({ code });
    await expect(services.call(deleteWebsite, actor, { ...ids, confirmName: tenant.website.name })).rejects.toMatchObject({ code });
  }
});
