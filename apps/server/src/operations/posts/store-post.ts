import { fail } from "#domain/failure";
import type { GrantId } from "#domain/ids";
import type { Post } from "#domain/post";
import { isVisibleChange, slugsOf } from "#domain/post-life";
import type { ContentStore } from "#ports/content-store";
import type { InWebsite, OnPost } from "../kernel/operation.ts";
import { claimSlug } from "./choose-slug.ts";
import { versionConflict } from "../kernel/conflict.ts";
import { rememberSave } from "./remember-save.ts";
import { pendingRevisionOf, settlePost } from "./settle-post.ts";

/** The version the caller saw is the one that is there, or nothing happens. */
export function requireVersion(post: Post, expectedVersion: number): void {
  if (post.version !== expectedVersion) throw versionConflict("post", post.version);
}

/**
 * Saves the next version of the post on which the operation was called, and settles what it left pending. A slug that
 * is new to the post is claimed before, and one it no longer needs is given up after: a crash in between leaves a claim
 * too many, which the sweep frees, never one too few. `undoes`: the connection whose changes this sets back.
 */
export async function storePost(context: OnPost, next: Post, undoes?: GrantId): Promise<Post> {
  const { content, post: before } = context;
  // What an earlier crash left pending is settled first: its revision is the working copy about to be replaced.
  if (before.pendingRevision || before.pendingEvents.length > 0) await settlePost(context.services, content, before);
  if (!slugsOf(before).has(next.working.slug)) await claimSlug(context, next.working.slug, next.id);
  const post = withoutSettled(before, next);
  // Events are logged elsewhere, so a post that has some is settled in a step of its own.
  const revision = post.pendingEvents.length === 0 ? pendingRevisionOf(post) : null;
  const save = () => content.posts.save(post, { visible: isVisibleChange(before, next), ...(revision && { revision }) });
  const saved = await rememberSave(context, before, next, save, undoes);
  // A slug claimed in vain stays with the post until the sweep: the save that won may have chosen the same one.
  if (saved === "stale") throw versionConflict("post", await currentVersion(content, next));
  await releaseUnneeded(context, next);
  return saved === "settled" ? settled(next) : settleNow(context, next);
}

/** Saves a new post; its slug is claimed already. */
export async function storeNewPost(context: InWebsite, post: Post): Promise<Post> {
  const insert = () => context.content.posts.insert(post, { visible: isVisibleChange(null, post) });
  const saved = await rememberSave(context, null, post, insert);
  if (saved === "stale")
    throw fail("VERSION_CONFLICT", "A post with this id exists already. Read it, or create one without an id.", { id: post.id });
  return settleNow(context, post);
}

async function settleNow(context: InWebsite, post: Post): Promise<Post> {
  try {
    await settlePost(context.services, context.content, post);
  } catch (error) {
    // The change is saved, and what must follow it is saved inside it: the sweep finishes this.
    context.services.onTrouble("A saved post could not be settled at once", error);
  }
  return settled(post);
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

async function releaseUnneeded({ content, post: before, now }: OnPost, next: Post): Promise<void> {
  const needed = slugsOf(next);
  for (const slug of slugsOf(before)) {
    // Only as it was before this call: a later save may have gone back to this slug and claimed it anew.
    if (!needed.has(slug)) await content.claims.release(next.websiteId, "post", slug, next.id, now);
  }
}

async function currentVersion(content: ContentStore, post: Post): Promise<number | null> {
  return (await content.posts.get(post.websiteId, post.id))?.version ?? null;
}
