import type { WebsiteId } from "#domain/ids";
import type { RecordKind, SaveResult } from "#ports/content-store";
import type { Runner } from "./connection.ts";
import { type Fragment, join, nothing, raw, sql } from "./sql.ts";
import { counted, fed } from "./write.ts";

/** An aggregate in a table of its own, keyed by website and id, with a version. */
export interface StoredRecord {
  readonly table: "posts" | "terms" | "media";
  readonly kind: RecordKind;
  readonly websiteId: WebsiteId;
  readonly id: string;
  readonly visible: boolean;
}

/** Further steps of the same statement, each `name AS (…)`. They read `saved`: one row if the record was written, else none. */
export type Steps = readonly Fragment[];

const resultOf = (rows: readonly unknown[]): SaveResult => (rows.length > 0 ? "saved" : "stale");
const withSteps = (steps: Steps): Fragment => join([nothing, ...steps], ",\n");

/** Inserts it unless the id exists. One statement, so one round trip and one transaction. */
export async function insertRecord(
  runner: Runner,
  record: StoredRecord,
  columns: Readonly<Record<string, unknown>>,
  steps: Steps = [],
): Promise<SaveResult> {
  const { websiteId, id, visible } = record;
  const table = raw(record.table);
  const exists = sql`SELECT FROM ${table} WHERE website_id = ${websiteId} AND id = ${id}`;
  const names = join(Object.keys(columns).map(raw), ", ");
  const values = join(
    Object.values(columns).map((value) => sql`${value}`),
    ", ",
  );
  const rows = await runner.prepared(sql`
    WITH ${counted(websiteId, { visible, condition: sql`NOT EXISTS (${exists})` })},
    saved AS (
      INSERT INTO ${table} (website_id, id, ${names}) SELECT ${websiteId}, ${id}, ${values} FROM counted
      ON CONFLICT (website_id, id) DO NOTHING
      RETURNING id
    ),
    fed AS (${fed(record, raw("saved"))})
    ${withSteps(steps)}
    SELECT FROM saved`);
  return resultOf(rows);
}

/** Replaces the columns if the stored version is `from`. Steps may also read `before`: the row as it was (`keeping` names its columns). */
export async function saveRecord(
  runner: Runner,
  record: StoredRecord & {
    readonly from: number;
    /** A further condition on the stored row. */
    readonly only?: Fragment;
    /** How many records the statement writes, with those of its steps; the record itself has the last number of the change feed. */
    readonly records?: number;
  },
  columns: Readonly<Record<string, unknown>>,
  steps: Steps = [],
  keeping: Fragment = raw("id"),
): Promise<SaveResult> {
  const { websiteId, id, visible, from, only = raw("true") } = record;
  const table = raw(record.table);
  const assignments = join(
    Object.entries(columns).map(([name, value]) => sql`${raw(name)} = ${value}`),
    ", ",
  );
  // The version is compared twice: here without a lock, so that a stale save does not raise anything; and on the locked row.
  const rows = await runner.prepared(sql`
    WITH before AS (
      SELECT ${keeping} FROM ${table} WHERE website_id = ${websiteId} AND id = ${id} AND version = ${from} AND ${only}
    ),
    ${counted(websiteId, { visible, records: record.records ?? 1, condition: sql`EXISTS (SELECT FROM before)` })},
    saved AS (
      UPDATE ${table} SET ${assignments} FROM counted
      WHERE ${table}.website_id = ${websiteId} AND ${table}.id = ${id} AND ${table}.version = ${from}
      RETURNING ${table}.id
    ),
    fed AS (${fed(record, raw("saved"))})
    ${withSteps(steps)}
    SELECT FROM saved`);
  return resultOf(rows);
}

/** Removes it if the stored version is `from`; the change feed keeps that it was there. */
export async function deleteRecord(
  runner: Runner,
  record: Omit<StoredRecord, "visible"> & { readonly from: number; readonly visible: boolean | Fragment },
  steps: Steps = [],
  keeping: Fragment = raw("id"),
): Promise<SaveResult> {
  const { websiteId, id, visible, from } = record;
  const table = raw(record.table);
  const rows = await runner.prepared(sql`
    WITH before AS (
      SELECT ${keeping} FROM ${table} WHERE website_id = ${websiteId} AND id = ${id} AND version = ${from}
    ),
    ${counted(websiteId, { visible, condition: sql`EXISTS (SELECT FROM before)` })},
    saved AS (
      DELETE FROM ${table} USING counted
      WHERE ${table}.website_id = ${websiteId} AND ${table}.id = ${id} AND ${table}.version = ${from}
      RETURNING ${table}.id
    ),
    fed AS (${fed({ ...record, removed: true }, raw("saved"))})
    ${withSteps(steps)}
    SELECT FROM saved`);
  return resultOf(rows);
}
