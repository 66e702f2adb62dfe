import { VIEW_PERIODS, type ViewPeriod } from "@stet/contract";
import { fail, notFound } from "#domain/failure";
import type { PostId } from "#domain/ids";
import type { LivePost } from "#domain/post";
import { dayOf } from "#domain/reader-rules";
import { DAY } from "#domain/time";
import { type ReadContext, readRoute } from "./read-route.ts";
import { findPost } from "./find-post.ts";
import { afterOf, collection, pageSize } from "./paging.ts";
import { choiceOf, cursor, limit } from "./parameters.ts";
import { sourceOf } from "./source-of.ts";
import { presentPosts } from "#present/posts";

const DAYS = { "7d": 7, "30d": 30, "90d": 90, all: null } as const satisfies Record<ViewPeriod, number | null>;
const DEFAULT_PERIOD: ViewPeriod = "30d";
const viewPeriod = choiceOf("period", VIEW_PERIODS);

/** The first day of a period. Today is one of its days, so "7d" begins six days ago (UTC). */
function firstDay(period: ViewPeriod, now: Date): string | null {
  const days = DAYS[period];
  return days === null ? null : dayOf(now.getTime() - (days - 1) * DAY);
}

export const getPostViews = readRoute({
  path: "/blog/posts/{slugOrId}/views",
  query: {},
  // Readers come without anything being published.
  cached: false,
  async run({ services, content, website, now }, params: Readonly<Record<"slugOrId", string>>) {
    const found = await findPost(content, website.id, params.slugOrId);
    if (!found) throw notFound("published post");
    const numbers = await services.readers.ofPost(
      website.id,
      found.post.id,
      VIEW_PERIODS.map((period) => firstDay(period, now)),
    );
    const views = Object.fromEntries(VIEW_PERIODS.map((period, index) => [period, numbers[index] ?? 0]));
    return { kind: "json", value: { data: { postId: found.post.id, views } } };
  },
});

export const listMostRead = readRoute({
  path: "/blog/views",
  query: { period: viewPeriod, limit, cursor },
  cached: false,
  async run(context, _params, query) {
    const period = query.period ?? DEFAULT_PERIOD;
    // The period stands in the cursor like a sort: its numbers order the list.
    const paging = { kind: "post", sort: `-views.${period}` } as const;
    const size = pageSize(query.limit);
    const ranked = await mostRead(context, firstDay(period, context.now), positionOf(afterOf(paging, query.cursor)), size + 1);
    const shown = ranked.slice(0, size);
    const last = shown.at(-1);
    const next = ranked.length > size && last ? { key: String(last.views), id: last.post.id } : null;
    const posts = await presentPosts(
      sourceOf(context),
      shown.map(({ post }) => post),
    );
    const data = posts.map((post, index) => ({ post, views: shown[index]!.views }));
    return { kind: "json", value: collection(data, paging, next, size) };
  },
});

/** Asked for at a time, at least: a page of one must not ask for each post that was read and taken down since. */
const RANKED_AT_ONCE = 100;

interface Ranked {
  readonly post: LivePost;
  readonly views: number;
}

/** The most read of the posts that are published. Others keep their numbers, but nobody sees them: they are passed over. */
async function mostRead(
  { services, content, website }: ReadContext,
  since: string | null,
  after: { views: number; id: string } | null,
  wanted: number,
): Promise<readonly Ranked[]> {
  const ranked: Ranked[] = [];
  const atOnce = Math.max(wanted, RANKED_AT_ONCE);
  for (let from = after; ;) {
    const rows = await services.readers.mostRead(website.id, since, from, atOnce);
    const live = await publishedOf({ content, website }, rows);
    for (const { postId, views } of rows) {
      const post = live.get(postId);
      if (post) ranked.push({ post, views });
    }
    const last = rows.at(-1);
    if (!last || rows.length < atOnce || ranked.length >= wanted) return ranked.slice(0, wanted);
    from = { views: last.views, id: last.postId };
  }
}

async function publishedOf(
  { content, website }: Pick<ReadContext, "content" | "website">,
  rows: readonly { postId: PostId }[],
): Promise<ReadonlyMap<PostId, LivePost>> {
  if (rows.length === 0) return new Map();
  const posts = await content.posts.getManyLive(
    website.id,
    rows.map(({ postId }) => postId),
  );
  return new Map(posts.map((post) => [post.id, post]));
}

function positionOf(after: { readonly key: string; readonly id: string } | null): { views: number; id: string } | null {
  if (!after) return null;
  if (!/^[1-9]\d{0,14}$/.test(after.key)) {
    throw fail("INVALID_CURSOR", "This cursor was altered or cut. Pass it back exactly as received, or start again without one.");
  }
  return { views: Number(after.key), id: after.id };
}
