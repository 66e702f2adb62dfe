import type { Permission, Reach } from "../../api/registry.ts";

/** What each permission is called. Who has it is the server's table (`list_roles`), never written here. */
const WORDS = {
  "workspace.read": "See websites, terms, images and numbers",
  "workspace.leave": "Leave the workspace",
  "post.read": "Read posts",
  "post.create": "Begin posts",
  "post.write": "Edit posts",
  "post.publish": "Publish, update, schedule and unpublish posts",
  "post.delete": "Move posts to the trash",
  "post.restore": "Take posts out of the trash",
  "post.purge": "Remove posts for good",
  "post.undo": "Set posts back to before a connected app changed them",
  "post.review": "Ask for a review, and end one",
  "term.create": "Create categories, tags and authors",
  "term.manage": "Rename and merge categories, tags and authors",
  "term.delete": "Delete categories, tags and authors",
  "media.upload": "Upload images",
  "media.manage": "Describe images",
  "media.delete": "Move images to the trash, and remove them for good",
  "website.manage": "Change website settings and fields",
  "website.export": "Export a website",
  "website.import": "Import into a website",
  "key.manage": "Create and revoke keys",
  "webhook.read": "See webhooks and their deliveries",
  "webhook.manage": "Manage webhooks",
  "store.manage": "Choose where content and images are kept",
  "member.manage": "Invite, remove and change members",
  "connection.own": "See, narrow, undo and end one’s own connected apps",
  "connection.manage": "The same for connected apps of others",
  "activity.read": "Read the activity log",
  "plan.change": "Change the plan",
  "website.delete": "Delete websites",
  "workspace.manage": "Rename the workspace",
  "workspace.delete": "Delete the workspace",
  "workspace.transfer": "Transfer the ownership",
};
export const PERMISSION_WORDS: Readonly<Record<Permission, string>> = WORDS;

export const REACH_WORDS: Readonly<Record<Reach, string>> = {
  any: "Yes",
  own: "Own only",
  "own or published": "Own and published",
  none: "No",
};

export const TOOL_WORDS = { yes: "Yes", "with delete": "If allowed to delete", never: "Never" } as const;
