import type { Role } from "@stet/contract";

interface RoleWords {
  readonly as: string;
  /** In an invitation. */
  readonly means: string;
  /** Beside the other roles. */
  readonly does: string;
}

/** The purpose of each role, in a sentence. Its exact permissions are the server's table (`list_roles`). */
export const ROLE_WORDS: Readonly<Record<Role, RoleWords>> = {
  owner: {
    as: "an owner",
    means: "You can do everything, including changing the plan and deleting.",
    does: "Can do everything. Only the owner can change the plan, delete websites or the workspace, and transfer ownership.",
  },
  admin: {
    as: "an admin",
    means: "You can do everything except change the plan and delete websites or the workspace.",
    does: "Manages websites, keys, webhooks, members and the activity log, and can do everything editors can.",
  },
  editor: {
    as: "an editor",
    means: "You can write, edit and publish every post.",
    does: "Writes, edits and publishes all posts. Manages categories, tags, authors and images.",
  },
  author: {
    as: "an author",
    means: "You can write posts and publish your own.",
    does: "Writes and publishes their own posts. Can read all others.",
  },
  contributor: {
    as: "a contributor",
    means: "You can write drafts and request reviews.",
    does: "Writes drafts and requests reviews; an editor publishes. Sees published posts and their own.",
  },
};
