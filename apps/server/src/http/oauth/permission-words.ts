import { type Permission, toolMay } from "#domain/access";

/** The words for each permission, one line for several that belong together. A new permission does not compile without words. */
const WORDS: Record<Permission, string> = {
  "workspace.read": "See your workspaces, websites and posts",
  "post.read": "See your workspaces, websites and posts",
  "post.create": "Write and edit posts",
  "post.write": "Write and edit posts",
  "post.review": "Write and edit posts",
  "post.publish": "Publish, schedule and unpublish posts",
  "post.restore": "Restore posts from the trash",
  "term.create": "Add and edit categories, tags and authors",
  "term.manage": "Add and edit categories, tags and authors",
  "media.upload": "Upload images and edit their details",
  "media.manage": "Upload images and edit their details",
  "webhook.read": "See webhook deliveries",
  "post.delete": "Move posts and images to the trash",
  "term.delete": "Permanently delete or merge categories, tags and authors",
  "media.delete": "Move posts and images to the trash",
  "media.replace": "Replace an image everywhere",
  "key.manage": "Create or revoke keys",
  "member.manage": "Invite or remove people, or change roles",
  "plan.change": "Change the plan",
  "website.delete": "Delete a website or workspace",
  "workspace.delete": "Delete a website or workspace",
  "workspace.transfer": "Rename, leave or transfer a workspace",
  "workspace.manage": "Rename, leave or transfer a workspace",
  "workspace.leave": "Rename, leave or transfer a workspace",
  "website.manage": "Change, import or export a website",
  "website.import": "Change, import or export a website",
  "website.export": "Change, import or export a website",
  "webhook.manage": "Change webhooks, databases or image stores",
  "store.manage": "Change webhooks, databases or image stores",
  "post.purge": "Permanently delete posts or images",
  "connection.own": "Change its own access or another app’s",
  "connection.manage": "Change its own access or another app’s",
  "suggestion.decide": "Accept or reject suggestions of apps",
  "post.undo": "Undo changes by apps, or read the activity log",
  "activity.read": "Undo changes by apps, or read the activity log",
};

/** The permissions that a connected tool has, those it has when deleting is allowed, and those it never has: taken from the policy. */
export function toolRights(): Record<ReturnType<typeof toolMay>, readonly string[]> {
  const all = Object.keys(WORDS) as Permission[];
  const wordsFor = (may: ReturnType<typeof toolMay>) => [
    ...new Set(all.filter((permission) => toolMay(permission) === may).map((permission) => WORDS[permission])),
  ];
  return { yes: wordsFor("yes"), "with delete": wordsFor("with delete"), never: wordsFor("never") };
}
