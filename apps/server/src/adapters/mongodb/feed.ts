import { fail } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import type { ChangeFeed, FeedPage } from "#ports/change-feed";
import type { Context } from "./context.ts";
import { type FeedPosition, type Gap, readCursor, START, without, writeCursor, writeKeyCursor } from "./feed-cursor.ts";
import { between, kindsOf, type Row, type Rows, rowsWhere, strayRows } from "./feed-rows.ts";

/**
 * How long a number may still turn up after it was taken. A write gives up after 5 s of looking for a server and 20 s of
 * silence from it, and is tried twice at most with a new number each time: a minute is ample, also for unequal clocks.
 */
const MAY_STILL_LAND_MS = 60_000;

/** So that a cursor stays small: beyond this the feed waits for gaps to close instead of remembering more. */
const GAPS_REMEMBERED = 500;

const NONE: Rows = { rows: [], areAll: true };
const CUT: Rows = { rows: [], areAll: false };

/**
 * Every write of a website has a number, and each record the number of its last write. Reading goes by number; numbers
 * that are missing on the way may belong to writes still under way, so the cursor remembers them and looks for them
 * again, until they can no longer land. Nothing is skipped and nothing is told twice without need. A walk from the beginning tells first
 * of what the owner of the database wrote without such a number.
 */
export function mongoFeed(context: Context): ChangeFeed {
  /** The last number that was given out. Where somebody removed the counter, no number leads to a record. */
  async function newest(websiteId: WebsiteId): Promise<number> {
    const counter = await context.counters.findOne({ _id: websiteId, w: websiteId }, { projection: { seq: 1 } });
    const last = Number(counter?.seq ?? 0);
    return Number.isSafeInteger(last) ? last : 0;
  }

  return {
    async read(websiteId, since, limit, upTo) {
      const last = upTo ?? (await newest(websiteId));
      const position = readCursor(since);
      if (!("afterKey" in position)) return readNumbered(context, websiteId, position, limit, last);
      const strays = await strayRows(context, websiteId, position.afterKey, limit + 1, last);
      const changes = changesOf(strays.slice(0, limit));
      if (strays.length > limit) return { changes, cursor: writeKeyCursor(strays[limit - 1]!.key), atEnd: false };
      const numbered = await readNumbered(context, websiteId, START, limit - strays.length, last);
      return { ...numbered, changes: [...changes, ...numbered.changes] };
    },

    newest,

    async count(websiteId) {
      const counts = kindsOf(context).map(([, collection]) => collection.countDocuments({ w: websiteId, gone: { $exists: false } }));
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    },
  };
}

const changesOf = (rows: readonly Row[]) => rows.flatMap(({ change }) => change ?? []);

async function readNumbered(
  context: Context,
  websiteId: WebsiteId,
  { seen, gaps }: FeedPosition,
  limit: number,
  last: number,
): Promise<FeedPage> {
  const now = context.clock().getTime();
  const missing = { $or: gaps.map(({ from, to }) => between(from, to)) };
  const late = gaps.length === 0 ? NONE : await rowsWhere(context, websiteId, missing, limit);
  const left = without(
    gaps,
    late.rows.map((row) => row.seq),
  );
  // Looked for after their time was over, and not there: they belong to no write any more.
  const open = late.areAll ? left.filter((gap) => gap.at + MAY_STILL_LAND_MS > now) : left;
  const room = late.areAll ? limit - late.rows.length : 0;
  const fresh = room === 0 ? CUT : await rowsWhere(context, websiteId, between(seen + 1, last), room);
  const walked = walk(fresh.rows, { seen, gaps: open }, now);
  if (late.rows.length === 0 && walked.rows.length === 0 && fresh.rows.length > 0)
    throw fail("UNAVAILABLE", "Many records are being saved in the content database right now. Stet keeps trying.");
  return {
    changes: changesOf([...late.rows, ...walked.rows]),
    cursor: writeCursor({ seen: walked.seen, gaps: walked.gaps }),
    atEnd: fresh.areAll && walked.rows.length === fresh.rows.length,
  };
}

function walk(fresh: readonly Row[], start: { seen: number; gaps: readonly Gap[] }, now: number) {
  const gaps = [...start.gaps];
  const rows: Row[] = [];
  let { seen } = start;
  for (const row of fresh) {
    // This record is here, so the numbers before its own were taken before its moment, or before now if its clock is ahead.
    const at = Math.min(row.seqAt, now);
    if (row.seq > seen + 1 && at + MAY_STILL_LAND_MS > now) {
      if (gaps.length >= GAPS_REMEMBERED) break;
      gaps.push({ from: seen + 1, to: row.seq - 1, at });
    }
    seen = row.seq;
    rows.push(row);
  }
  return { rows, seen, gaps };
}
