import { expect, test } from "vitest";
import { systemActor, toolActor } from "#domain/actor";
import { newId } from "#domain/ids";
import { execute } from "#operations/kernel/execute";
import { createKey } from "#operations/keys/create-key";
import { addMedia } from "#operations/media/add-media";
import { changePlan } from "#operations/plan/change-plan";
import { getUsage } from "#operations/plan/get-usage";
import { listPlans } from "./list-plans.ts";
import { previewPlanChange } from "#operations/plan/preview-plan-change";
import { createWebsite } from "#operations/websites/create-website";
import { closedAtEnd } from "#test/closed-at-end";
import { distinctImage } from "#test/images";
import { openTestServices, type Tenant } from "#test/services";

const services = closedAtEnd(await openTestServices());

const at = (tenant: Tenant) => ({ workspaceId: tenant.workspace.id });
let uploads = 0;
/** Each is another image of the same size. */
const image = () => distinctImage(uploads++);

test("usage shows the plan, its limits, and what counts against them over all websites", async () => {
  const tenant = await services.makeTenant({ plan: "team" });
  const second = await services.call(createWebsite, tenant.actor, { ...at(tenant), name: "Second" });
  await services.call(createKey, tenant.actor, { websiteId: second.id, name: "Key" });
  for (const websiteId of [tenant.website.id, second.id, second.id]) {
    await services.call(addMedia, tenant.actor, { websiteId, bytes: image(), filename: "dot.png" });
  }
  await services.database.query({
    text: "INSERT INTO workspace_usage (workspace_id, month, requests) VALUES ($1, '2026-11', 1234), ($1, '2026-10', 99)",
    values: [tenant.workspace.id],
  });
  const contributor = await tenant.addMember("contributor");
  expect(await services.call(getUsage, contributor, at(tenant))).toEqual({
    plan: "team",
    limits: services.plans.team,
    websites: [
      { id: tenant.website.id, name: tenant.website.name, liveKeys: 0, storageBytes: image().length },
      { id: second.id, name: "Second", liveKeys: 1, storageBytes: 2 * image().length },
    ],
    storageBytes: 3 * image().length,
    month: "2026-11",
    requests: 1234,
  });
});

test("a downgrade that does not fit is refused with everything to change first, and then fits", async () => {
  const tenant = await services.makeTenant({ plan: "team" });
  const second = await services.call(createWebsite, tenant.actor, { ...at(tenant), name: "Second" });
  for (let i = 0; i < 3; i++) await services.call(createKey, tenant.actor, { websiteId: second.id, name: `Key ${i}` });
  const refusal = await services.call(changePlan, tenant.actor, { ...at(tenant), plan: "free" }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: "PLAN_LIMIT",
    facts: {
      plan: "free",
      problems: [{ facts: { limit: "websites", used: 2 } }, { facts: { limit: "liveKeys", websiteId: second.id, used: 3 } }],
    },
  });
  expect((refusal as Error).message).toContain('"Second" has 3. Revoke 1');
  expect((refusal as Error).message).toContain("Delete 1 of them");
  expect((await services.platform.workspaces.get(tenant.workspace.id))?.plan).toBe("team");
  await services.platform.websites.markDeleted(second.id, tenant.website.createdAt);
  expect(await services.call(changePlan, tenant.actor, { ...at(tenant), plan: "free" })).toEqual({ plan: "free", previousPlan: "team" });
});

test("a preview says what would have to change first, and changes nothing", async () => {
  const tenant = await services.makeTenant({ plan: "team" });
  await services.call(createWebsite, tenant.actor, { ...at(tenant), name: "Second" });
  const preview = (plan: string) => services.call(previewPlanChange, tenant.actor, { ...at(tenant), plan });
  expect(await preview("free")).toMatchObject({ limits: services.plans.free, problems: [{ facts: { limit: "websites", used: 2 } }] });
  expect((await preview("team")).problems).toEqual([]);
  expect((await services.platform.workspaces.get(tenant.workspace.id))?.plan).toBe("team");
});

test("everyone in a workspace sees the plans, the smallest first, and who changes them", async () => {
  const tenant = await services.makeTenant();
  const answer = await services.call(listPlans, await tenant.addMember("contributor"), at(tenant));
  expect(answer.plans.map(({ name }) => name)).toEqual(["free", "starter", "team"]);
  expect(answer.plans[0]?.limits).toEqual(services.plans.free);
  expect(answer.changedBy).toBe("owner");
});

test("images that do not fit stop a downgrade", async () => {
  const tenant = await services.makeTenant({ plan: "team" });
  await services.call(addMedia, tenant.actor, { websiteId: tenant.website.id, bytes: image(), filename: "dot.png" });
  const tight = { ...services, plans: { ...services.plans, free: { ...services.plans.free, storageBytes: image().length - 1 } } };
  await expect(execute(tight, changePlan, tenant.actor, { ...at(tenant), plan: "free" })).rejects.toMatchObject({
    code: "PLAN_LIMIT",
    facts: { problems: [{ facts: { limit: "storageBytes", used: image().length } }] },
  });
});

