import { type Permission, PERMISSIONS, toolMay } from "#domain/access";

/** What each permission means to a person. A new one does not compile until it is said here. */
const WORDS: Record<Permission, string> = {
  "workspace.read": "See your workspaces and websites",
  "workspace.leave": "Leave a workspace",
  "post.read": "Read posts and drafts",
  "post.create": "Write new drafts",
  "post.write": "Edit posts",
  "post.publish": "Publish, schedule and unpublish posts",
  "post.delete": "Move posts to the trash",
  "post.restore": "Bring posts back from the trash",
  "post.purge": "Delete posts for good",
  "post.review": "Ask for a review",
  "term.create": "Add categories, tags and authors",
  "term.manage": "Edit categories, tags and authors",
  "term.delete": "Delete or merge categories, tags and authors",
  "media.upload": "Upload images",
  "media.manage": "Describe images",
  "media.delete": "Delete images",
  "website.manage": "Change or add websites",
  "website.export": "Export a website",
  "website.import": "Import into a website",
  "key.manage": "Create or revoke keys",
  "webhook.read": "See what webhooks delivered",
  "webhook.manage": "Add, change or remove webhooks",
  "store.manage": "Change databases and image stores",
  "member.manage": "Invite or remove people, or change roles",
  "activity.read": "Read the activity log",
  "plan.change": "Change the plan",
  "website.delete": "Delete a website",
  "workspace.manage": "Rename a workspace",
  "workspace.delete": "Delete a workspace",
  "workspace.transfer": "Give a workspace to someone else",
};

/** What a connected tool may, may when deleting is allowed, and never may: as the policy has it. */
export function toolRights(): Record<ReturnType<typeof toolMay>, readonly string[]> {
  const all = Object.keys(PERMISSIONS) as Permission[];
  const wordsFor = (may: ReturnType<typeof toolMay>) => all.filter((permission) => toolMay(permission) === may).map((each) => WORDS[each]);
  return { yes: wordsFor("yes"), "with delete": wordsFor("with delete"), never: wordsFor("never") };
}
