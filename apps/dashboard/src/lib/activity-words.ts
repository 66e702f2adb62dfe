import { formatBytes, formatNumber, plural } from "./format.ts";
import { partName } from "./part-names.ts";
import { formatDateTime } from "./time.ts";

/** The parts of an activity entry that its sentence is made of. Entries of every list have them. */
export interface ActivityEntry {
  readonly action: string;
  readonly actor: { readonly type: "user" | "tool" | "system"; readonly id: string; readonly userId: string | null };
  readonly actorName: string | null;
  readonly target: { readonly id: string; readonly label: string } | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly count: number;
}

/** A piece of the sentence. Joined as they are, they read well; the name of a thing can become a link to it. */
export interface ActivityPart {
  readonly text: string;
  readonly kind: "actor" | "words" | "target";
  /** The id of the thing that `text` names. */
  readonly targetId?: string;
}

/** `{it}` is where the name of the thing goes. */
type Words = string | ((details: Details, entry: ActivityEntry) => string);
interface Action {
  readonly group: ActionGroup;
  /** For lists to choose from. */
  readonly label: string;
  readonly words: Words;
}

export const ACTION_GROUPS = [
  "Posts",
  "Categories, tags, authors",
  "Media",
  "Website",
  "Keys",
  "Webhooks",
  "People",
  "Connected apps",
  "Workspace",
] as const;
type ActionGroup = (typeof ACTION_GROUPS)[number];

const action = (group: ActionGroup, label: string, words: Words): Action => ({ group, label, words });

