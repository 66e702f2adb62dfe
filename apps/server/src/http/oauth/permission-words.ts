import { type Permission, toolMay } from "#domain/access";

/** What each permission means to a person, several in one line where they belong together. A new one does not compile until it is said. */
const WORDS: Record<Permission, string> = {
  "workspace.read": "See your workspaces, websites and posts",
  "post.read": "See your workspaces, websites and posts",
  "post.create": "Write and edit posts",
  "post.write": "Write and edit posts",
  "post.review": "Write and edit posts",
  "post.publish": "Publish, schedule and unpublish posts",
  "post.restore": "Bring posts back from the trash",
  "term.create": "Add and edit categories, tags and authors",
  "term.manage": "Add and edit categories, tags and authors",
  "media.upload": "Upload and describe images",
  "media.manage": "Upload and describe images",
  "webhook.read": "See what webhooks delivered",
  "post.delete": "Move posts and images to the trash",
  "term.delete": "Delete or merge categories, tags and authors for good",
  "media.delete": "Move posts and images to the trash",
  "key.manage": "Create or revoke keys",
  "member.manage": "Invite or remove people, or change roles",
  "plan.change": "Change the plan",
  "website.delete": "Delete a website or workspace",
  "workspace.delete": "Delete a website or workspace",
  "workspace.transfer": "Rename, leave or give away a workspace",
  "workspace.manage": "Rename, leave or give away a workspace",
  "workspace.leave": "Rename, leave or give away a workspace",
  "website.manage": "Change, import or export a website",
  "website.import": "Change, import or export a website",
  "website.export": "Change, import or export a website",
  "webhook.manage": "Change webhooks, databases or image stores",
  "store.manage": "Change webhooks, databases or image stores",
  "post.purge": "Delete posts or images for good",
  "connection.own": "Change what it or another tool may do",
  "connection.manage": "Change what it or another tool may do",
  "post.undo": "Undo what tools did, or read the activity log",
  "activity.read": "Undo what tools did, or read the activity log",
};

/** What a connected tool may, may when deleting is allowed, and never may: as the policy has it. */
export function toolRights(): Record<ReturnType<typeof toolMay>, readonly string[]> {
  const all = Object.keys(WORDS) as Permission[];
  const wordsFor = (may: ReturnType<typeof toolMay>) => [
    ...new Set(all.filter((permission) => toolMay(permission) === may).map((permission) => WORDS[permission])),
  ];
  return { yes: wordsFor("yes"), "with delete": wordsFor("with delete"), never: wordsFor("never") };
}
