import { PLAN_NAMES } from "@stet/contract";
import { systemActor } from "#domain/actor";
import { isId } from "#domain/ids";
import { execute } from "#operations/kernel/execute";
import { changePlan } from "#operations/plan/change-plan";
import type { Command } from "../command.ts";
import { readArguments, stopIfWrong } from "./options.ts";
import { withInstallation } from "./with-installation.ts";

const USAGE = "plan set WORKSPACE_ID PLAN";

/** `stet plan set`: changes a plan with the operator's right, also where owners may not. */
export const planSet: Command = async (args) => {
  const { positionals, problems } = readArguments(args, { positionals: 2 });
  const [workspaceId = "", plan = ""] = positionals;
  if (!isId("workspace", workspaceId))
    problems.push(`WORKSPACE_ID must be the id of a workspace, as in the dashboard's address /w/ws_…; got "${workspaceId}".`);
  if (!PLAN_NAMES.some((name) => name === plan)) problems.push(`PLAN must be one of ${PLAN_NAMES.join(", ")}; got "${plan}".`);
  stopIfWrong(problems, USAGE);
  const { previousPlan } = await withInstallation(({ services }) =>
    execute(services, changePlan, systemActor("stet plan set"), { workspaceId, plan }),
  );
  process.stdout.write(previousPlan === plan ? `The plan is ${plan} already.\n` : `The plan is ${plan} now; it was ${previousPlan}.\n`);
  return 0;
};
