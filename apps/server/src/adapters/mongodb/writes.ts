import type { Collection, Filter, UpdateFilter } from "mongodb";
import type { WebsiteId } from "#domain/ids";
import type { SaveResult } from "#ports/save-result";
import type { Context, Stored } from "./context.ts";
import { isDuplicate, isRefused, isUnreachable } from "./failures.ts";
import { keyOf } from "./keys.ts";
import { allDocuments } from "./read-documents.ts";

/** Which write of a website this is, and when its number was taken: what the change feed goes by. */
export interface Stamp {
  readonly seq: number;
  readonly seqAt: Date;
}

/**
 * The next `count` numbers of a website. They are taken before the write, so a write may land after one with a greater
 * number: the feed waits for those (see feed.ts). The moment is read afterwards, so that it is never too early.
 */
export async function takeStamps(context: Context, websiteId: WebsiteId, count = 1): Promise<readonly Stamp[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      const counter = await context.counters.findOneAndUpdate(
        { _id: websiteId, w: websiteId },
        // A website that begins now has all its posts counted as they are written (facet-counts.ts).
        { $inc: { seq: count }, $setOnInsert: { counted: true } } as object as UpdateFilter<Stored>,
        { upsert: true, returnDocument: "after" },
      );
      const last = Number(counter?.seq);
      if (!Number.isSafeInteger(last)) throw new Error(`The counter of website ${websiteId} is not a whole number.`);
      const seqAt = context.clock();
      return Array.from({ length: count }, (_, index) => ({ seq: last - count + 1 + index, seqAt }));
    } catch (error) {
      // Two first writes of a website can both try to create its counter.
      if (!isDuplicate(error) || attempt === 3) throw error;
    }
  }
}

interface Write {
  readonly collection: Collection<Stored>;
  readonly websiteId: WebsiteId;
  readonly key: string;
  /** The document to be replaced must match this; null: there must be none. */
  readonly expected: Filter<Stored> | null;
  readonly document: Readonly<Record<string, unknown>>;
}

/**
 * Writes one document if the stored one is as expected. The document carries a word that only this write knows:
 * when an acknowledgement was lost, it tells a write of ours that was applied from one of somebody else.
 */
export async function writeIf(context: Context, write: Write): Promise<SaveResult> {
  const token = context.newToken();
  let unanswered: unknown;
  for (let attempt = 1; ; attempt++) {
    try {
      const [stamp] = await takeStamps(context, write.websiteId);
      if (await applied(write, { ...write.document, ...stamp, token })) return "saved";
      const found = await write.collection.findOne({ _id: write.key, w: write.websiteId }, { projection: { token: 1 } });
      return found?.token === token ? "saved" : "stale";
    } catch (error) {
      // What became of the first attempt is not known, whatever is said to the second.
      if (!isUnreachable(error) || isRefused(error) || attempt === 2) throw unanswered ?? error;
      unanswered = error;
    }
  }
}

async function applied({ collection, websiteId, key, expected }: Write, document: Readonly<Record<string, unknown>>): Promise<boolean> {
  const replace = async (filter: Filter<Stored>) =>
    (await collection.replaceOne({ ...filter, _id: key, w: websiteId }, document)).matchedCount === 1;
  if (expected) return replace(expected);
  try {
    await collection.insertOne({ ...document, _id: key });
    return true;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    // A removed document left its tombstone under the same key; it makes room.
    return replace({ gone: true });
  }
}

/** Writes one document unless the stored one is newer, whatever versions lie between. What was removed makes room. */
export async function writeIfNewer(context: Context, write: Omit<Write, "expected">, version: number): Promise<SaveResult> {
  const inserted = await writeIf(context, { ...write, expected: null });
  return inserted === "saved" ? inserted : writeIf(context, { ...write, expected: { version: { $lte: version } } });
}

/** The document that replaces a removed one, in one step: the feed tells of the removal, everything else no longer finds it. */
const tombstone = (websiteId: WebsiteId): Record<string, unknown> => ({ w: websiteId, gone: true, counted: true });

export const removeIf = (context: Context, write: Omit<Write, "document" | "expected"> & { version: number }): Promise<SaveResult> =>
  writeIf(context, { ...write, expected: { version: write.version }, document: tombstone(write.websiteId) });

/** Removes documents of one website whatever their versions are. */
export async function removeMany(
  context: Context,
  collection: Collection<Stored>,
  websiteId: WebsiteId,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  const present = { _id: { $in: [...keys] }, w: websiteId, gone: { $exists: false } };
  const found = await allDocuments(collection.find(present).project<{ _id: string }>({ _id: 1 }));
  if (found.length === 0) return;
  const stamps = await takeStamps(context, websiteId, found.length);
  await collection.bulkWrite(
    found.map(({ _id }, index) => ({
      replaceOne: { filter: { _id, w: websiteId }, replacement: { ...tombstone(websiteId), ...stamps[index] } },
    })),
    { ordered: false },
  );
}

/**
 * For visible writes that leave no event behind. The intent is written first and removed last: when the process dies in
 * between, the sweep raises the content version in its place (intents.ts), so that no stale answer is kept for ever.
 */
export async function withIntent(context: Context, websiteId: WebsiteId, write: () => Promise<SaveResult>): Promise<SaveResult> {
  const key = keyOf(websiteId, context.newToken());
  await context.intents.insertOne({ _id: key, w: websiteId, at: context.clock() });
  const result = await write();
  if (result === "saved") await context.onVisibleChange(websiteId);
  await context.intents.deleteOne({ _id: key, w: websiteId });
  return result;
}
