import { fail } from "#domain/failure";
import type { GrantId } from "#domain/ids";
import type { Post } from "#domain/post";
import { isVisibleChange, slugsOf } from "#domain/post-life";
import { readerEffect } from "#domain/reader-effect";
import { stateOf, type ToolSave } from "#domain/tool-save";
import type { ContentStore } from "#ports/content-store";
import type { WholeSave, WholeSaveResult } from "#ports/whole-save";
import type { InWebsite, OnPost } from "../../kernel/operation.ts";
import { isHeld } from "../../kernel/own-suggestion.ts";
import { withinReaderBudget } from "../../kernel/reader-budget.ts";
import { versionConflict } from "../../kernel/version-conflict.ts";
import { slugTaken } from "./choose-slug.ts";
import { holdPost } from "./hold-post.ts";
import { saveInSteps } from "./save-in-steps.ts";
import { settlePost } from "./settle-post.ts";
import { viewOf } from "./post-view.ts";

/** The version the caller saw is the one that is there, or nothing happens. */
export function requireVersion(post: Post, expectedVersion: number): void {
  if (post.version !== expectedVersion) throw versionConflict("post", post.version);
}

interface Storing {
  /** The connection whose changes this save sets back. */
  readonly undoes?: GrantId;
  /** The operation's answer, where that is not the post: the activity log takes its line from it. */
  readonly answer?: unknown;
}

/** Saves the next version of the post on which the operation was called, with everything that follows from it. */
export async function storePost(context: OnPost, next: Post, storing: Storing = {}): Promise<Post> {
  const stored = await storeIfSlugIsFree(context, next, storing);
  if (!stored) throw await slugTaken(context, next.working.slug);
  return stored;
}

/** The same; null when another post has the slug. */
export async function storeIfSlugIsFree(context: OnPost, next: Post, { undoes, answer }: Storing = {}): Promise<Post | null> {
  const { content, post: before } = context;
  if (isHeld(context, context.stored)) return holdPost(context, next);
  // Pending records of an earlier crash are settled first: their revision is the working copy about to be replaced.
  if (before.pendingRevision || before.pendingEvents.length > 0) await settlePost(context.services, content, before);
  const needed = slugsOf(next);
  const whole: WholeSave = {
    ...aboutSave(context, next, answer),
    post: withoutSettled(before, next),
    before,
    visible: isVisibleChange(before, next),
    claim: next.working.slug === before.working.slug ? null : claimOf(context, next),
    release: [...slugsOf(before)].filter((slug) => !needed.has(slug)),
    toolSave: toolSaveOf(context, before, next, undoes),
  };
  const result = await withinReaderBudget(
    context,
    readerEffect(before, next),
    () => save(context, whole),
    (answered) => answered === "saved",
  );
  if (result === "stale") throw versionConflict("post", await currentVersion(content, next));
  return result === "saved" ? settled(next) : null;
}

/** Saves a new post; null when another one has the slug. */
export async function storeNewPost(context: InWebsite, post: Post): Promise<Post | null> {
  const result = await save(context, {
    ...aboutSave(context, post),
    post,
    before: null,
    visible: isVisibleChange(null, post),
    claim: claimOf(context, post),
    release: [],
    toolSave: toolSaveOf(context, null, post),
  });
  if (result === "stale")
    throw fail("VERSION_CONFLICT", "A post with this id already exists. Read it, or create one without an id.", { id: post.id });
  return result === "saved" ? settled(post) : null;
}

/** In one commit where the store can do that, else in steps; the lines are then written by the kernel. */
async function save(context: InWebsite, whole: WholeSave): Promise<WholeSaveResult> {
  const { saveWhole } = context.content.posts;
  if (!saveWhole) return saveInSteps(context, whole);
  const result = await saveWhole(whole);
  if (result === "saved") context.lines?.done();
  return result;
}

const aboutSave = ({ now, lines }: InWebsite, next: Post, answer: unknown = viewOf(next)): Pick<WholeSave, "now" | "lines"> => ({
  now,
  lines: lines?.about(answer) ?? [],
});

const claimOf = ({ now }: InWebsite, { id, working }: Post): WholeSave["claim"] => ({ slug: working.slug, ownerId: id, claimedAt: now });

/** The post as it was before: undo must know of every save of a tool, and of those that set it back. */
function toolSaveOf({ actor, by, now }: InWebsite, before: Post | null, next: Post, undoes?: GrantId): ToolSave | null {
  const connectionId = actor.type === "tool" ? actor.grant.id : undoes;
  if (!connectionId) return null;
  const key = { websiteId: next.websiteId, postId: next.id, connectionId, version: before?.version ?? 0 };
  return { ...key, actorId: by.id, at: now, saved: true, state: before && stateOf(before) };
}

const settled = (post: Post): Post => ({ ...post, pendingEvents: [], pendingRevision: null });

/** `before` was settled a moment ago, so what it had pending must not be saved a second time. */
function withoutSettled(before: Post, next: Post): Post {
  const logged = new Set(before.pendingEvents.map((event) => event.id));
  return {
    ...next,
    pendingEvents: next.pendingEvents.filter((event) => !logged.has(event.id)),
    pendingRevision: next.pendingRevision === before.pendingRevision ? null : next.pendingRevision,
  };
}

async function currentVersion(content: ContentStore, post: Post): Promise<number | null> {
  return (await content.posts.get(post.websiteId, post.id))?.version ?? null;
}
