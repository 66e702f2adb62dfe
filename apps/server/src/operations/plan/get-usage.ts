import type { PlanName } from "@stet/contract";
import type { PlanLimits } from "#domain/plans";
import { workspaceOperation } from "../kernel/operation.ts";
import { measureUsage, monthOf } from "./helpers/measure-usage.ts";

export interface UsageView {
  readonly plan: PlanName;
  readonly limits: PlanLimits;
  readonly websites: readonly { readonly id: string; readonly name: string; readonly liveKeys: number; readonly storageBytes: number }[];
  readonly storageBytes: number;
  /** The UTC month that the requests were counted in, such as 2026-11. */
  readonly month: string;
  readonly requests: number;
}

export const getUsage = workspaceOperation({
  name: "get_usage",
  summary: "Show the plan of a workspace, its limits, and how much of them is used.",
  permission: "workspace.read",
  input: {},
  async run({ services, workspace, now }): Promise<UsageView> {
    const month = monthOf(now);
    const [usage, requests] = await Promise.all([
      measureUsage(services.platform, workspace.id),
      services.platform.usage.requests(workspace.id, month),
    ]);
    const websites = usage.websites.map(({ id, name, liveKeys, storageBytes }) => ({ id, name, liveKeys, storageBytes }));
    return { plan: workspace.plan, limits: services.plans[workspace.plan], websites, storageBytes: usage.storageBytes, month, requests };
  },
  activity: "none",
});
