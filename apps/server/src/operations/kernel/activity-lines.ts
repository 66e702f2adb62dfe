import { createWriteBehind, type WriteBehind } from "#domain/write-behind";
import type { ActivityLine, ActivityLog } from "#ports/platform";

/** Lines of the activity log about changes that are made already: one that cannot be written now is written later. */
export type ActivityLines = Pick<WriteBehind<ActivityLine>, "write" | "close">;

export const createActivityLines = (
  activity: Pick<ActivityLog, "append">,
  isOutage: (error: unknown) => boolean,
  onTrouble: (message: string, error: unknown) => void,
): ActivityLines =>
  createWriteBehind<ActivityLine>({
    // One at a time, in their order: those that fold into one line cannot be written together.
    atOnce: 1,
    write: async ([line]) => activity.append(line!.entry, line!.foldKey),
    isOutage,
    onLost: (error) => onTrouble("A line of the activity log was not written", error),
  });
