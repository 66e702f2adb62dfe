import { z } from "zod";
import type { Actor } from "#domain/actor";
import { decodeCursor, encodeCursor } from "#domain/cursor";
import type { UserId } from "#domain/ids";
import type { ActivityEntry, ActivityQuery } from "#ports/platform";
import { moment } from "../kernel/inputs.ts";
import { idOf, websiteId, workspaceOperation } from "../kernel/operation.ts";
import type { Services } from "../kernel/services.ts";
import { cursorShape, limitShape, type ListAnswer } from "../kernel/paging.ts";

const ACTOR_TYPES = ["user", "tool", "system"] as const satisfies readonly Actor["type"][];
const SORT = "-at";

export interface ActivityLine extends ActivityEntry {
  /** The actor's present name; null for jobs and for accounts that are gone. */
  readonly actorName: string | null;
}

export const listActivity = workspaceOperation({
  name: "list_activity",
  summary: "List the activity in a workspace, newest first.",
  permission: "activity.read",
  input: {
    websiteId: websiteId.optional(),
    action: z
      .string()
      .regex(/^[a-z]+(_[a-z]+)*$/, "must be the name of an operation, such as publish_post")
      .max(60)
      .optional(),
    userId: idOf<UserId>("user").optional(),
    actorType: z.enum(ACTOR_TYPES).optional(),
    targetId: z
      .string()
      .regex(/^[a-z]+_[0-9a-z]{26}$/, "must be an id")
      .optional(),
    /** At this moment or later. */
    from: moment.optional(),
    /** Before this moment. */
    to: moment.optional(),
    ...cursorShape,
    ...limitShape,
  },
  async run({ services, workspace }, input): Promise<ListAnswer<ActivityLine>> {
    const { websiteId: ofWebsite, action, userId, actorType, targetId, from, to, cursor, limit } = input;
    const query: ActivityQuery = {
      limit,
      after: cursor ? decodeCursor(cursor, SORT) : null,
      ...(ofWebsite && { websiteId: ofWebsite }),
      ...(action && { action }),
      ...(userId && { userId }),
      ...(actorType && { actorType }),
      ...(targetId && { targetId }),
      ...(from && { from }),
      ...(to && { to }),
    };
    const page = await services.platform.activity.list(workspace.id, query);
    return { items: await withNames(services, page.rows), nextCursor: page.next && encodeCursor(SORT, page.next) };
  },
  activity: "none",
});

export async function withNames({ accounts }: Pick<Services, "accounts">, entries: readonly ActivityEntry[]): Promise<ActivityLine[]> {
  const people = [...new Set(entries.map((entry) => entry.actor.userId).filter((id) => id !== null))];
  const names = new Map((await accounts.getMany(people)).map((account) => [account.id, account.name]));
  return entries.map((entry) => ({ ...entry, actorName: (entry.actor.userId && names.get(entry.actor.userId)) ?? null }));
}
