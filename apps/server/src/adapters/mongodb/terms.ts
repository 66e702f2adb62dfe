import { TERM_KINDS, type TermKind } from "@stet/contract";
import { z } from "zod";
import { fold } from "#domain/fold";
import { isId, type TermId, type WebsiteId } from "#domain/ids";
import type { Term } from "#domain/term";
import type { ListPage } from "#ports/list-page";
import type { TermStore } from "#ports/term-store";
import type { Context, Stored } from "./context.ts";
import { keyOf, partsOf } from "./keys.ts";
import { keepShown } from "./live-posts.ts";
import { containing, readPage } from "./paging.ts";
import { dateOf, line, listOf, mediaId, moment, optional, parsed, termId, userId, webAddress, whole } from "./schemas.ts";
import { readShownPage } from "./read-shown-page.ts";
import { removeIf, withIntent, writeIf, writeIfNewer } from "./writes.ts";
import { allDocuments } from "./read-documents.ts";

const stored = z.object({
  kind: z.enum(TERM_KINDS),
  version: whole,
  slug: line,
  name: line,
  description: line,
  profile: optional(z.object({ url: webAddress, avatarMediaId: optional(mediaId), userId: optional(userId) })),
  pastSlugs: listOf(line),
  mergedInto: optional(termId),
  createdAt: moment,
  updatedAt: moment,
});

function toDocument({ id: _, websiteId, ...term }: Term): Record<string, unknown> {
  return {
    ...term,
    w: websiteId,
    listed: term.mergedInto === null,
    nameKey: fold(term.name),
    createdAt: dateOf(term.createdAt),
    updatedAt: dateOf(term.updatedAt),
  };
}

function idIn(websiteId: WebsiteId, document: Stored): TermId | null {
  const [id = "", ...more] = partsOf(websiteId, document._id) ?? [];
  return more.length === 0 && TERM_KINDS.some((kind) => isId(kind, id)) ? (id as TermId) : null;
}

export function mongoTerms(context: Context): TermStore {
  const { terms } = context;
  const toTerm = (websiteId: WebsiteId, document: Stored): Term | null => {
    const id = idIn(websiteId, document);
    const found = parsed(context, "terms", document, () => (id ? stored.safeParse(document) : null));
    return id && found ? { ...found, id, websiteId } : null;
  };
  const write = (term: Term, expected: { version: number } | null) =>
    withIntent(context, term.websiteId, () =>
      writeIf(context, {
        collection: terms,
        websiteId: term.websiteId,
        key: keyOf(term.websiteId, term.id),
        expected,
        document: toDocument(term),
      }),
    );
  const getMany: TermStore["getMany"] = async (websiteId, ids) => {
    const keys = [...new Set(ids)].map((id) => keyOf(websiteId, id));
    if (keys.length === 0) return [];
    const found = await allDocuments(terms.find({ _id: { $in: keys }, w: websiteId, gone: { $exists: false } }), keys.length);
    return found.map((document) => toTerm(websiteId, document)).filter((term) => term !== null);
  };
  const mergedInto = async (websiteId: WebsiteId, ids: readonly TermId[]) => {
    const found = await allDocuments(terms.find({ w: websiteId, mergedInto: { $in: [...ids] } }).project<Stored>({ mergedInto: 1 }));
    return found.flatMap((document) => {
      const id = idIn(websiteId, document);
      return id ? [{ id, target: document.mergedInto }] : [];
    });
  };
  const facetGroups: TermStore["facetGroups"] = async (websiteId, ids) => {
    if (ids.length === 0) return [];
    const merged = Map.groupBy(await mergedInto(websiteId, ids), ({ target }) => target);
    return ids.map((id) => [id, ...(merged.get(id) ?? []).map((term) => term.id).toSorted()]);
  };
  return {
    async get(websiteId, id) {
      return (await getMany(websiteId, [id]))[0] ?? null;
    },
    getMany,
    async listMergedInto(websiteId, id) {
      return (await mergedInto(websiteId, [id])).map((merged) => merged.id);
    },
    facetGroups,
    insert: (term) => write(term, null),
    save: (term) => write(term, { version: term.version - 1 }),
    putIfNewer: (term) =>
      writeIfNewer(
        context,
        { collection: terms, websiteId: term.websiteId, key: keyOf(term.websiteId, term.id), document: toDocument(term) },
        term.version,
      ),
    delete: (websiteId, id, version) =>
      withIntent(context, websiteId, () => removeIf(context, { collection: terms, websiteId, key: keyOf(websiteId, id), version })),
    list(websiteId, query) {
      const part = fold(query.nameContains ?? "");
      const page = (after: typeof query.after): Promise<ListPage<Term>> =>
        readPage(
          terms,
          {
            filter: { w: websiteId, kind: query.kind, listed: true },
            conditions: part === "" ? [] : [{ nameKey: containing(part) }],
            order: { field: "nameKey", type: "text", descending: false },
            prefix: `${websiteId}/`,
            after,
            limit: query.limit,
          },
          (document) => toTerm(websiteId, document),
        );
      if (!query.onlyLive) return page(query.after);
      const keep = async (rows: readonly Term[]) => {
        const groups = await facetGroups(
          websiteId,
          rows.map((term) => term.id),
        );
        return keepShown(context, websiteId, rows, (_, index) => groups[index]!);
      };
      return readShownPage({
        page,
        keep,
        afterRow: (term) => ({ key: fold(term.name), id: term.id }),
        after: query.after,
        limit: query.limit,
      });
    },
    async count(websiteId) {
      const groups = await allDocuments(
        terms.aggregate<{ _id: unknown; count: number }>([
          { $match: { w: websiteId, listed: true } },
          { $group: { _id: "$kind", count: { $sum: 1 } } },
        ]),
      );
      const counts = new Map(groups.map(({ _id, count }) => [_id, count]));
      return Object.fromEntries(TERM_KINDS.map((kind) => [kind, counts.get(kind) ?? 0])) as Record<TermKind, number>;
    },
  };
}
