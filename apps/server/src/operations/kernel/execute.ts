import type { z } from "zod";
import { type AccountPermission, requireAccountPermission, type MemberRole, type Permission, reachOf, isWithinReach } from "#domain/access";
import { type Actor, refOf } from "#domain/actor";
import { fail, invalid, notFound } from "#domain/failure";
import type { PostId, UserId, WebsiteId, WorkspaceId } from "#domain/ids";
import { timestamp } from "#domain/time";
import { callActivity } from "./call-activity.ts";
import {
  type Call,
  type Changes,
  type InWebsite,
  type InWorkspace,
  type OnPost,
  type Operation,
  type Scope,
  type Scopes,
} from "./operation.ts";
import { asSeenBy, ownAndPublished } from "./own-and-published.ts";
import { withOwnSuggestion } from "./own-suggestion.ts";
import { withDiskSpace } from "./require-disk-space.ts";
import type { Services } from "./services.ts";
import { onlyWhileConnected } from "./while-connected.ts";

/**
 * The one way to do anything: parse, find the website, ask the policy, run, write down. Transports call this and nothing
 * else, so there is no second place where a check could be forgotten.
 */
export async function execute<S extends Scope, Input, Output>(
  services: Services,
  operation: Operation<S, Input, Output>,
  actor: Actor,
  rawInput: unknown,
  /** That the actor is who they seem to be, where that is still being read: nothing is done before. */
  confirmed?: Promise<unknown>,
): Promise<Output> {
  const input = parse(operation.input, rawInput);
  const call: Call = { services, actor, by: refOf(actor), now: timestamp(services.clock()) };
  const [found] = await Promise.all([locate(operation, call, input), confirmed]);
  const lines = callActivity(operation, found, input);
  const context = { ...onlyWhileConnected(operation, found), lines };
  const output = await withDiskSpace(services, operation, input, () => operation.run(context, input));
  tellHere(services, context, operation.changes(input));
  if (!lines.areWritten) for (const line of lines.about(output)) await services.activityLines.write(line);
  return output;
}

/** The next request on this node must see the change; other nodes hear of it from the database. */
function tellHere({ signals }: Services, { website, workspace }: Partial<InWebsite>, changes: Changes): void {
  if (changes === "nothing") return;
  if (website) signals.tellHere({ topic: "content", id: website.id });
  if (changes === "access") signals.tellHere({ topic: "access", id: (website ?? workspace)!.id });
}

function parse<Input>(schema: z.ZodType<Input>, raw: unknown): Input {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.map((issue) => ({ field: issue.path.join(".") || "input", message: issue.message })));
}

async function locate<S extends Scope, Input, Output>(
  operation: Operation<S, Input, Output>,
  call: Call,
  input: Input,
): Promise<Scopes[S]> {
  const ids = input as { workspaceId: WorkspaceId; websiteId: WebsiteId; postId: PostId };
  const permission = operation.permission as Permission;
  switch (operation.scope) {
    case "account":
      requireAccountPermission(call.actor, operation.permission as AccountPermission);
      return call as Scopes[S];
    case "workspace":
      return (await inWorkspace(call, ids.workspaceId, permission)) as Scopes[S];
    case "website":
      return (await inWebsite(call, ids.websiteId, permission)) as Scopes[S];
    default:
      return (await onPost(call, ids.websiteId, ids.postId, permission, operation.folds?.(input) ?? false)) as Scopes[S];
  }
}

async function inWorkspace(call: Call, workspaceId: WorkspaceId, permission: Permission): Promise<InWorkspace> {
  const { actor, services } = call;
  const [workspace, role] = await Promise.all([
    services.platform.workspaces.get(workspaceId),
    actor.type === "system" ? null : services.platform.members.role(workspaceId, actor.userId),
  ]);
  if (!workspace) throw notFound("workspace");
  return { ...call, workspace, role, reach: reachOf(actor, permission, { workspaceId, role }) };
}

async function inWebsite(call: Call, websiteId: WebsiteId, permission: Permission): Promise<InWebsite> {
  const { actor, services } = call;
  const found = await services.platform.websites.getWithRole(websiteId, actor.type === "system" ? null : actor.userId);
  if (!found) throw notFound("website");
  const { website, workspace, role } = found;
  const member = memberOf(found);
  const reach = reachOf(actor, permission, member);
  const everything = services.contentOf(website);
  const reader = narrowReader(actor, member);
  const content = reader ? ownAndPublished(everything, reader) : everything;
  return { ...call, workspace, role, reach, website, content };
}

const memberOf = ({ workspace, role }: Pick<InWorkspace, "workspace" | "role">): MemberRole => ({ workspaceId: workspace.id, role });

/** Somebody who may read their own posts and what is published; null for one who reads everything. */
const narrowReader = (actor: Actor, member: MemberRole): UserId | null =>
  actor.type === "system" || reachOf(actor, "post.read", member) === "any" ? null : actor.userId;

async function onPost(call: Call, websiteId: WebsiteId, postId: PostId, permission: Permission, folds: boolean): Promise<OnPost> {
  const content = call.services.contentOf({ id: websiteId });
  // All that is needed is asked for at once, so that the database is woken once. It is shown to nobody before the policy has decided.
  const [context, found, latestRevision] = await Promise.all([
    inWebsite(call, websiteId, permission),
    content.posts.get(websiteId, postId),
    folds ? content.revisions.latest(websiteId, postId) : null,
  ]);
  const { actor } = call;
  const reader = narrowReader(actor, memberOf(context));
  const post = found && reader ? asSeenBy(found, reader) : found;
  if (!post) throw notFound("post");
  const thing = { ownerId: post.ownerId, published: post.status === "published" };
  // An actor who may not read the post is told that there is none, whatever the operation is.
  const reading = reachOf(actor, "post.read", memberOf(context));
  if (!isWithinReach(reading, actor, thing)) throw notFound("post");
  if (isWithinReach(context.reach, actor, thing)) {
    return { ...context, ...(await withOwnSuggestion(context, post)), latestRevision };
  }
  throw fail("INSUFFICIENT_ROLE", `The role ${context.role} allows this only for your own posts. Ask an editor.`, {
    permission,
    role: context.role,
  });
}
