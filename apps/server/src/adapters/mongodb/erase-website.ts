import type { WebsiteId } from "#domain/ids";
import type { Collections } from "./context.ts";
import { allDocuments } from "./read-documents.ts";

/** The counter goes last: as long as a record is left, its website still has a sequence. */
const ORDER = [
  "posts",
  "revisions",
  "terms",
  "media",
  "beside",
  "claims",
  "counts",
  "intents",
  "counters",
] as const satisfies readonly (keyof Collections)[];

/** Removes up to `limit` documents of the website, tombstones too; true when nothing is left. */
export async function eraseWebsite(collections: Collections, websiteId: WebsiteId, limit: number): Promise<boolean> {
  let room = limit;
  for (const name of ORDER) {
    const collection = collections[name];
    const found = await allDocuments(
      collection
        .find({ w: websiteId })
        .limit(room + 1)
        .project<{ _id: string }>({ _id: 1 }),
    );
    const keys = found.slice(0, room).map(({ _id }) => _id);
    if (keys.length > 0) await collection.deleteMany({ _id: { $in: keys }, w: websiteId });
    if (found.length > keys.length) return false;
    room -= keys.length;
  }
  return true;
}
