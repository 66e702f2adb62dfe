import { expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";

/** Rules that every table keeps, whoever adds it. */

const database = closedAtEnd(await openTestDatabase());

/** Tables that belong to no tenant: people, what nodes tell each other and have counted, the salts of all readers, the secrets in use, and the list of migrations. */
const NOBODYS = [
  "user",
  "session",
  "account",
  "verification",
  "twoFactor",
  "passkey",
  "connections",
  "oauth_records",
  "connection_spends",
  "signals",
  "usage_batches",
  "reader_salts",
  "server_secrets",
  "install",
  "rate_nodes",
  "rate_ledger_life",
  "rate_buckets",
  "stet_migrations",
];

/** Found or swept without knowing the tenant; each says why where it is made. This list is meant to stay short. */
const EXCEPTIONS = [
  "api_keys_by_hash",
  "invitations_by_token",
  "members_of_user",
  "schedules_due",
  "websites_deleted",
  "websites_elsewhere",
  "workspaces_deleted",
  "posts_pending",
  "posts_rendered",
  "posts_trashed",
  "media_trashed",
  "reader_visitors_old",
  "reader_days_old",
  "website_usage_old",
  "webhook_feeds_behind",
  "webhooks_due",
  "webhook_deliveries_old",
  "events_by_time",
  "tool_calls_budget",
  "tool_calls_old",
  "tool_saves_old",
  "records_beside_old",
  "mails_due",
  "mails_done",
  "imports_silent",
  "media_files_unsettled",
  "moves_due",
];

interface IndexColumn {
  table: string;
  index: string;
  position: number;
  column: string | null;
  collation: string | null;
}

async function indexColumns(): Promise<readonly IndexColumn[]> {
  const { rows } = await database.query<IndexColumn & Record<string, unknown>>({
    text: `SELECT c.relname AS "table", i.relname AS "index", k.position::int, a.attname AS "column", co.collname AS "collation"
           FROM pg_index x
           JOIN pg_class c ON c.oid = x.indrelid
           JOIN pg_class i ON i.oid = x.indexrelid
           JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
           CROSS JOIN LATERAL unnest(x.indkey, x.indcollation) WITH ORDINALITY AS k (attribute, ordering, position)
           LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attribute
           LEFT JOIN pg_collation co ON co.oid = k.ordering
           ORDER BY 1, 2, 3`,
  });
  return rows;
}

test("every key and index of a tenant's table is led by the workspace or the website", async () => {
  const leads = (await indexColumns()).filter((row) => row.position === 1 && !NOBODYS.includes(row.table));
  expect(leads.length).toBeGreaterThan(20);
  const tenantColumn = (row: IndexColumn) =>
    ["workspaces", "websites"].includes(row.table) && row.index.endsWith("_pkey") ? "id" : "workspace_id or website_id";
  const strangers = leads.filter(
    (row) =>
      !EXCEPTIONS.includes(row.index) &&
      !tenantColumn(row)
        .split(" or ")
        .includes(row.column ?? ""),
  );
  expect(strangers).toEqual([]);
  const unused = EXCEPTIONS.filter((name) => !leads.some((row) => row.index === name));
  expect(unused).toEqual([]);
});

test("indexed text compares by byte, whatever the server's locale", async () => {
  const collations = (await indexColumns()).filter((row) => row.collation !== null && row.table !== "stet_migrations");
  expect(collations.filter((row) => row.collation !== "C")).toEqual([]);
});

test("every moment is kept to the millisecond, in UTC", async () => {
  const { rows } = await database.query<{ place: string; type: string }>({
    text: `SELECT table_name || '.' || column_name AS place, data_type || datetime_precision AS type
           FROM information_schema.columns
           WHERE table_schema = 'public' AND data_type LIKE 'time%' AND table_name <> 'stet_migrations'`,
  });
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((row) => row.type !== "timestamp with time zone3")).toEqual([]);
});