/** Every operation that leaves a trace, and what the service writes down by itself. A test walks the registry. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  create_post: action("Posts", "Post created", "created {it}"),
  edit_post: action("Posts", "Post edited", (_, { count }) =>
    count > 1 ? `edited {it}, saved ${formatNumber(count)} times` : "edited {it}",
  ),
  duplicate_post: action("Posts", "Post duplicated", "created {it} as a duplicate"),
  publish_post: action("Posts", "Post published", (_, { actor }) =>
    actor.type === "system" ? "published {it} on schedule" : "published {it}",
  ),
  update_live_post: action("Posts", "Changes published", "published changes to {it}"),
  discard_changes: action("Posts", "Changes discarded", "discarded the unpublished changes to {it}"),
  schedule_post: action("Posts", "Post scheduled", (details) => `scheduled {it}${moment(details, "at", " for ")}`),
  schedule_failed: action("Posts", "Schedule failed", (details) => `could not publish {it}${moment(details, "at", ", scheduled for ")}`),
  unpublish_post: action("Posts", "Post unpublished", "unpublished {it}"),
  delete_post: action("Posts", "Post moved to the trash", "moved {it} to the trash"),
  restore_post: action("Posts", "Post restored", "restored {it} from the trash"),
  purge_post: action("Posts", "Post deleted permanently", "permanently deleted {it}"),
  request_review: action("Posts", "Review requested", "requested a review of {it}"),
  end_review: action("Posts", "Review request closed", "closed the review request for {it}"),
  restore_revision: action("Posts", "Version restored", "restored an earlier version of {it}"),
  create_preview: action("Posts", "Preview link created", "created a preview link for {it}"),
  accept_suggestion: action("Connected apps", "Suggestion accepted", "accepted an app’s suggestion for {it}"),
  reject_suggestion: action("Connected apps", "Suggestion rejected", "rejected an app’s suggestion for {it}"),
  reopen_suggestion: action("Connected apps", "Suggestion reopened", "reopened an app’s suggestion for {it}"),
  create_term: action("Categories, tags, authors", "Created", (details) => `created the ${kind(details)} {it}`),
  edit_term: action("Categories, tags, authors", "Changed", (details) => `changed the ${kind(details)} {it}`),
  merge_terms: action(
    "Categories, tags, authors",
    "Merged",
    (details) => `merged the ${kind(details)} {it} into ${quoted(details, "into")}`,
  ),
  delete_term: action("Categories, tags, authors", "Deleted", (details) => `deleted the ${kind(details)} {it}`),
  add_media: action("Media", "Image uploaded", (details) => `uploaded {it}${size(details)}`),
  add_media_from_url: action("Media", "Image added from a link", (details) => `added {it}${from(details)}${size(details)}`),
  edit_media: action("Media", "Image edited", "edited the image {it}"),
  replace_media: action(
    "Media",
    "Image replaced",
    (details) => `replaced the image {it} with ${quoted(details, "by")} in ${plural(number(details, "posts"), "post")}`,
  ),
  replace_media_in_post: action("Posts", "Image in a post replaced", "replaced an image in {it}"),
  delete_media: action("Media", "Image moved to the trash", "moved the image {it} to the trash"),
  restore_media: action("Media", "Image restored", "restored the image {it} from the trash"),
  purge_media: action("Media", "Image deleted permanently", (details) => `permanently deleted the image {it}${size(details)}`),
  create_website: action("Website", "Website created", "created the website {it}"),
  update_website: action("Website", "Settings changed", (details) => `changed the settings of {it}${list(details, "changed", partName)}`),
  set_field_definitions: action("Website", "Fields changed", "changed the custom fields of {it}"),
  connect_image_store: action(
    "Website",
    "Image storage connected",
    (details) => `connected the image storage ${quoted(details, "place")} to {it}`,
  ),
  start_image_move: action(
    "Website",
    "Images moved",
    (details) => `started moving ${plural(number(details, "images"), "image")} of {it} to ${quoted(details, "place")}`,
  ),
  stop_image_move: action("Website", "Moving images stopped", "stopped moving the images of {it}"),
  activate_image_store: action(
    "Website",
    "Image storage activated",
    (details) => `activated the image storage ${quoted(details, "place")} for {it}`,
  ),
  disconnect_image_store: action("Website", "Image storage disconnected", ({ withoutCopying }) =>
    withoutCopying === true ? "disconnected the image storage of {it} without copying" : "started disconnecting the image storage of {it}",
  ),
  connect_own_database: action(
    "Website",
    "Content database connected",
    (details) => `connected the content database ${quoted(details, "database")} to {it}`,
  ),
  confirm_own_database: action("Website", "Content database confirmed", "confirmed the content database of {it}"),
  start_content_move: action(
    "Website",
    "Content migrated",
    (details) => `started migrating the content of {it} to ${quoted(details, "database")}`,
  ),
  fetch_left_content: action("Website", "Content fetched", (details) => `started fetching what ${quoted(details, "database")} has of {it}`),
  stop_content_move: action("Website", "Moving content stopped", "stopped moving the content of {it}"),
  activate_own_database: action(
    "Website",
    "Content database activated",
    (details) => `activated the content database ${quoted(details, "database")} for {it}`,
  ),
  disconnect_own_database: action("Website", "Content database disconnected", ({ withoutCopying }) =>
    withoutCopying === true
      ? "disconnected the content database of {it} without copying"
      : "started disconnecting the content database of {it}",
  ),
  delete_website: action("Website", "Website deleted", "deleted the website {it}"),
  export_website: action("Website", "Exported", "exported {it}"),
  import_website: action("Website", "Imported", (details) => {
    const posts = number(details, "posts");
    if (!("stopped" in details)) return `imported ${plural(posts, "post")} into {it}`;
    // Of one that was cut short at its beginning it may not be known what it left.
    return `${posts > 0 ? `imported ${plural(posts, "post")}` : "started an import"} into {it}, but did not finish`;
  }),
  seed_website: action("Website", "Sample posts added", (details) => `added ${plural(number(details, "posts"), "sample post")} to {it}`),
  create_key: action("Keys", "Key created", "created the key {it}"),
  update_key: action("Keys", "Key changed", "changed the key {it}"),
  revoke_key: action("Keys", "Key revoked", "revoked the key {it}"),
  create_webhook: action("Webhooks", "Endpoint added", "added the endpoint {it}"),
  update_webhook: action("Webhooks", "Endpoint changed", "changed the endpoint {it}"),
  pause_webhook: action("Webhooks", "Endpoint paused", "paused the endpoint {it}"),
  resume_webhook: action("Webhooks", "Endpoint switched on", "switched on the endpoint {it}"),
  roll_webhook_secret: action("Webhooks", "Secret rolled", "rolled the secret of the endpoint {it}"),
  delete_webhook: action("Webhooks", "Endpoint deleted", "deleted the endpoint {it}"),
  test_webhook: action("Webhooks", "Test sent", "sent a test to {it}"),
  resend_delivery: action("Webhooks", "Delivery resent", "resent a delivery to {it}"),
  resend_failed: action("Webhooks", "Deliveries resent", (details) => {
    const resent = details["resent"];
    return typeof resent === "number"
      ? `resent ${plural(resent, "failed or missed delivery", "failed or missed deliveries")} to {it}`
      : "resent failed and missed deliveries to {it}";
  }),
  webhook_failing: action("Webhooks", "Endpoint failing", "reported that the endpoint {it} is failing"),
  webhook_switched_off: action("Webhooks", "Endpoint switched off", ({ reason }) =>
    reason === "gone" ? "switched off the endpoint {it}, which answered 410" : "switched off the endpoint {it}, which failed for too long",
  ),
  invite_member: action("People", "Person invited", (details) => `invited {it}${role(details, "role", " as ")}`),
  revoke_invitation: action("People", "Invitation withdrawn", "withdrew the invitation for {it}"),
  accept_invitation: action("People", "Invitation accepted", (details) => `joined {it}${role(details, "role", " as ")}`),
  change_role: action(
    "People",
    "Role changed",
    (details) => `made {it} ${role(details, "role", "")}${role(details, "previousRole", ", previously ")}`,
  ),
  remove_member: action("People", "Member removed", "removed {it} from the workspace"),
  leave_workspace: action("People", "Member left", "left {it}"),
  transfer_ownership: action("People", "Ownership transferred", "made {it} the owner"),
  create_ci_credential: action("Connected apps", "Script token created", "created a token for the script {it}"),
  connect_tool: action("Connected apps", "App connected", "connected the app {it}"),
  change_connection: action("Connected apps", "Connection changed", "changed the access of the app {it}"),
  disconnect: action("Connected apps", "App disconnected", "disconnected the app {it}"),
  tool_token_copied: action(
    "Connected apps",
    "App disconnected for safety",
    "disconnected the app {it}, because one of its tokens was used twice and may have been copied",
  ),
  undo_connection: action("Connected apps", "App changes undone", "undid the changes made by the app {it}"),
  undo_post: action("Connected apps", "App changes to a post undone", "undid an app’s changes to {it}"),
  undo_thing: action("Connected apps", "App changes to a category, tag, author or image undone", "undid an app’s changes to {it}"),
  create_workspace: action("Workspace", "Workspace created", "created the workspace {it}"),
  rename_workspace: action(
    "Workspace",
    "Workspace renamed",
    (details) => `renamed the workspace ${quoted(details, "previousName")} to {it}`,
  ),
  delete_workspace: action("Workspace", "Workspace deleted", "deleted the workspace {it}"),
  change_plan: action(
    "Workspace",
    "Plan changed",
    (details) => `changed the plan of {it} from ${text(details, "previousPlan")} to ${text(details, "plan")}`,
  ),
  quota_warning: action(
    "Workspace",
    "Usage warning",
    (details) => `reported that {it} has used ${formatNumber(number(details, "percent"))} % of this month's requests`,
  ),
  disk_space: action(
    "Workspace",
    "Disk space warning",
    (details) => `found only ${formatBytes(number(details, "freeBytes"))} free on the server’s disk, and notified the owners of {it}`,
  ),
};

/** The act of an app where the website held it: nothing was done but to suggest it. */
const SUGGESTED: Readonly<Record<string, Words>> = {
  edit_post: "suggested changes to {it}",
  publish_post: "suggested publishing {it}",
  update_live_post: "suggested publishing changes to {it}",
  schedule_post: (details) => `suggested scheduling {it}${moment(details, "at", " for ")}`,
  unpublish_post: "suggested unpublishing {it}",
  delete_post: "suggested moving {it} to the trash",
  restore_post: "suggested restoring {it} from the trash",
  restore_revision: "suggested restoring an earlier version of {it}",
  edit_term: (details) => `suggested changes to the ${kind(details)} {it}`,
  delete_term: (details) => `suggested deleting the ${kind(details)} {it}`,
  edit_media: "suggested changes to the image {it}",
  delete_media: "suggested moving the image {it} to the trash",
};

