import type { WorkspaceId } from "#domain/ids";
import { type Clock, timestamp } from "#domain/time";
import type { Notices } from "#ports/notices";
import type { Platform } from "#ports/platform";
import { type Meter, spent } from "./meters.ts";

/** Percent of the month's requests at which the owner is warned. */
const THRESHOLDS = [75, 90, 100] as const;

/**
 * Tells the owner when a threshold is passed. It is told first and written down as told then: a node that dies in between leaves it to the next,
 * and a notice that two nodes tell is one.
 */
export interface Warnings {
  look(workspaceId: WorkspaceId, meter: Meter, month: string): Promise<void>;
}

export interface UsageServices {
  readonly platform: Platform;
  readonly notices: Notices;
  readonly clock: Clock;
}

export function createWarnings(services: UsageServices): Warnings {
  /** The highest threshold that this node knows to be dealt with, by workspace and month. */
  const dealtWith = new Map<string, number>();

  async function warn(workspaceId: WorkspaceId, month: string, percent: number, used: number, quota: number): Promise<void> {
    if (await services.platform.usage.isWarned(workspaceId, month, percent)) return;
    const workspace = await services.platform.workspaces.get(workspaceId);
    const now = services.clock();
    if (workspace) {
      await services.notices.tell({
        workspaceId,
        websiteId: null,
        job: "usage",
        at: timestamp(now),
        kind: "quota_warning",
        target: { id: workspaceId, label: workspace.name },
        details: { percent, month, used, requestsPerMonth: quota },
        key: `${month}:${percent}`,
      });
    }
    await services.platform.usage.recordWarning(workspaceId, month, percent);
  }

  return {
    async look(workspaceId, meter, month) {
      const { quota } = meter;
      if (quota === null || quota === 0) return;
      const used = spent(meter, month);
      const workspaceMonth = `${workspaceId} ${month}`;
      for (const percent of THRESHOLDS) {
        if (used * 100 < percent * quota) return;
        if ((dealtWith.get(workspaceMonth) ?? 0) >= percent) continue;
        await warn(workspaceId, month, percent, used, quota);
        dealtWith.set(workspaceMonth, percent);
      }
    },
  };
}
