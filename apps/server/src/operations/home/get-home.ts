import type { PostStatus } from "@stet/contract";
import { Failure } from "#domain/failure";
import type { PostId } from "#domain/ids";
import { timestamp } from "#domain/time";
import type { DatedPost } from "#ports/content-store";
import { daysOf, type DayViews, filled, sumOf } from "../analytics/helpers/period.ts";
import { hasPermission } from "../kernel/has-permission.ts";
import { type InWebsite, websiteOperation } from "../kernel/operation.ts";
import { ownView } from "../posts/list-posts.ts";
import type { PostView } from "../posts/helpers/post-view.ts";
import { type ActivityLine, withNames } from "../workspaces/list-activity.ts";
import { type Alert, alertsOf, storeTrouble } from "./helpers/alerts.ts";

const SHOWN = 5;
/** Counted up to here: a person with more posts waiting needs no exact number. */
const MOST_WAITING = 100;
const ACTIVITY_SHOWN = 10;
/** One's own posts whose activity is shown to those who may not read the whole log. */
const OWN_POSTS = 20;
const FAR = timestamp(Date.UTC(9999, 0));

export interface Home {
  /** The caller's own drafts, and posts of theirs that were changed since they went live; last edited first. */
  readonly continueWriting: readonly PostView[];
  /** The posts that are scheduled next. */
  readonly scheduled: readonly DatedPost[];
  /** Null for those who may not review others' posts. `count` ends at 100. */
  readonly waitingForReview: { readonly posts: readonly PostView[]; readonly count: number; readonly hasMore: boolean } | null;
  readonly counts: Readonly<Record<PostStatus, number>> | null;
  /** The last 30 days (UTC), oldest first. */
  readonly views: { readonly days: readonly DayViews[]; readonly total: number };
  readonly alerts: readonly Alert[];
  /** The whole website's for those who may read the activity log, else that of the caller's own posts. Newest first. */
  readonly activity: readonly ActivityLine[];
}

/** The first page after signing in: one call. When the content does not answer, the rest is shown and an alert says so. */
export const getHome = websiteOperation({
  name: "get_home",
  summary: "Show an overview of a website: drafts, scheduled posts, posts waiting for review, views and alerts.",
  permission: "post.read",
  input: {},
  async run(context): Promise<Home> {
    const days = daysOf("30d", context.now);
    const [posts, perDay, alerts] = await Promise.all([
      ofContent(context),
      context.services.readers.perDay(context.website.id, days[0]!),
      alertsOf(context),
    ]);
    const activity = await recentActivity(context, posts?.own ?? []);
    return {
      continueWriting: posts?.continueWriting ?? [],
      scheduled: posts?.scheduled ?? [],
      waitingForReview: posts?.waitingForReview ?? null,
      counts: posts?.counts ?? null,
      views: { days: filled(days, perDay), total: sumOf(perDay) },
      // Who can do something about the database is told more of it.
      alerts: posts || alerts.some(({ kind }) => kind === "content-store") ? alerts : [storeTrouble(context), ...alerts],
      activity,
    };
  },
  activity: "none",
});

/** Null while the content store does not answer. */
async function ofContent(context: InWebsite) {
  const { content, website, now } = context;
  try {
    const [own, scheduled, waitingForReview, counts] = await Promise.all([
      ownPosts(context),
      content.posts.listDated(website.id, { statuses: ["scheduled"], from: now, to: FAR, limit: SHOWN, ...ownView(context) }),
      waiting(context),
      content.posts.countByStatus(website.id, ownView(context).ownOrPublished),
    ]);
    return { ...own, scheduled, waitingForReview, counts };
  } catch (error) {
    if (error instanceof Failure && error.code === "CONTENT_STORE_UNAVAILABLE") return null;
    throw error;
  }
}

async function ownPosts({ actor, content, website }: InWebsite): Promise<{ continueWriting: readonly PostView[]; own: readonly PostId[] }> {
  // A job owns nothing.
  if (actor.type === "system") return { continueWriting: [], own: [] };
  const newest = { ownerId: actor.userId, sort: "-editedAt", after: null } as const;
  const [drafts, changed, own] = await Promise.all([
    content.posts.list(website.id, { ...newest, statuses: ["draft"], limit: SHOWN }),
    content.posts.list(website.id, { ...newest, statuses: ["published"], hasUnpublishedChanges: true, limit: SHOWN }),
    content.posts.listHeads(website.id, { ...newest, statuses: ["draft", "scheduled", "published", "unpublished"], limit: OWN_POSTS }),
  ]);
  const continueWriting = [...drafts.rows, ...changed.rows]
    .toSorted((left, right) => (left.editedAt === right.editedAt ? 0 : left.editedAt < right.editedAt ? 1 : -1))
    .slice(0, SHOWN);
  return { continueWriting, own: own.rows.map(({ id }) => id) };
}

async function waiting(context: InWebsite): Promise<Home["waitingForReview"]> {
  if (!hasPermission(context, "post.publish")) return null;
  const page = await context.content.posts.list(context.website.id, {
    statuses: ["draft", "scheduled", "published", "unpublished"],
    reviewRequested: true,
    sort: "editedAt",
    after: null,
    limit: MOST_WAITING,
  });
  return { posts: page.rows.slice(0, SHOWN), count: page.rows.length, hasMore: page.next !== null };
}

async function recentActivity(context: InWebsite, own: readonly PostId[]): Promise<readonly ActivityLine[]> {
  const { services, workspace, website } = context;
  const all = hasPermission(context, "activity.read");
  if (!all && own.length === 0) return [];
  const page = await services.platform.activity.list(workspace.id, {
    websiteId: website.id,
    ...(!all && { targetIds: own }),
    after: null,
    limit: ACTIVITY_SHOWN,
  });
  return withNames(services, page.rows);
}
