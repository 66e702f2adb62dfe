import type { Collection, Filter } from "mongodb";
import { isId, type WebsiteId } from "#domain/ids";
import type { Change, RecordKind } from "#ports/change-feed";
import type { Context, Stored } from "./context.ts";
import { keyOf, partsOf } from "./keys.ts";
import { idsOf } from "./revision-document.ts";
import { allDocuments } from "./read-documents.ts";

/** A document as the feed sees it; without a change where it is none of ours. */
export interface Row {
  readonly key: string;
  readonly seq: number;
  readonly seqAt: number;
  readonly change: Change | null;
}

/** These numbers, also where somebody wrote what is none of ours, such as 1.5, which counts as the number after it. */
export const between = (from: number, to: number): Filter<Stored> => ({ seq: { $gt: from - 1, $lte: to } });

export const kindsOf = (context: Context): readonly (readonly [RecordKind, Collection<Stored>])[] => [
  ["post", context.posts],
  ["term", context.terms],
  ["media", context.media],
  ["revision", context.revisions],
  ["beside", context.beside],
];

export interface Rows {
  readonly rows: readonly Row[];
  /** There were no more. */
  readonly areAll: boolean;
}
/** More rows of one number than anybody makes by hand. */
const MOST_OF_A_NUMBER = 100_000;

/**
 * Up to `limit` rows by number. A cursor stands behind a number: rows that share one, because somebody cloned documents, come together, and
 * where more share it than fit they come all the same.
 */
export async function rowsWhere(context: Context, websiteId: WebsiteId, where: Filter<Stored>, limit: number): Promise<Rows> {
  const rows = await findRows(context, websiteId, { where, sort: "seq", limit: limit + 1 });
  if (rows.length <= limit) return { rows, areAll: true };
  const next = rows[limit]!.seq;
  const before = rows.slice(0, limit).filter(({ seq }) => seq < next);
  if (before.length > 0) return { rows: before, areAll: false };
  const shared = { where: between(next, next), sort: "seq", limit: MOST_OF_A_NUMBER } as const;
  return { rows: await findRows(context, websiteId, shared), areAll: false };
}

/**
 * Up to `limit` rows of the website that no number of the feed leads to, by their keys: ours, but written by somebody who gave them no number,
 * or one that was not given out yet.
 */
export function strayRows(
  context: Context,
  websiteId: WebsiteId,
  after: string | null,
  limit: number,
  last: number,
): Promise<readonly Row[]> {
  const where = {
    // Between "/" and "0", the sign after it, lie exactly the keys of the website.
    _id: { $gt: after ?? keyOf(websiteId, ""), $lt: `${websiteId}0` },
    $or: [{ seq: { $not: { $gt: 0 } } }, { seq: { $gt: last } }],
  };
  return findRows(context, websiteId, { where, sort: "_id", limit });
}

async function findRows(
  context: Context,
  websiteId: WebsiteId,
  { where, sort, limit }: { where: Filter<Stored>; sort: "seq" | "_id"; limit: number },
): Promise<readonly Row[]> {
  const found = await Promise.all(
    kindsOf(context).map(async ([kind, collection]) => {
      const documents = await allDocuments(
        collection
          .find({ ...where, w: websiteId })
          .sort({ [sort]: 1 })
          .limit(limit)
          .project<Stored>({ seq: 1, seqAt: 1, gone: 1 }),
        limit,
      );
      return documents.map((document) => rowOf(websiteId, kind, document));
    }),
  );
  return found.flat().toSorted((a, b) => (sort === "seq" ? a.seq - b.seq : a.key < b.key ? -1 : 1));
}

function rowOf(websiteId: WebsiteId, kind: RecordKind, { _id, seq, seqAt, gone }: Stored): Row {
  const ids = kind === "revision" ? idsOf(websiteId, _id) : idOf(websiteId, kind, _id);
  const change = ids && { kind, ...ids, removed: gone === true };
  return { key: _id, seq: Math.ceil(Number(seq)), seqAt: seqAt instanceof Date ? seqAt.getTime() : Number.POSITIVE_INFINITY, change };
}

const ID_KINDS = { post: ["post"], term: ["category", "tag", "author"], media: ["media"], beside: ["suggestion", "change"] } as const;

function idOf(websiteId: WebsiteId, kind: keyof typeof ID_KINDS, key: string): { id: string } | null {
  const [id = ""] = partsOf(websiteId, key) ?? [];
  return ID_KINDS[kind].some((prefix) => isId(prefix, id)) && key === keyOf(websiteId, id) ? { id } : null;
}
