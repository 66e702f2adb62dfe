import type { WebsiteId } from "#domain/ids";
import { type Clock, MINUTE } from "#domain/time";
import type { ReaderNumbers } from "#ports/reader-numbers";

type Ranking = Awaited<ReturnType<ReaderNumbers["mostRead"]>>;

/** How old the ranking of a period may be. */
const FRESH_MILLIS = MINUTE;
/** How far down a ranking of days can be read. */
const LONGEST = 1_000;
/** Rankings remembered at a time; one takes 100 KB at most. */
const MOST = 200;

/**
 * Ranks the posts of a period once a minute, however often it is asked and for whichever page: it adds up every day of every
 * post, which for a large blog takes the database a quarter of a second. All time has totals and is asked directly.
 */
export function rememberRankings(readers: ReaderNumbers, clock: Clock): ReaderNumbers {
  const known = new Map<string, { readonly until: number; readonly ranking: Promise<Ranking> }>();

  function rankingOf(websiteId: WebsiteId, since: string): Promise<Ranking> {
    const key = `${websiteId} ${since}`;
    const now = clock().getTime();
    const held = known.get(key);
    if (held && held.until > now) return held.ranking;
    const entry = { until: now + FRESH_MILLIS, ranking: readers.mostRead(websiteId, since, null, LONGEST) };
    known.delete(key);
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size >= MOST) known.delete(oldest);
    known.set(key, entry);
    entry.ranking.catch(() => known.get(key) === entry && known.delete(key));
    return entry.ranking;
  }

  return {
    ...readers,
    async mostRead(websiteId, since, after, limit) {
      if (since === null) return readers.mostRead(websiteId, since, after, limit);
      const ranking = await rankingOf(websiteId, since);
      const from = after
        ? ranking.findIndex(({ views, postId }) => views < after.views || (views === after.views && postId > after.id))
        : 0;
      return from === -1 ? [] : ranking.slice(from, from + limit);
    },
  };
}
