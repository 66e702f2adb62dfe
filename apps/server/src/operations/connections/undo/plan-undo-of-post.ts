import { type Permission, reachOf, isWithinReach } from "#domain/access";
import { Failure } from "#domain/failure";
import type { GrantId } from "#domain/ids";
import type { Post, PostContent, RevisionHead } from "#domain/post";
import { slugsOf } from "#domain/post-life";
import type { Timestamp } from "#domain/time";
import { type PostState, sameness, stateOf, type ToolSave } from "#domain/tool-save";
import { type UndoStep, type UndoSteps, undoStepsOf } from "#domain/undo";
import type { InWebsite } from "../../kernel/operation.ts";
import { findContent, readRevisionHeads } from "./post-history.ts";
import { cancelled, strangeVersions } from "./thing-history.ts";
import type { LeftBecause } from "./undo-item.ts";
import { findOtherEditor } from "./find-other-editor.ts";

/** Which changes of which connection. */
export interface UndoRequest {
  readonly connectionId: GrantId;
  readonly since: Timestamp;
  readonly until: Timestamp;
}

export type PostUndoPlan =
  | { readonly verdict: "nothing to do" }
  | { readonly verdict: "leave"; readonly because: LeftBecause; readonly by?: string | null }
  | {
      readonly verdict: "set back";
      readonly before: PostState | null;
      readonly undo: UndoSteps;
      readonly live: PostContent | null;
      readonly working: PostContent | null;
      readonly keepsSlug: boolean;
    };

/**
 * What undo does with a post. It is set back only when every version since the connection's first change is accounted for: made by
 * the connection, by an earlier undo of it, or by the scheduler on the day it was told, or cancelled by an undo of another connection.
 * Whatever else is in between is somebody's work.
 */
export async function planUndoOfPost(context: InWebsite, post: Post, request: UndoRequest): Promise<PostUndoPlan> {
  const { connectionId, since, until } = request;
  const saves = (await context.services.connections.saves.listOf(post.websiteId, post.id))
    // A post that was purged and made anew under the same id begins at version 1 again.
    .filter((save) => save.version < post.version && save.at >= post.createdAt);
  const heads = await readRevisionHeads(context, post);
  const made = saves.filter((save) => wasMade(save, heads));
  const isMade = made.some(({ version }) => version === 0);
  const states = new Map(made.map((save) => [save.version, sameness(save.state, isMade)] as const));
  const isTools = (version: number) => made.some((save) => save.version + 1 === version);
  const isVoid = cancelled(states.set(post.version, sameness(stateOf(post), isMade)), isTools);
  const mine = made.filter((save) => save.connectionId === connectionId);
  const inForce = mine.filter((save) => save.actorId === connectionId && !isVoid(save.version + 1));
  const asked = inForce.filter((save) => save.at >= since && save.at <= until);
  const [earliest] = asked;
  if (!earliest) return { verdict: "nothing to do" };

  const isKnown = (version: number) => isVoid(version) || isOurs(version, mine, heads);
  const strange = strangeVersions(earliest.version, post.version, isKnown, isTools);
  // Another tool's change lies on top of ours, and ours on top of that: ours goes, the rest when that tool's is undone.
  const first = strange.every(isTools) ? asked.find((save) => save.version >= Math.max(0, ...strange)) : undefined;
  if (!first) return { verdict: "leave", because: "changed by others", by: await findOtherEditor(context, heads, strange[0]!, request) };
  if (inForce.some((save) => save.version > first.version && save.at > until)) return { verdict: "leave", because: "changed again" };
  const undo = undoStepsOf(post, first.state, context.now);
  if (undo.steps.length === 0) return { verdict: "nothing to do" };
  if (!undo.steps.every((step) => mayTake(context, post, step))) return { verdict: "leave", because: "not allowed" };

  const content = (wanted: string | null, wasLive: boolean) =>
    wanted === null ? null : findContent(context, post, wanted, { heads, upTo: first.version, wasLive });
  const [live, working] = await Promise.all([content(undo.live, first.state?.status === "published"), content(undo.working, false)]);
  if ((undo.live && !live) || (undo.working && !working)) return { verdict: "leave", because: "history missing" };
  const [shown, written] = await Promise.all([
    withFreeSlug(context, post, live, post.live?.content.slug ?? post.working.slug),
    withFreeSlug(context, post, working, post.working.slug),
  ]);
  const keepsSlug = shown !== live || written !== working;
  return { verdict: "set back", before: first.state, undo, live: shown, working: written, keepsSlug };
}

/** Confirmed, or proved by the revision it left. */
const wasMade = (save: ToolSave, heads: readonly RevisionHead[]): boolean =>
  save.saved || heads.some((head) => head.version === save.version + 1 && head.author.id === save.actorId);

function isOurs(version: number, made: readonly ToolSave[], heads: readonly RevisionHead[]): boolean {
  if (made.some((save) => save.version + 1 === version)) return true;
  return heads.some(
    (head) => head.version === version && head.author.type === "system" && head.author.id === "scheduler" && head.kind === "publish",
  );
}

const NEEDED: Record<UndoStep, Permission> = {
  restore: "post.restore",
  unpublish: "post.publish",
  publish: "post.publish",
  update: "post.publish",
  edit: "post.write",
  schedule: "post.publish",
  review: "post.write",
  trash: "post.delete",
};

function mayTake({ actor, workspace, role }: InWebsite, post: Post, step: UndoStep): boolean {
  try {
    const reach = reachOf(actor, NEEDED[step], { workspaceId: workspace.id, role });
    return isWithinReach(reach, actor, { ownerId: post.ownerId, published: post.status === "published" });
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

/** With the slug that the post has now, where another post has the earlier one. */
async function withFreeSlug(
  { content, website }: InWebsite,
  post: Post,
  earlier: PostContent | null,
  present: string,
): Promise<PostContent | null> {
  if (!earlier || slugsOf(post).has(earlier.slug)) return earlier;
  const owner = (await content.claims.owners(website.id, "post", [earlier.slug])).get(earlier.slug);
  return owner === undefined || owner === post.id ? earlier : { ...earlier, slug: present };
}
