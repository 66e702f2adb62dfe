import type { WebsiteId } from "#domain/ids";
import type { RecordKind } from "#ports/change-feed";
import type { SaveResult } from "#ports/save-result";
import type { Connection, Runner } from "./connection.ts";
import { type Fragment, join, nothing, raw, sql } from "./sql.ts";
import { addToFeed, type FedRecord, takeChangeNumbers, takeUnseenNumbers } from "./change-numbers.ts";

/** An aggregate in a table of its own, keyed by website and id, with a version. */
export interface StoredRecord {
  readonly table: "posts" | "terms" | "media" | "records_beside";
  readonly kind: RecordKind;
  readonly websiteId: WebsiteId;
  readonly id: string;
  readonly visible: boolean;
}

/** Further steps of the same statement, each `name AS (…)`. They read `saved`: one row if the record was written, else none. */
export type Steps = readonly Fragment[];

const resultOf = (rows: readonly unknown[]): SaveResult => (rows.length > 0 ? "saved" : "stale");
const withSteps = (steps: Steps): Fragment => join([nothing, ...steps], ",\n");

/** A write that concerns more than the record. */
export interface Around {
  /** Written by one of its steps whenever the record is: it is entered into the change feed before it. */
  readonly another?: FedRecord | null;
  /** A further condition on writing anything, as far as can be seen yet. */
  readonly when?: Fragment;
  /** A step `claimed AS (…)` that reads `counted`; the record is written only if it answers a row. */
  readonly claim?: Fragment | null;
}

const andWhen = (condition: Fragment, when?: Fragment): Fragment => (when ? sql`${condition} AND ${when}` : condition);
const claimStep = (claim?: Fragment | null): Fragment => (claim ? sql`${claim},` : nothing);
const gate = (claim?: Fragment | null): Fragment => raw(claim ? "counted, claimed" : "counted");

/** Inserts it unless the id exists. One statement, so one round trip and one transaction. */
export const insertRecord = async (
  runner: Runner,
  record: StoredRecord,
  columns: Readonly<Record<string, unknown>>,
  steps: Steps = [],
): Promise<SaveResult> => resultOf(await runner.prepared(sql`${inserting(record, columns, steps)} SELECT FROM saved`));

/** The steps of that statement. */
export function inserting(
  record: StoredRecord,
  columns: Readonly<Record<string, unknown>>,
  steps: Steps,
  { another, when, claim }: Around = {},
): Fragment {
  const { websiteId, id, visible } = record;
  const table = raw(record.table);
  const exists = sql`SELECT FROM ${table} WHERE website_id = ${websiteId} AND id = ${id}`;
  const names = join(Object.keys(columns).map(raw), ", ");
  const values = join(
    Object.values(columns).map((value) => sql`${value}`),
    ", ",
  );
  return sql`
    WITH ${takeChangeNumbers(websiteId, { visible, records: another ? 2 : 1, condition: andWhen(sql`NOT EXISTS (${exists})`, when) })},
    ${claimStep(claim)}
    saved AS (
      INSERT INTO ${table} (website_id, id, ${names}) SELECT ${websiteId}, ${id}, ${values} FROM ${gate(claim)}
      ON CONFLICT (website_id, id) DO NOTHING
      RETURNING id
    ),
    fed AS (${addToFeed(record, raw("saved"), another)})
    ${withSteps(steps)}`;
}

/** Replaces the columns if the stored version is `from`. Steps may also read `before`: the row as it was (`keeping` names its columns). */
export const saveRecord = async (
  runner: Runner,
  record: ChangedRecord,
  columns: Readonly<Record<string, unknown>>,
  steps: Steps = [],
  keeping: Fragment = raw("id"),
): Promise<SaveResult> => resultOf(await runner.prepared(sql`${saving(record, columns, steps, keeping)} SELECT FROM saved`));

interface ChangedRecord extends StoredRecord {
  readonly from: number;
  /** A further condition on the stored row. */
  readonly only?: Fragment;
}

