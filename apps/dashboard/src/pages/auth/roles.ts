import type { Role } from "@stet/contract";

interface RoleWords {
  readonly as: string;
  /** In an invitation. */
  readonly means: string;
  /** Beside the other roles. */
  readonly does: string;
}

/** What a role is for, in a sentence. What exactly it may is the server's table (`list_roles`). */
export const ROLE_WORDS: Readonly<Record<Role, RoleWords>> = {
  owner: {
    as: "an owner",
    means: "You can do everything, plan and deletion included.",
    does: "Does everything, and alone changes the plan, deletes websites or the workspace, and hands the ownership on.",
  },
  admin: {
    as: "an admin",
    means: "You can do everything but change the plan, and delete websites or the workspace.",
    does: "Runs the workspace: websites, keys, webhooks, members and the activity log, besides all that editors do.",
  },
  editor: {
    as: "an editor",
    means: "You can write, edit and publish every post.",
    does: "Writes, edits and publishes every post, and keeps categories, tags, authors and images in order.",
  },
  author: {
    as: "an author",
    means: "You can write posts and publish your own.",
    does: "Writes and publishes posts of their own, and reads those of all others.",
  },
  contributor: {
    as: "a contributor",
    means: "You can write drafts and ask for a review.",
    does: "Writes drafts and asks for a review; somebody else publishes. Sees published posts and their own.",
  },
};
