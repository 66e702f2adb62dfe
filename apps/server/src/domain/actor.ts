import type { GrantId, UserId, WorkspaceId } from "#domain/ids";

/** The rights that the owner gave a connected tool. They are read on every request, so that narrowing acts right away. */
export interface Grant {
  readonly id: GrantId;
  readonly workspaces: "all" | WorkspaceId;
  readonly allowDelete: boolean;
  /** How many publications, and how many takedowns, it may bring about in an hour. */
  readonly publishPerHour: number;
}

/**
 * The one who asks. A tool acts as the user who connected it, minus everything outside its grant. A job says what it is.
 * There is no anonymous actor and no flag that skips the policy.
 */
export type Actor =
  | { readonly type: "user"; readonly userId: UserId }
  | { readonly type: "tool"; readonly userId: UserId; readonly grant: Grant }
  | { readonly type: "system"; readonly job: string };

/** How an actor is remembered in revisions, events and the activity log. `id` is a user id, a grant id or a job's name. */
export interface ActorRef {
  readonly type: Actor["type"];
  readonly id: string;
  /** The person behind it; null for jobs. */
  readonly userId: UserId | null;
}

export const userActor = (userId: UserId): Actor => ({ type: "user", userId });
export const toolActor = (userId: UserId, grant: Grant): Actor => ({ type: "tool", userId, grant });
export const systemActor = (job: string): Actor => ({ type: "system", job });

export function refOf(actor: Actor): ActorRef {
  if (actor.type === "user") return { type: "user", id: actor.userId, userId: actor.userId };
  if (actor.type === "tool") return { type: "tool", id: actor.grant.id, userId: actor.userId };
  return { type: "system", id: actor.job, userId: null };
}
