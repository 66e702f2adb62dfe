import { expect, test } from "vitest";
import { systemActor } from "#domain/actor";
import { changePlan } from "#operations/plan/change-plan";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { openTestServices } from "#test/services";
import { readConfig } from "../config.ts";
import { checkDatabase } from "./database.ts";
import { checkPlan } from "./plan.ts";

const services = closedAtEnd(await openTestServices());
const own = { firstPlan: "unlimited", databaseUrl: null } as const;

test("an install that looks like somebody's own, with its first workspace on free, is told the command that removes the limits", async () => {
  expect(await checkPlan(services.database, own), "an empty install").toEqual([]);
  const first = await services.makeTenant({ plan: "free" });
  await services.makeTenant({ plan: "free" });
  const command = `stet plan set ${first.workspace.id} unlimited`;
  expect(await checkPlan(services.database, own)).toEqual([{ verdict: "warning", message: expect.stringContaining(command) }]);
  expect(await checkPlan(services.database, { ...own, firstPlan: "free" }), "STET_DEFAULT_PLAN=free").toEqual([]);

  await services.call(changePlan, systemActor("plan set"), { workspaceId: first.workspace.id, plan: "unlimited" });
  expect(await checkPlan(services.database, own), "the second one is somebody else's").toEqual([]);
});

test("the doctor looks at the plan in the database of the install, also in one that was never migrated", async () => {
  const [migrated, empty] = [await openTestDatabase(), await openTestDatabase({ migrated: false })];
  await (await openTestServices({}, migrated)).makeTenant({ plan: "free" });
  const report = async (url: string, plan?: string) =>
    (await checkDatabase(readConfig({ DATABASE_URL: url, STET_DEFAULT_PLAN: plan }))).map(({ message }) => message).join("\n");
  expect(await report(migrated.url)).toMatch(/Plan: the first workspace.*unlimited\. Do it when all nodes run this version/);
  expect(await report(migrated.url, "free")).not.toContain("Plan:");
  expect(await report(empty.url)).not.toContain("Plan:");
  await Promise.all([migrated.close(), empty.close()]);
});
