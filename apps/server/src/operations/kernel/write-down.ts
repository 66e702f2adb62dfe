import { newId } from "#domain/ids";
import { millis } from "#domain/time";
import type { Activity, Call, InWebsite } from "./operation.ts";
import type { Services } from "./services.ts";

interface Told extends Pick<Call, "by" | "now">, Partial<Pick<InWebsite, "workspace" | "website">> {
  readonly services: Pick<Services, "activityLines">;
}

/** A line of the activity log about what a call did, which is done whatever becomes of the line. None where it belongs to no workspace. */
export async function writeDown(context: Told, action: string, activity: Activity): Promise<void> {
  const workspaceId = activity.workspaceId ?? context.workspace?.id;
  if (!workspaceId) return;
  await context.services.activityLines.write({
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
  });
}
