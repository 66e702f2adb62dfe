import type { Permission, Reach } from "../../api/registry.ts";

/** The name of each permission. The roles that have it are the server's table (`list_roles`), never written here. */
const WORDS = {
  "workspace.read": "See websites, categories, tags, authors, images and analytics",
  "workspace.leave": "Leave the workspace",
  "post.read": "Read posts",
  "post.create": "Create posts",
  "post.write": "Edit posts",
  "post.publish": "Publish, schedule and unpublish posts",
  "post.delete": "Move posts to the trash",
  "post.restore": "Restore posts from the trash",
  "post.purge": "Delete posts permanently",
  "post.undo": "Undo a connected app’s changes to posts",
  "suggestion.decide": "Accept and reject connected apps’ suggestions",
  "post.review": "Request and close reviews",
  "term.create": "Create categories, tags and authors",
  "term.manage": "Rename and merge categories, tags and authors",
  "term.delete": "Delete categories, tags and authors",
  "media.upload": "Upload images",
  "media.manage": "Edit image details",
  "media.replace": "Replace an image in every post",
  "media.delete": "Move images to the trash and delete them permanently",
  "website.manage": "Change website settings and fields",
  "website.export": "Export a website",
  "website.import": "Import into a website",
  "key.manage": "Create and revoke keys",
  "webhook.read": "See webhooks and their deliveries",
  "webhook.manage": "Manage webhooks",
  "store.manage": "Choose where content and images are kept",
  "member.manage": "Invite, remove and change members",
  "connection.own": "Manage their own connected apps",
  "connection.manage": "Manage other members’ connected apps",
  "activity.read": "Read the activity log",
  "plan.change": "Change the plan",
  "website.delete": "Delete websites",
  "workspace.manage": "Rename the workspace",
  "workspace.delete": "Delete the workspace",
  "workspace.transfer": "Transfer ownership",
};
export const PERMISSION_WORDS: Readonly<Record<Permission, string>> = WORDS;

export const REACH_WORDS: Readonly<Record<Reach, string>> = {
  any: "Yes",
  own: "Own only",
  "own or published": "Own and published",
  none: "No",
};

export const TOOL_WORDS = { yes: "Yes", "with delete": "If allowed to delete", never: "Never" } as const;
