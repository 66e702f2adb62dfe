import { ROLES, type Role } from "@stet/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { type Actor, toolActor, userActor } from "#domain/actor";
import { Failure } from "#domain/failure";
import { newId, type WorkspaceId } from "#domain/ids";
import { execute } from "#operations/kernel/execute";
import type { Operation } from "#operations/kernel/operation";
import { type OperationName, registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";
import { fillTenant } from "./fill-tenant.ts";
import { INPUTS, type TenantIds, type Things } from "./operation-inputs.ts";

type Reach = "any" | "own" | "own drafts + published" | "–";
type ForTools = "yes" | "with delete" | "never";

/** The rows of contract §8, written down a second time: owner, admin, editor, author, contributor; then what a tool may. */
const ROWS = {
  "read posts": [["any", "any", "any", "any", "own drafts + published"], "yes"],
  "read the rest": [["any", "any", "any", "any", "any"], "yes"],
  "write drafts: begin one": [["any", "any", "any", "any", "any"], "yes"],
  "write drafts": [["any", "any", "any", "own", "own"], "yes"],
  publish: [["any", "any", "any", "own", "–"], "yes"],
  "delete posts": [["any", "any", "any", "own", "–"], "with delete"],
  "restore posts": [["any", "any", "any", "own", "–"], "yes"],
  "write drafts, not by tools": [["any", "any", "any", "own", "own"], "never"],
  "purge posts": [["any", "any", "any", "own", "–"], "never"],
  "create terms": [["any", "any", "any", "any", "–"], "yes"],
  "upload images": [["any", "any", "any", "any", "any"], "yes"],
  "manage terms and images": [["any", "any", "any", "–", "–"], "yes"],
  "delete terms and images": [["any", "any", "any", "–", "–"], "with delete"],
  "replace images": [["any", "any", "any", "–", "–"], "never"],
  "websites, keys, webhooks, members, activity": [["any", "any", "–", "–", "–"], "never"],
  "read webhook deliveries": [["any", "any", "–", "–", "–"], "yes"],
  "plan, deletion, ownership": [["any", "–", "–", "–", "–"], "never"],
  "one's own connections": [["any", "any", "any", "any", "any"], "never"],
  "leave oneself": [["any", "any", "any", "any", "any"], "never"],
} as const satisfies Record<string, readonly [readonly [Reach, Reach, Reach, Reach, Reach], ForTools]>;

/** Which row each operation belongs to. Those without a workspace are listed with who may call them. */
const ROW_OF: Record<OperationName, keyof typeof ROWS | readonly Actor["type"][]> = {
  create_account: ["system"],
  get_account: ["user", "tool", "system"],
  change_email: ["user", "system"],
  confirm_email: ["user", "system"],
  send_email_proof: ["user", "system"],
  list_left_connections: ["user", "system"],
  disconnect_left: ["user", "system"],
  create_workspace: ["user", "system"],
  list_workspaces: ["user", "tool", "system"],
  accept_invitation: ["user", "system"],
  create_ci_credential: ["user", "system"],
  connect_tool: ["user", "system"],
  get_workspace: "read the rest",
  list_websites: "read the rest",
  get_website: "read the rest",
  list_members: "read the rest",
  get_usage: "read the rest",
  list_terms: "read the rest",
  get_term: "read the rest",
  list_media: "read the rest",
  get_media: "read the rest",
  get_home: "read posts",
  list_people: "read the rest",
  list_roles: "read the rest",
  list_plans: "read the rest",
  preview_plan_change: "plan, deletion, ownership",
  check_post: "read posts",
  list_calendar: "read posts",
  get_views: "read the rest",
  get_views_of_posts: "read the rest",
  get_traffic: "read the rest",
  get_post_views: "read posts",
  list_posts: "read posts",
  list_post_heads: "read posts",
  count_posts: "read posts",
  search_posts: "read posts",
  find_post: "read posts",
  get_post: "read posts",
  get_post_with_terms: "read posts",
  list_revisions: "read posts",
  get_revision: "read posts",
  diff_revisions: "read posts",
  list_tool_changes: "read posts",
  create_preview: "read posts",
  create_post: "write drafts: begin one",
  duplicate_post: "write drafts: begin one",
  edit_post: "write drafts",
  restore_revision: "write drafts",
  request_review: "write drafts",
  end_review: "write drafts",
  publish_post: "publish",
  update_live_post: "publish",
  discard_changes: "publish",
  schedule_post: "publish",
  unpublish_post: "publish",
  delete_post: "delete posts",
  restore_post: "restore posts",
  purge_post: "purge posts",
  create_term: "create terms",
  edit_term: "manage terms and images",
  merge_terms: "delete terms and images",
  delete_term: "delete terms and images",
  add_media: "upload images",
  add_media_from_url: "upload images",
  edit_media: "manage terms and images",
  restore_media: "manage terms and images",
  replace_media: "replace images",
  replace_media_in_post: "replace images",
  delete_media: "delete terms and images",
  purge_media: "delete terms and images",
  rename_workspace: "websites, keys, webhooks, members, activity",
  list_activity: "websites, keys, webhooks, members, activity",
  invite_member: "websites, keys, webhooks, members, activity",
  list_invitations: "websites, keys, webhooks, members, activity",
  revoke_invitation: "websites, keys, webhooks, members, activity",
  change_role: "websites, keys, webhooks, members, activity",
  remove_member: "websites, keys, webhooks, members, activity",
  create_website: "websites, keys, webhooks, members, activity",
  update_website: "websites, keys, webhooks, members, activity",
  set_field_definitions: "websites, keys, webhooks, members, activity",
  export_website: "websites, keys, webhooks, members, activity",
  import_website: "websites, keys, webhooks, members, activity",
  seed_website: "websites, keys, webhooks, members, activity",
  create_key: "websites, keys, webhooks, members, activity",
  list_keys: "websites, keys, webhooks, members, activity",
  update_key: "websites, keys, webhooks, members, activity",
  revoke_key: "websites, keys, webhooks, members, activity",
  create_webhook: "websites, keys, webhooks, members, activity",
  list_webhooks: "websites, keys, webhooks, members, activity",
  update_webhook: "websites, keys, webhooks, members, activity",
  pause_webhook: "websites, keys, webhooks, members, activity",
  resume_webhook: "websites, keys, webhooks, members, activity",
  roll_webhook_secret: "websites, keys, webhooks, members, activity",
  delete_webhook: "websites, keys, webhooks, members, activity",
  test_webhook: "websites, keys, webhooks, members, activity",
  get_image_store: "websites, keys, webhooks, members, activity",
  test_image_store: "websites, keys, webhooks, members, activity",
  connect_image_store: "websites, keys, webhooks, members, activity",
  start_image_move: "websites, keys, webhooks, members, activity",
  stop_image_move: "websites, keys, webhooks, members, activity",
  activate_image_store: "websites, keys, webhooks, members, activity",
  disconnect_image_store: "websites, keys, webhooks, members, activity",
  list_own_images: "websites, keys, webhooks, members, activity",
  get_own_database: "websites, keys, webhooks, members, activity",
  check_own_database: "websites, keys, webhooks, members, activity",
  test_own_database: "websites, keys, webhooks, members, activity",
  connect_own_database: "websites, keys, webhooks, members, activity",
  confirm_own_database: "websites, keys, webhooks, members, activity",
  fetch_left_content: "websites, keys, webhooks, members, activity",
  start_content_move: "websites, keys, webhooks, members, activity",
  activate_own_database: "websites, keys, webhooks, members, activity",
  stop_content_move: "websites, keys, webhooks, members, activity",
  disconnect_own_database: "websites, keys, webhooks, members, activity",
  list_missing_content: "websites, keys, webhooks, members, activity",
  get_content_move_report: "websites, keys, webhooks, members, activity",
  list_events: "read webhook deliveries",
  list_deliveries: "read webhook deliveries",
  get_delivery: "websites, keys, webhooks, members, activity",
  resend_delivery: "websites, keys, webhooks, members, activity",
  resend_failed: "websites, keys, webhooks, members, activity",
  change_plan: "plan, deletion, ownership",
  delete_website: "plan, deletion, ownership",
  delete_workspace: "plan, deletion, ownership",
  transfer_ownership: "plan, deletion, ownership",
  leave_workspace: "leave oneself",
  list_connections: "one's own connections",
  change_connection: "one's own connections",
  disconnect: "one's own connections",
  list_tool_calls: "one's own connections",
  preview_undo: "one's own connections",
  undo_connection: "one's own connections",
  undo_post: "write drafts, not by tools",
  undo_thing: "one's own connections",
  list_suggestions: "write drafts, not by tools",
  count_suggestions: "write drafts, not by tools",
  get_suggestion: "write drafts, not by tools",
  accept_suggestion: "write drafts, not by tools",
  reject_suggestion: "write drafts, not by tools",
  reopen_suggestion: "write drafts, not by tools",
};

/** The post an operation is called on, seen from the actor. */
const POSTS = ["own draft", "another's draft", "another's published post"] as const;
type PostCase = (typeof POSTS)[number];

const GRANTS = [
  "none: the person",
  "all",
  "all, with delete",
  "this workspace",
  "this workspace, with delete",
  "another workspace, with delete",
] as const;
type GrantCase = (typeof GRANTS)[number];

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
let other: Tenant;
let ids: TenantIds;
let things: Things;
const people = new Map<Role | "stranger", Extract<Actor, { type: "user" }>>();
const drafts = new Map<Role | "stranger", string>();
let publishedOfOwner: string;
let publishedOfEditor: string;

beforeAll(async () => {
  tenant = await services.makeTenant();
  other = await services.makeTenant();
  ({ ids, things } = await fillTenant(services, tenant));
  people.set("owner", { type: "user", userId: tenant.owner.id });
  for (const role of ROLES.filter((name) => name !== "owner")) people.set(role, await tenant.addMember(role));
  people.set("stranger", { type: "user", userId: other.owner.id });
  for (const role of ROLES) drafts.set(role, await write(role));
  drafts.set("stranger", await write("owner"));
  publishedOfOwner = await write("owner", true);
  publishedOfEditor = await write("editor", true);
});

async function write(role: Role, publish = false): Promise<string> {
  const post = await services.call(registry.create_post, people.get(role)!, { websiteId: ids.websiteId, title: `By ${role}` });
  if (publish)
    await services.call(registry.publish_post, people.get(role)!, { websiteId: ids.websiteId, postId: post.id, expectedVersion: 1 });
  return post.id;
}

/** Runs everything an operation passes through but the operation itself: what is asked here is who gets that far. */
async function outcome(name: OperationName, actor: Actor, input: Record<string, unknown>): Promise<string> {
  const operation = { ...(registry[name] as unknown as Operation), run: async () => null, activity: "none" } as Operation;
  try {
    await execute(services, operation, actor, input);
    return "allowed";
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

function expectedOutcome(row: keyof typeof ROWS, role: Role | "stranger", grant: GrantCase, post: PostCase | null): string {
  if (role === "stranger") return "NOT_FOUND";
  const [reaches, forTools] = ROWS[row];
  if (grant !== "none: the person") {
    if (grant.startsWith("another")) return "NOT_FOUND";
    if (forTools === "never") return "GRANT_FORBIDS";
    if (forTools === "with delete" && !grant.includes("with delete")) return "GRANT_FORBIDS";
  }
  const index = ROLES.indexOf(role);
  const reach: Reach = reaches[index]!;
  if (reach === "–") return "INSUFFICIENT_ROLE";
  if (post === null) return "allowed";
  // A contributor may not know that another's draft exists, whatever is asked.
  if (role === "contributor" && post === "another's draft") return "NOT_FOUND";
  if (reach === "own" && post !== "own draft") return "INSUFFICIENT_ROLE";
  return "allowed";
}

function actorFor(role: Role | "stranger", grant: GrantCase): Actor {
  const { userId } = people.get(role)!;
  if (grant === "none: the person") return userActor(userId);
  const workspaces: "all" | WorkspaceId = grant.startsWith("all")
    ? "all"
    : grant.startsWith("this")
      ? tenant.workspace.id
      : other.workspace.id;
  return toolActor(userId, { id: newId("grant"), workspaces, allowDelete: grant.includes("with delete"), publishPerHour: 30 });
}

function postFor(role: Role | "stranger", post: PostCase): string {
  if (post === "own draft") return drafts.get(role)!;
  if (post === "another's draft") return drafts.get(role === "editor" ? "owner" : "editor")!;
  return role === "editor" ? publishedOfOwner : publishedOfEditor;
}

describe.each(Object.keys(registry) as OperationName[])("%s", (name) => {
  const row = ROW_OF[name];
  if (typeof row !== "string") {
    test.each(["user", "tool", "system"] as const)("called by a %s", async (type) => {
      const { userId } = people.get("owner")!;
      const actor: Actor =
        type === "system" ? { type, job: "test" } : type === "user" ? userActor(userId) : actorFor("owner", "all, with delete");
      const allowed = row.includes(type);
      expect(await outcome(name, actor, INPUTS[name](ids, things))).toBe(
        allowed ? "allowed" : type === "tool" ? "GRANT_FORBIDS" : "INSUFFICIENT_ROLE",
      );
    });
    return;
  }
  test.each(GRANTS)("grant: %s", async (grant) => {
    const cases = registry[name].scope === "post" ? POSTS : [null];
    for (const role of [...ROLES, "stranger"] as const) {
      for (const post of cases) {
        const input = INPUTS[name](ids, post ? { ...things, postId: postFor(role, post) } : things);
        const label = `${role}, ${post ?? "anything"}`;
        expect([label, await outcome(name, actorFor(role, grant), input)]).toEqual([label, expectedOutcome(row, role, grant, post)]);
      }
    }
  });
});

test("a role that changes acts on the next call", async () => {
  const member = await tenant.addMember("contributor");
  const input = { websiteId: ids.websiteId };
  expect(await outcome("list_keys", member, input)).toBe("INSUFFICIENT_ROLE");
  await services.platform.members.setRole(tenant.workspace.id, member.userId, "admin");
  expect(await outcome("list_keys", member, input)).toBe("allowed");
  await services.platform.members.remove(tenant.workspace.id, member.userId);
  expect(await outcome("list_keys", member, input)).toBe("NOT_FOUND");
});
