import { newId } from "#domain/ids";
import { millis } from "#domain/time";
import type { ActivityLine } from "#ports/platform";
import type { Activity, Call, InWebsite } from "./operation.ts";
import type { Services } from "./services.ts";

type LineContext = Pick<Call, "by" | "now"> & Partial<Pick<InWebsite, "workspace" | "website">>;

/** A line of the activity log about what a call does. None where it belongs to no workspace. */
export function activityLineOf(context: LineContext, action: string, activity: Activity): ActivityLine | null {
  const workspaceId = activity.workspaceId ?? context.workspace?.id;
  if (!workspaceId) return null;
  return {
    entry: {
      id: newId("activity", millis(context.now)),
      workspaceId,
      websiteId: context.website?.id ?? null,
      at: context.now,
      actor: context.by,
      action,
      target: activity.target,
      details: activity.details ?? {},
      count: 1,
    },
    foldKey: activity.foldKey,
  };
}

/** Writes a line about what a call did, which is done whatever becomes of the line. */
export async function writeActivity(
  context: LineContext & { readonly services: Pick<Services, "activityLines"> },
  action: string,
  activity: Activity,
): Promise<void> {
  const line = activityLineOf(context, action, activity);
  if (line) await context.services.activityLines.write(line);
}
