import { expect, test } from "vitest";
import { toolOf } from "#test/connected-tool";
import { systemActor, toolActor } from "#domain/actor";
import { newId } from "#domain/ids";
import { createKey } from "#operations/keys/create-key";
import { createTerm } from "#operations/terms/create-term";
import { createWebsite } from "#operations/websites/create-website";
import { listActivity } from "#operations/workspaces/list-activity";
import { renameWorkspace } from "#operations/workspaces/rename-workspace";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";

const services = closedAtEnd(await openTestServices());

const list = (tenant: Tenant, filter: Record<string, unknown> = {}) =>
  services.call(listActivity, tenant.actor, { workspaceId: tenant.workspace.id, ...filter });

test("every change says who did what to what, newest first", async () => {
  const tenant = await services.makeTenant();
  services.pass(1_000);
  await services.call(renameWorkspace, tenant.actor, { workspaceId: tenant.workspace.id, name: "The Weekly" });
  const { items } = await list(tenant);
  expect(items.map(({ action }) => action)).toEqual(["rename_workspace", "create_website", "create_workspace"]);
  expect(items[0]).toMatchObject({
    actor: { type: "user", id: tenant.owner.id },
    actorName: tenant.owner.name,
    target: { id: tenant.workspace.id, label: "The Weekly" },
    details: { previousName: tenant.workspace.name },
    websiteId: null,
  });
  expect(items[1]).toMatchObject({ target: { id: tenant.website.id, label: tenant.website.name } });
});

test("a rename to the same name is no news", async () => {
  const tenant = await services.makeTenant();
  await services.call(renameWorkspace, tenant.actor, { workspaceId: tenant.workspace.id, name: tenant.workspace.name });
  expect((await list(tenant, { action: "rename_workspace" })).items).toEqual([]);
});

test("the log can be narrowed by website, person, kind of actor, action and target", async () => {
  const tenant = await services.makeTenant();
  const second = await services.call(createWebsite, tenant.actor, { workspaceId: tenant.workspace.id, name: "Second" });
  const admin = await tenant.addMember("admin");
  const tool = await toolOf(services, tenant.owner.id);
  const { record } = await services.call(createKey, admin, { websiteId: second.id, name: "Theirs" });
  const tag = await services.call(createTerm, tool, { websiteId: tenant.website.id, kind: "tag", name: "News" });
  const job = await services.call(createTerm, systemActor("import"), { websiteId: second.id, kind: "tag", name: "Old" });
  const targets = async (filter: Record<string, unknown>) => (await list(tenant, filter)).items.map(({ target }) => target?.id);
  expect(await targets({ websiteId: second.id })).toEqual([job.id, record.id]);
  expect(await targets({ userId: admin.userId })).toEqual([record.id]);
  expect(await targets({ actorType: "tool" })).toEqual([tag.id]);
  expect(await targets({ actorType: "system" })).toEqual([job.id]);
  expect(await targets({ action: "create_key" })).toEqual([record.id]);
  expect(await targets({ targetId: tag.id })).toEqual([tag.id]);
});

test("a span of time has what happened from its first moment on, and not what happened at its end", async () => {
  const tenant = await services.makeTenant();
  const at: string[] = [];
  for (const name of ["One", "Two", "Three"]) {
    services.pass(1_000);
    at.push(services.now.toISOString());
    await services.call(renameWorkspace, tenant.actor, { workspaceId: tenant.workspace.id, name });
  }
  const named = async (filter: Record<string, unknown>) =>
    (await list(tenant, { action: "rename_workspace", ...filter })).items.map(({ target }) => target?.label);
  expect(await named({ from: at[1] })).toEqual(["Three", "Two"]);
  expect(await named({ to: at[1] })).toEqual(["One"]);
  expect(await named({ from: at[1], to: at[2] })).toEqual(["Two"]);
  await expect(list(tenant, { from: "yesterday" })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
});

test("pages follow each other without gaps or repetitions, also within one millisecond", async () => {
  const tenant = await services.makeTenant();
  for (let i = 0; i < 7; i++) await services.call(renameWorkspace, tenant.actor, { workspaceId: tenant.workspace.id, name: `Name ${i}` });
  const seen: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await list(tenant, { action: "rename_workspace", limit: 3, ...(cursor && { cursor }) });
    seen.push(...page.items.map(({ target }) => target!.label));
    cursor = page.nextCursor;
  } while (cursor);
  expect(seen).toEqual(["Name 6", "Name 5", "Name 4", "Name 3", "Name 2", "Name 1", "Name 0"]);
  await expect(list(tenant, { cursor: "altered" })).rejects.toMatchObject({ code: "INVALID_CURSOR" });
  await expect(list(tenant, { limit: 101 })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
});

test("editors and tools do not read the log, and another workspace's is not found", async () => {
  const [mine, theirs] = [await services.makeTenant(), await services.makeTenant()];
  const ids = { workspaceId: mine.workspace.id };
  await expect(services.call(listActivity, await mine.addMember("editor"), ids)).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
  const tool = toolActor(mine.owner.id, { id: newId("grant"), workspaces: "all", allowDelete: true, publishPerHour: 30 });
  await expect(services.call(listActivity, tool, ids)).rejects.toMatchObject({ code: "GRANT_FORBIDS" });
  await expect(services.call(listActivity, theirs.actor, ids)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await list(mine, { websiteId: theirs.website.id })).items).toEqual([]);
});