/** "Ada published Hello world", in pieces. An action that this dashboard does not know (of a newer server) is shown by its name. */
export function activityWords(entry: ActivityEntry): readonly ActivityPart[] {
  const suggested = "suggestion" in entry.details ? SUGGESTED[entry.action] : undefined;
  const words = suggested ?? ACTIONS[entry.action]?.words ?? `did ${entry.action.replaceAll("_", " ")}: {it}`;
  const [before = "", after = ""] = (typeof words === "string" ? words : words(entry.details, entry)).split("{it}");
  const parts: ActivityPart[] = [
    { kind: "actor", text: actorOf(entry) },
    { kind: "words", text: ` ${before}` },
    { kind: "target", text: entry.target?.label || thing(entry.target?.id), ...(entry.target && { targetId: entry.target.id }) },
    { kind: "words", text: after },
  ];
  return parts.filter((part) => part.text !== "");
}

/** The actor's name: a person, a person's connected app, or the service itself. */
function actorOf({ actor, actorName }: Pick<ActivityEntry, "actor" | "actorName">): string {
  if (actor.type === "system") return "Stet";
  const name = actorName ?? "A deleted account";
  return actor.type === "tool" ? `A connected app of ${name}` : name;
}

const THINGS: Readonly<Record<string, string>> = {
  post: "a post",
  wh: "an endpoint",
  site: "a website",
  ws: "the workspace",
  key: "a key",
};
const thing = (id = ""): string => THINGS[id.split("_")[0] ?? ""] ?? "something";

type Details = Readonly<Record<string, unknown>>;
const text = (details: Details, key: string): string => (typeof details[key] === "string" ? details[key] : "?");
const number = (details: Details, key: string): number => (typeof details[key] === "number" ? details[key] : 0);
const quoted = (details: Details, key: string): string => `“${text(details, key)}”`;
const kind = (details: Details): string => (typeof details["kind"] === "string" ? details["kind"] : "term");
const size = (details: Details): string => (typeof details["bytes"] === "number" ? ` (${formatBytes(details["bytes"])})` : "");
const from = (details: Details): string => (typeof details["from"] === "string" ? ` from ${details["from"]}` : "");
const moment = (details: Details, key: string, before: string): string => {
  const at = details[key];
  return typeof at === "string" && !Number.isNaN(Date.parse(at)) ? before + formatDateTime(at) : "";
};
const role = (details: Details, key: string, before: string): string => {
  const name = details[key];
  return typeof name === "string" ? `${before}${/^[aeiou]/.test(name) ? "an" : "a"} ${name}` : "";
};
const list = (details: Details, key: string, nameOf: (item: string) => string): string => {
  const items = details[key];
  return Array.isArray(items) && items.length > 0 ? `: ${items.map((item) => nameOf(String(item))).join(", ")}` : "";
};
