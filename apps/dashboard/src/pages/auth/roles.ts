import type { Role } from "@stet/contract";

/** What a role is for, in the words of an invitation. */
export const ROLE_WORDS: Readonly<Record<Role, { readonly as: string; readonly means: string }>> = {
  owner: { as: "an owner", means: "You can do everything, plan and deletion included." },
  admin: { as: "an admin", means: "You can do everything but change the plan and delete the workspace." },
  editor: { as: "an editor", means: "You can write, edit and publish every post." },
  author: { as: "an author", means: "You can write posts and publish your own." },
  contributor: { as: "a contributor", means: "You can write drafts and ask for a review." },
};
