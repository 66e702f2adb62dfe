import { TERM_KINDS, type TermKind } from "@stet/contract";
import { fold } from "#domain/fold";
import type { TermId } from "#domain/ids";
import type { Term } from "#domain/term";
import type { TermStore } from "#ports/term-store";
import { lookUpByKey } from "./look-up-by-key.ts";
import type { Connection } from "./connection.ts";
import { contains, keyset, listPageOf } from "./keyset.ts";
import { json } from "./post-columns.ts";
import { deleteRecord, insertRecord, putRecordIfNewer, type StoredRecord, saveRecord } from "./record.ts";
import { every, raw, sql } from "./sql.ts";

const COLUMNS = raw("website_id, id, kind, version, slug, name, description, profile, past_slugs, merged_into, created_at, updated_at");

interface TermRow {
  website_id: Term["websiteId"];
  id: Term["id"];
  kind: Term["kind"];
  version: number;
  slug: string;
  name: string;
  description: string;
  profile: Term["profile"];
  past_slugs: string[];
  merged_into: Term["mergedInto"];
  created_at: Term["createdAt"];
  updated_at: Term["updatedAt"];
}

const termOf = (row: TermRow): Term => ({
  id: row.id,
  websiteId: row.website_id,
  kind: row.kind,
  version: row.version,
  slug: row.slug,
  name: row.name,
  description: row.description,
  profile: row.profile,
  pastSlugs: row.past_slugs,
  mergedInto: row.merged_into,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const columnsOf = (term: Term): Record<string, unknown> => ({
  kind: term.kind,
  version: term.version,
  slug: term.slug,
  name: term.name,
  name_key: fold(term.name),
  description: term.description,
  profile: json(term.profile),
  past_slugs: term.pastSlugs,
  merged_into: term.mergedInto,
  created_at: term.createdAt,
  updated_at: term.updatedAt,
});

const recordOf = (websiteId: Term["websiteId"], id: TermId): StoredRecord => ({
  table: "terms",
  kind: "term",
  websiteId,
  id,
  visible: true,
});

/** A published post shows it, or one that was merged into it. Two look-ups by key: with one OR inside, all facets would be read. */
const IS_LIVE = raw(`(
  EXISTS (SELECT FROM live_facets WHERE live_facets.website_id = terms.website_id AND facet = terms.id)
  OR EXISTS (
    SELECT FROM terms AS merged JOIN live_facets ON live_facets.website_id = merged.website_id AND facet = merged.id
    WHERE merged.website_id = terms.website_id AND merged.merged_into = terms.id
  )
)`);

export function termStore(connection: Connection): TermStore {
  const find = lookUpByKey<TermId, TermRow, Term>(connection, "terms", COLUMNS, termOf);

  return {
    get: (websiteId, id) => find({ websiteId, id }),

    async getMany(websiteId, ids) {
      const found = await Promise.all([...new Set(ids)].map((id) => find({ websiteId, id })));
      return found.filter((term) => term !== null);
    },

    async listMergedInto(websiteId, id) {
      const rows = await connection.rows<{ id: TermId }>(
        sql`SELECT id FROM terms WHERE website_id = ${websiteId} AND merged_into = ${id} ORDER BY id`,
      );
      return rows.map((row) => row.id);
    },

    async facetGroups(websiteId, ids) {
      if (ids.length === 0) return [];
      const rows = await connection.prepared<{ id: TermId; merged_into: TermId }>(
        sql`SELECT id, merged_into FROM terms WHERE website_id = ${websiteId} AND merged_into = ANY (${ids}) ORDER BY id`,
      );
      const merged = Map.groupBy(rows, (row) => row.merged_into);
      return ids.map((id) => [id, ...(merged.get(id) ?? []).map((row) => row.id)]);
    },

    insert: (term) => insertRecord(connection, recordOf(term.websiteId, term.id), columnsOf(term)),
    save: (term) => saveRecord(connection, { ...recordOf(term.websiteId, term.id), from: term.version - 1 }, columnsOf(term)),
    putIfNewer: (term) =>
      putRecordIfNewer(connection, recordOf(term.websiteId, term.id), {
        version: term.version,
        insert: { columns: columnsOf(term) },
        replace: { columns: columnsOf(term) },
      }),
    delete: (websiteId, id, version) => deleteRecord(connection, { ...recordOf(websiteId, id), from: version }),

    async list(websiteId, { kind, nameContains, onlyLive, after, limit }) {
      const { condition, order } = keyset(after, "name_key", "id", { descending: false, type: "text" });
      const filters = [condition];
      if (nameContains !== undefined) filters.push(contains("name_key", fold(nameContains)));
      if (onlyLive) filters.push(IS_LIVE);
      const rows = await connection.rows<TermRow & { key: string }>(sql`
        SELECT ${COLUMNS}, name_key AS key FROM terms
        WHERE website_id = ${websiteId} AND kind = ${kind} AND merged_into IS NULL AND ${every(filters)}
        ORDER BY ${order} LIMIT ${limit + 1}`);
      return listPageOf(rows, limit, termOf);
    },

    async count(websiteId) {
      const rows = await connection.rows<{ kind: TermKind; count: number }>(
        sql`SELECT kind, count(*) AS count FROM terms WHERE website_id = ${websiteId} AND merged_into IS NULL GROUP BY kind`,
      );
      const counts = Object.fromEntries(TERM_KINDS.map((kind) => [kind, 0])) as Record<TermKind, number>;
      for (const row of rows) counts[row.kind] = row.count;
      return counts;
    },
  };
}
