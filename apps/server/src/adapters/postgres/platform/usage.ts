import type { KeyId, WorkspaceId } from "#domain/ids";
import type { Usage, UsageRow } from "#ports/platform";
import type { Queryable } from "../database.ts";
import { all, one, run, type Scope } from "./scope.ts";

export const usage = (scope: Scope): Usage => ({
  async requests(workspaceId, month) {
    const row = await one<{ requests: number }>(scope, "SELECT requests FROM workspace_usage WHERE workspace_id = $1 AND month = $2", [
      workspaceId,
      month,
    ]);
    return row?.requests ?? 0;
  },

  async requestsOfKey(websiteId, keyId, month) {
    const row = await one<{ requests: number }>(
      scope,
      "SELECT requests FROM key_usage WHERE website_id = $1 AND key_id = $2 AND month = $3",
      [websiteId, keyId, month],
    );
    return row?.requests ?? 0;
  },

  add: (rows, batchId) =>
    scope.atomically(async (connection) => {
      const isNew = batchId === undefined || (await recordBatch(connection, batchId));
      if (isNew) await addTraffic(connection, rows);
      // Stored before: nothing is added, and the totals are read all the same.
      const counted = isNew ? rows : rows.map((row) => ({ ...row, counted: 0 }));
      return { workspaces: await addToWorkspaces(connection, counted), keys: await addToKeys(connection, counted) };
    }),

  async touchKeys(used) {
    if (used.length === 0) return;
    await run(
      scope,
      `UPDATE api_keys SET last_used_at = greatest(last_used_at, used.at)
       FROM unnest($1::text[], $2::text[], $3::timestamptz[]) AS used (website_id, id, at)
       WHERE api_keys.website_id = used.website_id AND api_keys.id = used.id`,
      [used.map((use) => use.websiteId), used.map((use) => use.keyId), used.map((use) => use.at)],
    );
  },

  traffic: (websiteId, since) =>
    all(
      scope,
      `SELECT to_char(day, 'YYYY-MM-DD') AS day, route, status_class AS "statusClass", requests
       FROM website_usage WHERE website_id = $1 AND day >= $2::date ORDER BY day, route, status_class`,
      [websiteId, since],
    ),

  async claimWarning(workspaceId, month, percent) {
    const claimed = await run(
      scope,
      "INSERT INTO usage_warnings (workspace_id, month, percent) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
      [workspaceId, month, percent],
    );
    return claimed === 1;
  },
});

/** False when it was stored before. A batch that is sent again is sent within moments; a day is kept to be sure. */
async function recordBatch(connection: Queryable, id: string): Promise<boolean> {
  await run(connection, "DELETE FROM usage_batches WHERE stored_at < now() - interval '1 day'", []);
  return (await run(connection, "INSERT INTO usage_batches (id) VALUES ($1) ON CONFLICT DO NOTHING", [id])) === 1;
}

/** Always in the same order, here and below: two nodes that count the same websites must not wait for each other in a ring. */
const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

async function addTraffic(connection: Queryable, rows: readonly UsageRow[]): Promise<void> {
  const sums = new Map<string, UsageRow & { requests: number }>();
  for (const row of rows) {
    const key = `${row.websiteId} ${row.day} ${row.route} ${row.statusClass}`;
    const sum = sums.get(key);
    sums.set(key, { ...row, requests: (sum?.requests ?? 0) + row.requests });
  }
  const sorted = [...sums].toSorted(([left], [right]) => byText(left, right)).map(([, row]) => row);
  await run(
    connection,
    `INSERT INTO website_usage (website_id, day, route, status_class, requests)
     SELECT * FROM unnest($1::text[], $2::date[], $3::text[], $4::smallint[], $5::bigint[])
     ON CONFLICT (website_id, day, route, status_class) DO UPDATE SET requests = website_usage.requests + excluded.requests`,
    [
      sorted.map((row) => row.websiteId),
      sorted.map((row) => row.day),
      sorted.map((row) => row.route),
      sorted.map((row) => row.statusClass),
      sorted.map((row) => row.requests),
    ],
  );
}

async function addToWorkspaces(connection: Queryable, rows: readonly UsageRow[]): Promise<ReadonlyMap<WorkspaceId, number>> {
  const sums = new Map<string, number>();
  for (const row of rows) add(sums, `${row.workspaceId} ${row.day.slice(0, 7)}`, row.counted);
  const sorted = [...sums]
    .toSorted(([left], [right]) => byText(left, right))
    .map(([key, counted]) => [...key.split(" "), counted] as const);
  const totals = await all<{ id: WorkspaceId; requests: number }>(
    connection,
    `INSERT INTO workspace_usage (workspace_id, month, requests) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
     ON CONFLICT (workspace_id, month) DO UPDATE SET requests = workspace_usage.requests + excluded.requests
     RETURNING workspace_id AS id, requests`,
    [sorted.map(([id]) => id), sorted.map(([, month]) => month), sorted.map(([, , counted]) => counted)],
  );
  return new Map(totals.map(({ id, requests }) => [id, requests]));
}

async function addToKeys(connection: Queryable, rows: readonly UsageRow[]): Promise<ReadonlyMap<KeyId, number>> {
  const sums = new Map<string, number>();
  for (const row of rows) if (row.keyId) add(sums, `${row.websiteId} ${row.keyId} ${row.day.slice(0, 7)}`, row.counted);
  if (sums.size === 0) return new Map();
  const sorted = [...sums]
    .toSorted(([left], [right]) => byText(left, right))
    .map(([key, counted]) => [...key.split(" "), counted] as const);
  const totals = await all<{ id: KeyId; requests: number }>(
    connection,
    `INSERT INTO key_usage (website_id, key_id, month, requests) SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
     ON CONFLICT (website_id, key_id, month) DO UPDATE SET requests = key_usage.requests + excluded.requests
     RETURNING key_id AS id, requests`,
    [0, 1, 2, 3].map((column) => sorted.map((row) => row[column])),
  );
  return new Map(totals.map(({ id, requests }) => [id, requests]));
}

const add = (sums: Map<string, number>, key: string, count: number): void => void sums.set(key, (sums.get(key) ?? 0) + count);
