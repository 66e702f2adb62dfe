import { refOf, systemActor } from "#domain/actor";
import { newId } from "#domain/ids";
import { millis } from "#domain/time";
import type { Notices } from "#ports/notices";
import type { ActivityLog } from "#ports/platform";

/** Notices stand in the activity log, whether or not they are also mailed. */
export const activityNotices = (activity: ActivityLog): Notices => ({
  tell: ({ workspaceId, websiteId, job, at, kind, target, details, key }) =>
    activity.append(
      {
        id: newId("activity", millis(at)),
        workspaceId,
        websiteId,
        at,
        actor: refOf(systemActor(job)),
        action: kind,
        target,
        details,
        count: 1,
      },
      `${kind}:${key}`,
    ),
});