test("a downgrade and a new website at the same moment never both succeed", async () => {
  for (let round = 0; round < 5; round++) {
    const tenant = await services.makeTenant({ plan: "team" });
    await Promise.allSettled([
      services.call(createWebsite, tenant.actor, { ...at(tenant), name: "Second" }),
      services.call(changePlan, tenant.actor, { ...at(tenant), plan: "free" }),
    ]);
    const [workspace, websites] = await Promise.all([
      services.platform.workspaces.get(tenant.workspace.id),
      services.platform.websites.list(tenant.workspace.id),
    ]);
    expect(websites.length).toBeLessThanOrEqual(services.plans[workspace!.plan].websites!);
  }
});

test("only the owner changes the plan, and never a tool", async () => {
  const tenant = await services.makeTenant();
  const input = { ...at(tenant), plan: "starter" };
  await expect(services.call(changePlan, await tenant.addMember("admin"), input)).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
  const tool = toolActor(tenant.owner.id, { id: newId("grant"), workspaces: "all", allowDelete: true, publishPerHour: 30 });
  await expect(services.call(changePlan, tool, input)).rejects.toMatchObject({ code: "GRANT_FORBIDS" });
  await expect(services.call(changePlan, tenant.actor, input)).resolves.toMatchObject({ plan: "starter" });
});

test("unlimited is refused to every role, says how it is given, and is given by the operator", async () => {
  const tenant = await services.makeTenant({ plan: "free" });
  const input = { ...at(tenant), plan: "unlimited" };
  const others = await Promise.all((["admin", "editor", "author", "contributor"] as const).map((role) => tenant.addMember(role)));
  const tool = toolActor(tenant.owner.id, { id: newId("grant"), workspaces: "all", allowDelete: true, publishPerHour: 30 });
  for (const actor of [tenant.actor, ...others])
    await expect(services.call(changePlan, actor, input)).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
  await expect(services.call(changePlan, tool, input)).rejects.toMatchObject({ code: "GRANT_FORBIDS" });
  await expect(services.call(changePlan, tenant.actor, input)).rejects.toThrow(`stet plan set ${tenant.workspace.id} unlimited`);
  await expect(services.call(previewPlanChange, tenant.actor, input)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  expect((await services.platform.workspaces.get(tenant.workspace.id))?.plan).toBe("free");
  await expect(services.call(changePlan, systemActor("plan set"), input)).resolves.toEqual({ plan: "unlimited", previousPlan: "free" });
  // An owner who has it keeps it, and cannot renew it.
  await expect(services.call(changePlan, tenant.actor, input)).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
});

test("on unlimited nothing is refused, everything is included, and leaving it lists what does not fit", async () => {
  const tenant = await services.makeTenant({ plan: "unlimited" });
  const websites = await Promise.all(
    [1, 2, 3, 4, 5].map((n) => services.call(createWebsite, tenant.actor, { ...at(tenant), name: `B${n}` })),
  );
  for (const name of ["a", "b", "c"]) await services.call(createKey, tenant.actor, { websiteId: websites[0]!.id, name });
  const usage = await services.call(getUsage, tenant.actor, at(tenant));
  expect(usage).toMatchObject({ plan: "unlimited", limits: { requestsPerMonth: null, websites: null, liveKeys: null, search: true } });
  for (const actor of [tenant.actor, systemActor("plan set")])
    await expect(services.call(changePlan, actor, { ...at(tenant), plan: "free" })).rejects.toMatchObject({
      code: "PLAN_LIMIT",
      facts: { problems: [{ facts: { limit: "websites", allowed: 1, used: 6 } }, { facts: { limit: "liveKeys", allowed: 2, used: 3 } }] },
    });
});

test("a limit that the operator sets for unlimited holds, and its refusal speaks of the server, not of a plan to buy", async () => {
  const tenant = await services.makeTenant({ plan: "unlimited" });
  const limited = { ...services, plans: { ...services.plans, unlimited: { ...services.plans.unlimited, websites: 1 } } };
  await expect(execute(limited, createWebsite, tenant.actor, { ...at(tenant), name: "Second" })).rejects.toMatchObject({
    code: "PLAN_LIMIT",
    message: "This server has room for 1 website in a workspace. Delete a website, or raise the limit in STET_PLANS.",
  });
});

test("where the operator changes plans, the owner cannot", async () => {
  const tenant = await services.makeTenant({ plan: "free" });
  const governed = { ...services, settings: { ...services.settings, planChanges: "operator" as const } };
  const input = { ...at(tenant), plan: "team" };
  await expect(execute(governed, changePlan, tenant.actor, input)).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
  await expect(execute(governed, changePlan, systemActor("plan set"), input)).resolves.toEqual({ plan: "team", previousPlan: "free" });
});

test("a smaller plan is refused while a website's content lies in a database of its own, without asking that", async () => {
  const tenant = await services.makeTenant({ plan: "team" });
  await services.platform.homes.pause(tenant.website.id, 10);
  expect(await services.platform.homes.move(tenant.website, "own")).toBe(true);
  const refusal = services.call(changePlan, tenant.actor, { ...at(tenant), plan: "free" });
  await expect(refusal).rejects.toMatchObject({
    code: "PLAN_LIMIT",
    facts: { problems: [{ message: expect.stringContaining(tenant.website.name) as string }] },
  });
});
