import type { RecordBeside, RecordsBeside } from "#ports/records-beside";
import type { Connection } from "./connection.ts";
import { keyset, listPageOf } from "./keyset.ts";
import { json } from "./post-columns.ts";
import { insertRecord, putRecordIfNewer, saveRecord, type StoredRecord } from "./record.ts";
import { removeRecords } from "./remove-records.ts";
import { NOT_MOVED } from "./not-moved.ts";
import { every, raw, sql } from "./sql.ts";

const COLUMNS = raw("website_id, id, kind, target_id, version, open, at, data");

interface Row {
  website_id: RecordBeside["websiteId"];
  id: string;
  kind: RecordBeside["kind"];
  target_id: string;
  version: number;
  open: boolean;
  at: RecordBeside["at"];
  data: RecordBeside["data"];
}

const recordOf = ({ website_id: websiteId, target_id: targetId, id, kind, version, open, at, data }: Row): RecordBeside => ({
  websiteId,
  id,
  kind,
  targetId,
  version,
  open,
  at,
  data,
});

const columnsOf = ({ kind, targetId, version, open, at, data }: RecordBeside): Record<string, unknown> => ({
  kind,
  target_id: targetId,
  version,
  open,
  at,
  data: json(data),
});

const stored = ({ websiteId, id }: RecordBeside): StoredRecord => ({
  table: "records_beside",
  kind: "beside",
  websiteId,
  id,
  visible: false,
});

export function recordsBeside(connection: Connection): RecordsBeside {
  return {
    async get(websiteId, id) {
      const [row] = await connection.prepared<Row>(
        sql`SELECT ${COLUMNS} FROM records_beside WHERE website_id = ${websiteId} AND id = ${id}`,
      );
      return row ? recordOf(row) : null;
    },

    insert: (record) => insertRecord(connection, stored(record), columnsOf(record)),
    save: (record) => saveRecord(connection, { ...stored(record), from: record.version - 1 }, columnsOf(record)),

    putIfNewer: (record) =>
      putRecordIfNewer(connection, stored(record), {
        version: record.version,
        insert: { columns: columnsOf(record) },
        replace: { columns: columnsOf(record) },
      }),

    async list(websiteId, { kind, targetId, open, after, limit }) {
      const { condition, order } = keyset(after, "at", "id", { descending: true, type: "timestamptz" });
      const filters = [condition];
      if (targetId !== undefined) filters.push(sql`target_id = ${targetId}`);
      if (open) filters.push(raw("open"));
      const rows = await connection.rows<Row & { key: string }>(sql`
        SELECT ${COLUMNS}, at AS key FROM records_beside
        WHERE website_id = ${websiteId} AND kind = ${kind} AND ${every(filters)}
        ORDER BY ${order} LIMIT ${limit + 1}`);
      return listPageOf(rows, limit, recordOf);
    },

    async countOpen(websiteId, kind) {
      const [row] = await connection.rows<{ count: number }>(
        sql`SELECT count(*) AS count FROM records_beside WHERE website_id = ${websiteId} AND kind = ${kind} AND open`,
      );
      return row?.count ?? 0;
    },

    delete: (websiteId, ids) => removeRecords(connection, { table: "records_beside", kind: "beside", websiteId }, ids),

    async listClosedBefore(before, limit) {
      const rows = await connection.rows<Pick<Row, "website_id" | "id">>(
        sql`SELECT website_id, id FROM records_beside WHERE at < ${before} AND NOT open AND ${NOT_MOVED} ORDER BY at LIMIT ${limit}`,
      );
      return rows.map(({ website_id: websiteId, id }) => ({ websiteId, id }));
    },
  };
}
