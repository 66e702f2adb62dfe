import { LRUCache } from "lru-cache";
import type { WebsiteId } from "#domain/ids";
import { endsAfter } from "#domain/lifetime";
import { toItsEnd } from "#domain/pool";
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
  const known = new LRUCache<string, Promise<Ranking>>({ max: MOST, ...endsAfter(FRESH_MILLIS, clock) });

  function rankingOf(websiteId: WebsiteId, since: string): Promise<Ranking> {
    const key = `${websiteId} ${since}`;
    const held = known.get(key);
    if (held) return held;
    // Many wait for it: one that goes away takes it from nobody.
    const ranking = toItsEnd(() => readers.mostRead(websiteId, since, null, LONGEST));
    known.set(key, ranking);
    ranking.catch(() => known.peek(key) === ranking && known.delete(key));
    return ranking;
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
