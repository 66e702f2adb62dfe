import type { EventType, PostStatus } from "@stet/contract";
import { fail } from "#domain/failure";

/** The actions that change the state of a post, or what readers see of it. Editing is possible in every state but the trash. */
export const POST_ACTIONS = ["publish", "schedule", "unpublish", "update", "delete", "restore", "purge"] as const;
export type PostAction = (typeof POST_ACTIONS)[number];

interface Transition {
  /** Null: it is gone. */
  readonly to: PostStatus | null;
  readonly event: EventType | null;
}

/** The state table of the contract. What is not in it does not exist. One action, at most one event. */
const TRANSITIONS = {
  draft: {
    publish: { to: "published", event: "post.published" },
    schedule: { to: "scheduled", event: null },
    delete: { to: "deleted", event: "post.deleted" },
  },
  scheduled: {
    publish: { to: "published", event: "post.published" },
    schedule: { to: "scheduled", event: null },
    unpublish: { to: "draft", event: null },
    delete: { to: "deleted", event: "post.deleted" },
  },
  published: {
    unpublish: { to: "unpublished", event: "post.unpublished" },
    update: { to: "published", event: "post.updated" },
    delete: { to: "deleted", event: "post.deleted" },
  },
  unpublished: {
    publish: { to: "published", event: "post.published" },
    schedule: { to: "scheduled", event: null },
    delete: { to: "deleted", event: "post.deleted" },
  },
  deleted: {
    restore: { to: "draft", event: null },
    purge: { to: null, event: null },
  },
} as const satisfies Record<PostStatus, Partial<Record<PostAction, Transition>>>;

const DONE: Record<PostAction, string> = {
  publish: "published",
  schedule: "scheduled",
  unpublish: "unpublished",
  update: "updated",
  delete: "deleted",
  restore: "restored",
  purge: "purged",
};

export function transition(status: PostStatus, action: PostAction): Transition {
  const found = (TRANSITIONS[status] as Partial<Record<PostAction, Transition>>)[action];
  if (found) return found;
  const possible = Object.keys(TRANSITIONS[status]);
  throw fail(
    "INVALID_TRANSITION",
    `${status === "unpublished" ? "An" : "A"} ${status} post cannot be ${DONE[action]}. Possible now: ${possible.join(", ")}.`,
    {
      status,
      action,
      possible,
    },
  );
}
