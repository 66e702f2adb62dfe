import type { z } from "zod";
import { type AccountPermission, requireAccountPermission, type Permission, reachOf, isWithinReach } from "#domain/access";
import { type Actor, refOf } from "#domain/actor";
import { isContentMoved } from "#domain/content-home";
import { fail, invalid, notFound } from "#domain/failure";
import { toItsEnd } from "#domain/pool";
import type { PostId, WebsiteId, WorkspaceId } from "#domain/ids";
import type { Post, RevisionHead } from "#domain/post";
import { timestamp } from "#domain/time";
import type { ContentStore } from "#ports/content-store";
import { askedUnderLock } from "./asked-under-lock.ts";
import { callActivity } from "./call-activity.ts";
import { type AtWebsite, inWebsite, memberOf, narrowReader } from "./in-website.ts";
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
import { asSeenBy } from "./own-and-published.ts";
import { withOwnSuggestion } from "./own-suggestion.ts";
import { withDiskSpace } from "./require-disk-space.ts";
import type { Services } from "./services.ts";
import { onlyWhileConnected } from "./while-connected.ts";
import { inLargeLine, inPostLine } from "./write-lines.ts";

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
  const attempt = () => locate(operation, call, input, (found) => perform(operation, found, input), confirmed);
  return operation.activity === "none" ? withContentFound(attempt, input) : toItsEnd(() => withContentFound(attempt, input));
}

async function withContentFound<Output>(attempt: () => Promise<Output>, input: unknown): Promise<Output> {
  try {
    return await attempt();
  } catch (error) {
    // The content moved to another store after this call had found it. What is read as it comes cannot be read a second time.
    if (!isContentMoved(error) || hasStream(input)) throw error;
    return attempt();
  }
}

const hasStream = (input: unknown): boolean =>
  Object.values(input as object).some((value) => typeof value === "object" && value !== null && Symbol.asyncIterator in value);

async function perform<S extends Scope, Input, Output>(
  operation: Operation<S, Input, Output>,
  found: Scopes[S],
  input: Input,
): Promise<Output> {
  const { services } = found;
  const lines = callActivity(operation, found, input);
  const context = { ...askedUnderLock(operation, onlyWhileConnected(operation, found)), lines };
  const output = await withDiskSpace(services, operation, input, () => operation.run(context, input));
  await tellHere(services, context, operation.changes(input));
  if (!lines.areWritten) for (const line of lines.about(output)) await services.activityLines.write(line);
  return output;
}

/** The next request on this node must see the change; other nodes hear of it from the database. */
async function tellHere({ signals }: Services, { website, workspace }: Partial<InWebsite>, changes: Changes): Promise<void> {
  if (changes === "nothing") return;
  await Promise.all([
    website && signals.tellHere({ topic: "content", id: website.id }),
    changes === "access" && signals.tellHere({ topic: "access", id: (website ?? workspace)!.id }),
  ]);
}

function parse<Input>(schema: z.ZodType<Input>, raw: unknown): Input {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.map((issue) => ({ field: issue.path.join(".") || "input", message: issue.message })));
}

/** Finds what the call is about, and does `work` with it. A store is lent for that time only. */
async function locate<S extends Scope, Input, Output>(
  operation: Operation<S, Input, Output>,
  call: Call,
  input: Input,
  work: (found: Scopes[S]) => Promise<Output>,
  confirmed?: Promise<unknown>,
): Promise<Output> {
  const ids = input as { workspaceId: WorkspaceId; websiteId: WebsiteId; postId: PostId };
  const permission = operation.permission as Permission;
  const { contents } = call.services;
  switch (operation.scope) {
    case "account": {
      requireAccountPermission(call.actor, operation.permission as AccountPermission);
      await confirmed;
      return work(call as Scopes[S]);
    }
    case "workspace": {
      const [found] = await Promise.all([inWorkspace(call, ids.workspaceId, permission), confirmed]);
      return work(found as Scopes[S]);
    }
    case "website": {
      const [found] = await Promise.all([atWebsite(call, ids.websiteId, permission), confirmed]);
      return contents.withContent(found.website, (content) => work(inWebsite(found, content) as Scopes[S]));
    }
    default: {
      // Jobs have their own pace, and reads change nothing.
      const lines = operation.activity === "none" || call.actor.type === "system" ? null : call.services.lines;
      const find = (changeLine?: () => Promise<void>) =>
        locatePost(call, ids, { permission, folds: operation.folds?.(input) ?? false, confirmed, changeLine }, (found) => {
          const run = () => work(found as Scopes[S]);
          return lines ? inLargeLine(lines, found, input, run) : run();
        });
      return lines ? inPostLine(lines, call.actor, ids, find) : find();
    }
  }
}

interface PostToFind {
  readonly permission: Permission;
  readonly folds: boolean;
  readonly confirmed: Promise<unknown> | undefined;
  /** Where it waited for its turn: the way into the line for customers' databases. */
  readonly changeLine: (() => Promise<void>) | undefined;
}

async function locatePost<Output>(
  call: Call,
  ids: { websiteId: WebsiteId; postId: PostId },
  { permission, folds, confirmed, changeLine }: PostToFind,
  work: (found: OnPost) => Promise<Output>,
): Promise<Output> {
  const { contents } = call.services;
  // All that is needed is asked for at once, so that the database is woken once. It is shown to nobody before the policy has decided.
  const finding = Promise.all([atWebsite(call, ids.websiteId, permission), confirmed]);
  const early = readPost(contents.managed, ids, folds);
  early.catch(() => {});
  let [found] = await finding;
  if (found.website.home.kind === "own" && changeLine) {
    await changeLine();
    // It may have waited there: what the caller may do is asked anew.
    found = await atWebsite(call, ids.websiteId, permission);
  }
  return contents.withContent(found.website, async (content) => {
    const read = await (content === contents.managed ? early : readPost(content, ids, folds));
    return work(await onPost(inWebsite(found, content), read, permission));
  });
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

/** The website as the actor finds it now; throws unless the permission reaches there. */
export async function atWebsite(call: Call, websiteId: WebsiteId, permission: Permission): Promise<AtWebsite> {
  const { actor, services } = call;
  const found = await services.platform.websites.getWithRole(websiteId, actor.type === "system" ? null : actor.userId);
  if (!found) throw notFound("website");
  const { website, workspace, role } = found;
  const reach = reachOf(actor, permission, memberOf(found));
  if (website.home.kind === "own" && actor.type !== "system") services.lines.bodies.metOwn(actor.userId);
  return { ...call, workspace, role, reach, website };
}

interface ReadPost {
  readonly post: Post | null;
  readonly latestRevision: RevisionHead | null;
}

async function readPost(
  { posts, revisions }: ContentStore,
  { websiteId, postId }: { websiteId: WebsiteId; postId: PostId },
  folds: boolean,
): Promise<ReadPost> {
  const [post, latestRevision] = await Promise.all([posts.get(websiteId, postId), folds ? revisions.latest(websiteId, postId) : null]);
  return { post, latestRevision };
}

async function onPost(context: InWebsite, { post: found, latestRevision }: ReadPost, permission: Permission): Promise<OnPost> {
  const { actor } = context;
  const reader = narrowReader(context);
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
