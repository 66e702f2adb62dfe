import { isDeepStrictEqual } from "node:util";
import { mediaIdsOf } from "#domain/media-ids";
import type { Post, PostContent, Rendering } from "#domain/post";
import { type Authorship, edit, goLive, moveToTrash, restoreFromTrash, schedule, unpublish } from "#domain/post-life";
import type { Timestamp } from "#domain/time";
import { fingerprint, type PostState } from "#domain/tool-save";

/** The steps that set a post back, in this order. */
const UNDO_STEPS = ["restore", "unpublish", "publish", "update", "edit", "schedule", "review", "trash"] as const;
export type UndoStep = (typeof UNDO_STEPS)[number];

export interface UndoSteps {
  readonly steps: readonly UndoStep[];
  /** Fingerprints of what goes live and of what the working copy becomes; null: stays as it is. */
  readonly live: string | null;
  readonly working: string | null;
  /** It was scheduled for a moment that has passed meanwhile: a person decides what becomes of it. */
  readonly missedItsTime: boolean;
}

/**
 * How a post gets back to what it was. Never makes public what was not public then: what was scheduled for a time that has
 * passed stays a draft, unless readers see it already.
 */
export function undoStepsOf(post: Post, before: PostState | null, now: Timestamp): UndoSteps {
  if (!before) return way(post.status === "deleted" ? [] : ["trash"], null, null);
  const steps: UndoStep[] = [];
  const missed = before.status === "scheduled" && before.scheduledAt !== null && before.scheduledAt <= now;
  const staysLive = before.status === "published" || (missed && post.status === "published");
  if (post.status === "deleted" && before.status !== "deleted") steps.push("restore");
  const live = staysLive ? liveBack(post, before, missed) : null;
  if (live) steps.push(post.status === "published" ? "update" : "publish");
  else if (!staysLive && before.status !== "deleted" && takesDown(post, before, missed)) steps.push("unpublish");
  const working = (live ?? fingerprint(post.working)) === before.working ? null : before.working;
  if (working) steps.push("edit");
  if (before.status === "scheduled" && !missed && post.scheduledAt !== before.scheduledAt) steps.push("schedule");
  if (before.status === "deleted" && post.status !== "deleted") steps.push("trash");
  else if (before.status !== "deleted" && !isDeepStrictEqual(post.review, before.review)) steps.push("review");
  return way(steps, live, working, missed && !staysLive);
}

const way = (steps: readonly UndoStep[], live: string | null, working: string | null, missedItsTime = false): UndoSteps => ({
  steps,
  live,
  working,
  missedItsTime,
});

/** The content that has to go live, if readers do not see it already. */
function liveBack(post: Post, before: PostState, missed: boolean): string | null {
  // Its time came while a tool had changed it: it would have gone live as its working copy was.
  const target = missed ? before.working : (before.live?.content ?? before.working);
  const isShown =
    post.status === "published" &&
    post.live !== null &&
    fingerprint(post.live.content) === target &&
    (missed || post.live.publishedAt === before.live?.publishedAt);
  return isShown ? null : target;
}

function takesDown(post: Post, before: PostState, missed: boolean): boolean {
  if (post.status === "published") return true;
  return post.status === "scheduled" && (before.status !== "scheduled" || missed);
}

export interface RestoredContents {
  /** Goes live, with how it looks. */
  readonly live: { readonly content: PostContent; readonly rendering: Rendering } | null;
  readonly working: PostContent | null;
}

/** All steps in one save: readers and writers see the post as it was or as it is, never something in between. */
export function applyUndo(
  post: Post,
  before: PostState | null,
  { steps }: UndoSteps,
  contents: RestoredContents,
  authorship: Authorship,
): Post {
  let next = post;
  const apply = (change: (post: Post) => Post): void => {
    next = { ...change(next), version: post.version };
  };
  const edited = (working: PostContent) => (from: Post) =>
    edit(
      from,
      {
        working,
        workingMediaIds: mediaIdsOf(working),
        slugFollowsTitle: before?.slugFollowsTitle ?? false,
        kind: "restore",
        latest: null,
      },
      authorship,
    );
  const staysTrashed = before?.status === "deleted" && post.status === "deleted";
  if (steps.includes("restore") || staysTrashed) apply((from) => restoreFromTrash(from, authorship));
  if (steps.includes("unpublish")) apply((from) => unpublish(from, authorship));
  if (contents.live) {
    const { content, rendering } = contents.live;
    const action = steps.includes("update") ? "update" : "publish";
    apply((from) => goLive(asItWas(from, before, content), action, rendering, authorship));
  }
  if (contents.working) apply(edited(contents.working));
  if (steps.includes("schedule") && before?.scheduledAt) {
    const { scheduledAt } = before;
    apply((from) => schedule(from, scheduledAt, authorship));
  }
  if (steps.includes("trash")) apply((from) => moveToTrash(from, authorship));
  if (staysTrashed) next = { ...next, status: "deleted", deletedAt: post.deletedAt, review: null };
  else if (before && before.status !== "deleted") {
    // A post that is not live and was never meant to be goes on taking its slug from the title.
    const slugFollowsTitle = next.status === "published" ? next.slugFollowsTitle : before.slugFollowsTitle;
    next = { ...next, review: before.review, slugFollowsTitle };
  }
  return { ...next, version: post.version + 1 };
}

/** The first publication stays the date, whatever date a tool chose in between. */
function asItWas(post: Post, before: PostState | null, working: PostContent): Post {
  const live = post.live && before?.live ? { ...post.live, publishedAt: before.live.publishedAt } : post.live;
  return { ...post, working, workingMediaIds: mediaIdsOf(working), live };
}