/** The steps of that statement. */
export function saving(
  record: ChangedRecord,
  columns: Readonly<Record<string, unknown>>,
  steps: Steps,
  keeping: Fragment,
  around: Around = {},
): Fragment {
  const { websiteId, visible } = record;
  const condition = andWhen(raw("EXISTS (SELECT FROM before)"), around.when);
  return sql`
    WITH before AS (${unchanged(record, keeping)}),
    ${takeChangeNumbers(websiteId, { visible, records: around.another ? 2 : 1, condition })},
    ${replacing(record, columns, steps, around)}`;
}

/** The same for a change that no key sees; no step may read `before`. Where a website has no counters it writes nothing. */
export function savingUnseen(
  record: Omit<ChangedRecord, "visible">,
  columns: Readonly<Record<string, unknown>>,
  steps: Steps,
  around: Around,
): Fragment {
  const condition = andWhen(sql`EXISTS (${unchanged(record, nothing)})`, around.when);
  return sql`
    WITH ${takeUnseenNumbers(record.websiteId, { records: around.another ? 2 : 1, condition })},
    ${replacing(record, columns, steps, around)}`;
}

/** The version is compared twice: here without a lock, so that a stale save does not raise anything; and on the locked row. */
const unchanged = ({ table, websiteId, id, from, only = raw("true") }: Omit<ChangedRecord, "visible">, columns: Fragment): Fragment =>
  sql`SELECT ${columns} FROM ${raw(table)} WHERE website_id = ${websiteId} AND id = ${id} AND version = ${from} AND ${only}`;

function replacing(
  record: Omit<ChangedRecord, "visible">,
  columns: Readonly<Record<string, unknown>>,
  steps: Steps,
  { another, claim }: Around,
): Fragment {
  const { websiteId, id, from } = record;
  const table = raw(record.table);
  const assignments = join(
    Object.entries(columns).map(([name, value]) => sql`${raw(name)} = ${value}`),
    ", ",
  );
  return sql`
    ${claimStep(claim)}
    saved AS (
      UPDATE ${table} SET ${assignments} FROM ${gate(claim)}
      WHERE ${table}.website_id = ${websiteId} AND ${table}.id = ${id} AND ${table}.version = ${from}
      RETURNING ${table}.id
    ),
    fed AS (${addToFeed(record, raw("saved"), another)})
    ${withSteps(steps)}`;
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
    ${takeChangeNumbers(websiteId, { visible, condition: sql`EXISTS (SELECT FROM before)` })},
    saved AS (
      DELETE FROM ${table} USING counted
      WHERE ${table}.website_id = ${websiteId} AND ${table}.id = ${id} AND ${table}.version = ${from}
      RETURNING ${table}.id
    ),
    fed AS (${addToFeed({ ...record, removed: true }, raw("saved"))})
    ${withSteps(steps)}
    SELECT FROM saved`);
  return resultOf(rows);
}

interface Put {
  readonly version: number;
  /** For a record that is not there yet. */
  readonly insert: { readonly columns: Readonly<Record<string, unknown>>; readonly steps?: Steps };
  /** For one that is. */
  readonly replace: { readonly columns: Readonly<Record<string, unknown>>; readonly steps?: Steps; readonly keeping?: Fragment };
}

/** Writes it unless the stored one is newer. The counters are held from the beginning, so nobody else writes in between. */
export const putRecordIfNewer = (
  connection: Connection,
  record: Omit<StoredRecord, "visible">,
  { version, insert, replace }: Put,
): Promise<SaveResult> =>
  connection.transaction(async (runner) => {
    const { websiteId, id } = record;
    await runner.rows(sql`SELECT FROM website_content WHERE website_id = ${websiteId} FOR UPDATE`);
    const [stored] = await runner.rows<{ version: number }>(
      sql`SELECT version FROM ${raw(record.table)} WHERE website_id = ${websiteId} AND id = ${id}`,
    );
    const hidden = { ...record, visible: false };
    if (!stored) return insertRecord(runner, hidden, insert.columns, insert.steps);
    if (stored.version > version) return "stale";
    return saveRecord(runner, { ...hidden, from: stored.version }, replace.columns, replace.steps, replace.keeping);
  });
