import { TERM_KINDS } from "@stet/contract";
import { isId, type WebsiteId } from "#domain/ids";
import { type Context, type Stored, sweptWebsites } from "./context.ts";
import { recount } from "./facet-counts.ts";
import { LEFT_BEHIND_MS } from "./intents.ts";
import { partsOf, websiteOf } from "./keys.ts";
import { sweep } from "./paging.ts";
import { allDocuments } from "./read-documents.ts";

/** Terms that are counted in one step. */
const TERMS_AT_ONCE = 10;

/**
 * Counts the terms of websites whose posts an earlier version wrote, or a node of it that still runs: such posts lack the mark that each
 * of ours has. They are marked first and counted then, so that one that is written meanwhile is found again. Answers how much it did.
 */
export async function countOlder(context: Context, limit: number): Promise<number> {
  const settled = await settleCounts(context, limit);
  const swept = await sweptWebsites(context);
  const unmarked = { counted: { $exists: false } };
  const found = await sweep(
    context.posts,
    { filter: { ...swept, ...unmarked }, sort: { _id: 1 }, limit, projection: { _id: 1 } },
    ({ _id }) => (websiteOf(_id) ? _id : null),
  );
  if (found.length > 0) {
    const websites = [...new Set(found.map((key) => websiteOf(key)!))];
    await context.counters.updateMany({ _id: { $in: websites }, w: { $in: websites } }, { $unset: { counted: "", countedTo: "" } });
    await context.posts.updateMany({ _id: { $in: found }, w: { $in: websites }, ...unmarked }, { $set: { counted: true } });
    return found.length;
  }
  const websiteFilter = context.only === null ? { ...(swept.w && { _id: swept.w }) } : { _id: context.only };
  const website = await context.counters.findOne({ ...websiteFilter, counted: { $exists: false } } as object);
  return website && isId("website", website._id) ? Math.max(1, await countNext(context, website)) : settled;
}

/** The next terms of a website; after the last one its counts are relied on. */
async function countNext(context: Context, { _id, countedTo }: Stored): Promise<number> {
  const websiteId = _id as WebsiteId;
  const from = typeof countedTo === "string" ? countedTo : `${websiteId}/`;
  const terms = await allDocuments(
    context.terms
      .find({ w: websiteId, _id: { $gt: from, $lt: `${websiteId}0` } })
      .sort({ _id: 1 })
      .limit(TERMS_AT_ONCE)
      .project<Stored>({ _id: 1 }),
  );
  for (const term of terms) {
    const [id = ""] = partsOf(websiteId, term._id) ?? [];
    if (TERM_KINDS.some((kind) => isId(kind, id)) && !(await recount(context, websiteId, id))) return terms.length;
  }
  // Posts that lost their mark meanwhile make it begin anew.
  const same = { _id: websiteId, w: websiteId, countedTo: countedTo ?? { $exists: false } } as object;
  const last = terms.at(-1)?._id;
  await context.counters.updateOne(
    same,
    terms.length === TERMS_AT_ONCE ? { $set: { countedTo: last } } : { $set: { counted: true }, $unset: { countedTo: "" } },
  );
  return terms.length;
}

/** Counts anew what writers left behind who died between a post and its counts. */
async function settleCounts(context: Context, limit: number): Promise<number> {
  const before = new Date(context.clock().getTime() - LEFT_BEHIND_MS);
  const left = await sweep(
    context.intents,
    { filter: { ...(await sweptWebsites(context)), since: { $lt: before } }, sort: { since: 1 }, limit },
    (document) => (websiteOf(document._id) && Array.isArray(document.terms) ? document : null),
  );
  let settled = 0;
  for (const note of left) {
    const websiteId = websiteOf(note._id)!;
    let isDone = true;
    for (const term of note.terms as unknown[]) isDone = (typeof term !== "string" || (await recount(context, websiteId, term))) && isDone;
    if (!isDone) continue;
    await context.onVisibleChange(websiteId);
    await context.intents.deleteOne({ _id: note._id, w: websiteId });
    settled += 1;
  }
  return settled;
}
