import { TERM_KINDS } from "@stet/contract";
import type { AnyBulkWriteOperation, Filter } from "mongodb";
import { isId, type WebsiteId } from "#domain/ids";
import type { FacetFilter } from "#ports/live-posts";
import type { SaveResult } from "#ports/save-result";
import type { Context, Stored } from "./context.ts";
import { LEFT_BEHIND_MS } from "./intents.ts";
import { keyOf } from "./keys.ts";
import { allDocuments } from "./read-documents.ts";

/** The lists of a post that are counted: of its live copy, and of any copy while it is not in the trash. */
const LISTS = { live: "liveFacets", shown: "shownFacets" } as const;
type Counted = keyof typeof LISTS;

/** Terms are shown by up to every post of a website; everything else that posts show is counted when it is asked for. */
const isTerm = (facet: string): boolean => TERM_KINDS.some((kind) => isId(kind, facet));

const factsOf = (value: unknown): ReadonlySet<string> =>
  new Set(Array.isArray(value) ? value.filter((facet): facet is string => typeof facet === "string" && isTerm(facet)) : []);

/** What each term gains or loses when a post is replaced. */
function changesOf(before: Stored | null, after: Readonly<Record<string, unknown>>): ReadonlyMap<string, Record<Counted, number>> {
  const changes = new Map<string, Record<Counted, number>>();
  for (const counted of ["live", "shown"] as const) {
    const [had, has] = [factsOf(before?.[LISTS[counted]]), factsOf(after[LISTS[counted]])];
    for (const facet of new Set([...had, ...has])) {
      if (had.has(facet) === has.has(facet)) continue;
      const change = changes.get(facet) ?? { live: 0, shown: 0 };
      changes.set(facet, { ...change, [counted]: has.has(facet) ? 1 : -1 });
    }
  }
  return changes;
}

/**
 * Writes a post and brings the counts of its terms along. Nothing here spans two documents, so the terms are noted first: when the process
 * dies in between, the sweep counts them anew (`settleCounts`). A save that changes no term costs one look at the post.
 */
export async function withCounts(
  context: Context,
  websiteId: WebsiteId,
  { key, document, write }: { key: string; document: Readonly<Record<string, unknown>>; write: () => Promise<SaveResult> },
): Promise<SaveResult> {
  const before = await context.posts.findOne({ _id: key, w: websiteId }, { projection: { liveFacets: 1, shownFacets: 1 } });
  const changes = changesOf(before, document);
  if (changes.size === 0) return write();
  const note = keyOf(websiteId, context.newToken());
  const since = context.clock();
  // Not called `at`: nodes of the version before would take the note for one of theirs and remove it.
  await context.intents.insertOne({ _id: note, w: websiteId, since, terms: [...changes.keys()] });
  const result = await write();
  // A write whose answer was lost, and that somebody saved over before it was sent again, is stale and was counted by them: the sweep counts.
  if (result === "stale") return result;
  // So late that the sweep may have counted already: it does, or comes again.
  if (context.clock().getTime() - since.getTime() > LEFT_BEHIND_MS / 2) return result;
  try {
    await context.counts.bulkWrite(
      [...changes].map(([facet, change]) => raising(websiteId, facet, change)),
      { ordered: false },
    );
  } catch {
    // Nobody knows which of them were raised. The post is saved all the same; the note stays, and they are counted.
    return result;
  }
  await context.intents.deleteOne({ _id: note, w: websiteId });
  return result;
}

const raising = (websiteId: WebsiteId, facet: string, change: Record<Counted, number>): AnyBulkWriteOperation<Stored> => ({
  updateOne: {
    filter: { _id: keyOf(websiteId, facet), w: websiteId },
    update: { $inc: { ...change, rev: 1 } } as object,
    upsert: true,
  },
});

/** How many posts show any facet of each group: from the kept counts, if all facets are terms and the website is counted. */
export async function countGroups(
  context: Context,
  websiteId: WebsiteId,
  counted: Counted,
  groups: FacetFilter,
): Promise<readonly number[]> {
  const facets = [...new Set(groups.flat())];
  const kept = facets.length > 0 && facets.every(isTerm) ? await readCounts(context, websiteId, counted, facets) : null;
  return Promise.all(
    groups.map(async (group) => {
      if (group.length === 0) return 0;
      if (!kept) return count(context, websiteId, counted, oneOf(group));
      const ranked = [...new Set(group)].filter((facet) => kept.has(facet)).toSorted((left, right) => kept.get(right)! - kept.get(left)!);
      const [most, ...others] = ranked;
      if (most === undefined) return 0;
      // Only where terms were merged can a post show two of them: the posts of the less frequent ones are looked at.
      const beside = others.length === 0 ? 0 : await count(context, websiteId, counted, { $in: others, $ne: most });
      return kept.get(most)! + beside;
    }),
  );
}

/** Null while the website is not counted. */
async function readCounts(context: Context, websiteId: WebsiteId, counted: Counted, facets: readonly string[]) {
  const [counter, found] = await Promise.all([
    context.counters.findOne({ _id: websiteId, w: websiteId }, { projection: { counted: 1 } }),
    allDocuments(context.counts.find({ _id: { $in: facets.map((facet) => keyOf(websiteId, facet)) }, w: websiteId }), facets.length),
  ]);
  if (counter && counter.counted !== true) return null;
  const kept = new Map<string, number>();
  for (const document of found) {
    const number = Number(document[counted]);
    if (Number.isSafeInteger(number) && number > 0) kept.set(document._id.slice(websiteId.length + 1), number);
  }
  return kept;
}

const oneOf = (group: readonly string[]) => (group.length === 1 ? group[0]! : { $in: [...group] });

/** Reads only the index, where an aggregation would read every post. */
const count = (context: Context, websiteId: WebsiteId, counted: Counted, facet: unknown): Promise<number> =>
  context.posts.countDocuments({ w: websiteId, [LISTS[counted]]: facet } as Filter<Stored>);

const MOST_TRIES = 5;

/**
 * Counts a term anew; false when somebody writes a post with it just now. A writer notes the term, writes the post, raises the count and
 * takes the note away: what lies between two looks that find no note and one and the same count was counted as it stands.
 */
export async function recount(context: Context, websiteId: WebsiteId, facet: string): Promise<boolean> {
  const key = keyOf(websiteId, facet);
  const isWritten = async () => {
    const alive = { $gte: new Date(context.clock().getTime() - LEFT_BEHIND_MS) };
    return (await context.intents.findOne({ w: websiteId, since: alive, terms: facet }, { projection: { _id: 1 } })) !== null;
  };
  for (let attempt = 1; attempt <= MOST_TRIES; attempt++) {
    const found = await context.counts.findOne({ _id: key, w: websiteId }, { projection: { rev: 1 } });
    if (await isWritten()) return false;
    const [live, shown] = await Promise.all([count(context, websiteId, "live", facet), count(context, websiteId, "shown", facet)]);
    if (await isWritten()) return false;
    const fresh = { live, shown };
    if (!found) {
      const { upsertedCount } = await context.counts.updateOne(
        { _id: key, w: websiteId },
        { $setOnInsert: { ...fresh, rev: 1 } },
        { upsert: true },
      );
      if (upsertedCount === 1) return true;
      continue;
    }
    const { matchedCount } = await context.counts.updateOne({ _id: key, w: websiteId, rev: found.rev }, {
      $set: fresh,
      $inc: { rev: 1 },
    } as object);
    if (matchedCount === 1) return true;
  }
  return false;
}
