import type { KeyId, WorkspaceId } from "#domain/ids";
import type { Usage, UsageRow } from "#ports/platform";
import type { Queryable } from "../database.ts";
import { sumBy } from "../sum-by.ts";
import { all, one, oneOften, run, type Scope } from "./scope.ts";

export const usage = (scope: Scope): Usage => ({
  async requests(workspaceId, month) {
    const row = await oneOften<{ requests: number }>(scope, "SELECT requests FROM workspace_usage WHERE workspace_id = $1 AND month = $2", [
      workspaceId,
      month,
    ]);
    return row?.requests ?? 0;
  },

  async requestsOfKey(websiteId, keyId, month) {
    const row = await oneOften<{ requests: number }>(
      scope,
      "SELECT requests FROM key_usage WHERE website_id = $1 AND key_id = $2 AND month = $3",
      [websiteId, keyId, month],
    );
    return row?.requests ?? 0;
  },

  async add(rows, batchId) {
    if (rows.length === 0) return { workspaces: new Map(), keys: new Map() };
    return scope.atomically(async (connection) => {
      const isNew = batchId === undefined || (await recordBatch(connection, batchId));
      if (isNew) await addTraffic(connection, rows);
      // Stored before: nothing is added, and the totals are read all the same.
      const counted = isNew ? rows : rows.map((row) => ({ ...row, counted: 0 }));
      return { workspaces: await addToWorkspaces(connection, counted), keys: await addToKeys(connection, counted) };
    });
  },

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

  forgetTraffic: (day, limit) =>
    run(
      scope,
      `DELETE FROM website_usage WHERE ctid = ANY (ARRAY (
         SELECT ctid FROM website_usage WHERE day < $1 ORDER BY day LIMIT $2 FOR UPDATE SKIP LOCKED
       ))`,
      [day, limit],
    ),

  async isWarned(workspaceId, month, percent) {
    const found = await one(scope, "SELECT 1 FROM usage_warnings WHERE workspace_id = $1 AND month = $2 AND percent = $3", [
      workspaceId,
      month,
      percent,
    ]);
    return found !== null;
  },

  async recordWarning(workspaceId, month, percent) {
    await run(scope, "INSERT INTO usage_warnings (workspace_id, month, percent) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", [
      workspaceId,
      month,
      percent,
    ]);
  },
});

/** False when it was stored before. A batch that is sent again is sent within moments; a day is kept to be sure. */
async function recordBatch(connection: Queryable, id: string): Promise<boolean> {
  await run(connection, "DELETE FROM usage_batches WHERE stored_at < now() - interval '1 day'", []);
  return (await run(connection, "INSERT INTO usage_batches (id) VALUES ($1) ON CONFLICT DO NOTHING", [id])) === 1;
}

async function addTraffic(connection: Queryable, rows: readonly UsageRow[]): Promise<void> {
  const sums = sumBy(
    rows,
    ({ websiteId, day, route, statusClass }) => [websiteId, day, route, statusClass],
    ({ requests }) => requests,
  );
  await run(
    connection,
    `INSERT INTO website_usage (website_id, day, route, status_class, requests)
     SELECT * FROM unnest($1::text[], $2::date[], $3::text[], $4::smallint[], $5::bigint[])
     ON CONFLICT (website_id, day, route, status_class) DO UPDATE SET requests = website_usage.requests + excluded.requests`,
    sums.columns,
  );
}

async function addToWorkspaces(connection: Queryable, rows: readonly UsageRow[]): Promise<ReadonlyMap<WorkspaceId, number>> {
  const sums = sumBy(rows, ({ workspaceId, day }) => [workspaceId, monthOf(day)], countedOf);
  const totals = await all<{ id: WorkspaceId; requests: number }>(
    connection,
    `INSERT INTO workspace_usage (workspace_id, month, requests) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
     ON CONFLICT (workspace_id, month) DO UPDATE SET requests = workspace_usage.requests + excluded.requests
     RETURNING workspace_id AS id, requests`,
    sums.columns,
  );
  return new Map(totals.map(({ id, requests }) => [id, requests]));
}

async function addToKeys(connection: Queryable, rows: readonly UsageRow[]): Promise<ReadonlyMap<KeyId, number>> {
  const capped = rows.flatMap(({ keyId, ...row }) => (keyId ? [{ ...row, keyId }] : []));
  if (capped.length === 0) return new Map();
  const sums = sumBy(capped, ({ websiteId, keyId, day }) => [websiteId, keyId, monthOf(day)], countedOf);
  const totals = await all<{ id: KeyId; requests: number }>(
    connection,
    `INSERT INTO key_usage (website_id, key_id, month, requests) SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
     ON CONFLICT (website_id, key_id, month) DO UPDATE SET requests = key_usage.requests + excluded.requests
     RETURNING key_id AS id, requests`,
    sums.columns,
  );
  return new Map(totals.map(({ id, requests }) => [id, requests]));
}

const monthOf = (day: string): string => day.slice(0, 7);
const countedOf = ({ counted }: Pick<UsageRow, "counted">): number => counted;
