import type { Collection, Filter } from "mongodb";
import { isId, type WebsiteId } from "#domain/ids";
import type { Change, ChangeFeed, RecordKind } from "#ports/content-store";
import type { Context, Stored } from "./context.ts";
import { type Gap, readCursor, without, writeCursor } from "./feed-cursor.ts";
import { keyOf, partsOf } from "./keys.ts";
import { idsOf } from "./revision-document.ts";

/**
 * How long a number may still turn up after it was taken. A write gives up after 5 s of looking for a server and 20 s of
 * silence from it, and is tried twice at most with a new number each time: a minute is ample, also for unequal clocks.
 */
const MAY_STILL_LAND_MS = 60_000;

/** So that a cursor stays small: beyond this the feed waits for gaps to close instead of remembering more. */
const GAPS_REMEMBERED = 500;

interface Row {
  readonly seq: number;
  readonly seqAt: number;
  readonly change: Change | null;
}

/**
 * Every write of a website has a number, and each record the number of its last write. Reading goes by number; numbers
 * that are missing on the way may belong to writes still under way, so the cursor remembers them and looks for them
 * again, until they can no longer land. Nothing is skipped and nothing is told twice without need.
 */
export function mongoFeed(context: Context): ChangeFeed {
  return {
    async read(websiteId, since, limit) {
      const now = context.clock().getTime();
      const { seen, gaps } = readCursor(since);
      const late =
        gaps.length === 0 ? [] : await rowsWhere(context, websiteId, { $or: gaps.map(({ from, to }) => between(from, to)) }, limit);
      const left = without(
        gaps,
        late.map((row) => row.seq),
      );
      // Looked for after their time was over, and not there: they belong to no write any more.
      const open = late.length === limit ? left : left.filter((gap) => gap.at + MAY_STILL_LAND_MS > now);
      const room = limit - late.length;
      const fresh = room === 0 ? [] : await rowsWhere(context, websiteId, { seq: { $gt: seen } }, room);
      const walked = walk(fresh, { seen, gaps: open }, now);
      return {
        changes: [...late, ...walked.rows].flatMap(({ change }) => change ?? []),
        cursor: writeCursor({ seen: walked.seen, gaps: walked.gaps }),
      };
    },
  };
}

const between = (from: number, to: number): Filter<Stored> => ({ seq: { $gte: from, $lte: to } });

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

async function rowsWhere(context: Context, websiteId: WebsiteId, where: Filter<Stored>, limit: number): Promise<readonly Row[]> {
  const kinds: readonly (readonly [RecordKind, Collection<Stored>])[] = [
    ["post", context.posts],
    ["term", context.terms],
    ["media", context.media],
    ["revision", context.revisions],
    ["beside", context.beside],
  ];
  const found = await Promise.all(
    kinds.map(async ([kind, collection]) => {
      const documents = await collection
        .find({ ...where, w: websiteId })
        .sort({ seq: 1 })
        .limit(limit)
        .project<Stored>({ seq: 1, seqAt: 1, gone: 1 })
        .toArray();
      return documents.flatMap((document) => rowOf(websiteId, kind, document));
    }),
  );
  return found
    .flat()
    .toSorted((a, b) => a.seq - b.seq)
    .slice(0, limit);
}

function rowOf(websiteId: WebsiteId, kind: RecordKind, { _id, seq, seqAt, gone }: Stored): Row[] {
  if (typeof seq !== "number" || !Number.isSafeInteger(seq)) return [];
  const ids = kind === "revision" ? idsOf(websiteId, _id) : idOf(websiteId, kind, _id);
  const change = ids && { kind, ...ids, removed: gone === true };
  return [{ seq, seqAt: seqAt instanceof Date ? seqAt.getTime() : Number.POSITIVE_INFINITY, change }];
}

const ID_KINDS = { post: ["post"], term: ["category", "tag", "author"], media: ["media"], beside: ["suggestion", "change"] } as const;

function idOf(websiteId: WebsiteId, kind: keyof typeof ID_KINDS, key: string): { id: string } | null {
  const [id = ""] = partsOf(websiteId, key) ?? [];
  return ID_KINDS[kind].some((prefix) => isId(prefix, id)) && key === keyOf(websiteId, id) ? { id } : null;
}
