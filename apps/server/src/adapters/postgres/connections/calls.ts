import { fail } from "#domain/failure";
import type { ToolCall } from "#domain/connection";
import type { GrantId, ToolCallId, WebsiteId, WorkspaceId } from "#domain/ids";
import { isTimestamp, type Timestamp } from "#domain/time";
import type { ChangedThing, Connections } from "#ports/connections";
import type { Database } from "../database.ts";
import { storableVersion } from "./storable-version.ts";

interface Row extends Record<string, unknown> {
  id: ToolCallId;
  workspace_id: WorkspaceId;
  website_id: WebsiteId | null;
  connection_id: GrantId;
  at: Timestamp;
  tool: string;
  target_id: string | null;
  target_label: string | null;
  refusal: string | null;
  before_version: number | null;
  after_version: number | null;
}

const COLUMNS = "workspace_id, at, id, website_id, connection_id, tool, target_id, target_label, refusal, before_version, after_version";

const callOf = (row: Row): ToolCall => ({
  id: row.id,
  workspaceId: row.workspace_id,
  websiteId: row.website_id,
  connectionId: row.connection_id,
  at: row.at,
  tool: row.tool,
  target: row.target_id === null ? null : { id: row.target_id, label: row.target_label ?? "" },
  refusal: row.refusal,
  before: row.before_version,
  after: row.after_version,
});

/** How the ids of terms and images begin. */
const THINGS = ["cat", "tag", "author", "media"];

type Calls = Pick<Connections, "log" | "listCalls" | "listThings" | "forgetCalls">;

export const calls = (database: Database): Calls => ({
  async log(...lines) {
    const row = (call: ToolCall): unknown[] => [
      call.workspaceId,
      call.at,
      call.id,
      call.websiteId,
      call.connectionId,
      call.tool,
      call.target?.id ?? null,
      call.target?.label ?? null,
      call.refusal,
      call.before === null ? null : storableVersion(call.before),
      call.after === null ? null : storableVersion(call.after),
    ];
    const columns = lines.map(row);
    if (columns.length === 0) return;
    await database.query({
      text: `INSERT INTO tool_calls (${COLUMNS}) SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[],
               $6::text[], $7::text[], $8::text[], $9::text[], $10::integer[], $11::integer[])
             ON CONFLICT DO NOTHING`,
      values: columns[0]!.map((_, index) => columns.map((values) => values[index])),
    });
  },

  async listCalls(workspaceId, { connectionId, since, onlyChanges, after, limit }) {
    const values: unknown[] = [workspaceId];
    const conditions = ["workspace_id = $1"];
    if (connectionId) conditions.push(`connection_id = $${values.push(connectionId)}`);
    if (since) conditions.push(`at >= $${values.push(since)}`);
    if (onlyChanges) conditions.push("refusal IS NULL AND after_version IS NOT NULL");
    if (after) {
      if (!isTimestamp(after.key)) throw fail("INVALID_CURSOR", "This cursor was altered. Start again without a cursor.");
      conditions.push(`(at, id) < ($${values.push(after.key)}, $${values.push(after.id)})`);
    }
    const { rows } = await database.query<Row>({
      text: `SELECT ${COLUMNS} FROM tool_calls WHERE ${conditions.join(" AND ")} ORDER BY at DESC, id DESC LIMIT $${values.push(limit + 1)}`,
      values,
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return { rows: page.map(callOf), next: rows.length > limit && last ? { key: last.at, id: last.id } : null };
  },

  async listThings(workspaceId, id, { since, until, after, limit }) {
    // Written before the change, so that none is missing; the log has the names.
    const { rows } = await database.query<ChangedThing & Record<string, unknown>>({
      text: `SELECT website_id AS "websiteId", target_id AS id, max(label) AS label
             FROM (
               SELECT website_id, target_id, (array_agg(target_label ORDER BY at DESC))[1] AS label
               FROM tool_calls
               WHERE workspace_id = $1 AND connection_id = $2 AND at >= $3 AND at <= $4 AND refusal IS NULL AND after_version IS NOT NULL
                 AND website_id IS NOT NULL AND split_part(target_id, '_', 1) = ANY ($5)
               GROUP BY website_id, target_id
               UNION ALL
               SELECT website_id, post_id, '' FROM tool_saves
               WHERE website_id IN (SELECT id FROM websites WHERE workspace_id = $1) AND connection_id = $2 AND actor_id = $2
                 AND at >= $3 AND at <= $4 AND split_part(post_id, '_', 1) = ANY ($5)
             ) AS changed
             WHERE (website_id, target_id) > ($6, $7)
             GROUP BY website_id, target_id ORDER BY website_id, target_id LIMIT $8`,
      values: [workspaceId, id, since, until, THINGS, after?.websiteId ?? "", after?.id ?? "", limit],
    });
    return rows;
  },

  async forgetCalls(before, limit) {
    const { rowCount } = await database.query({
      text: `DELETE FROM tool_calls WHERE (workspace_id, at, id) IN
               (SELECT workspace_id, at, id FROM tool_calls WHERE at < $1 ORDER BY at LIMIT $2)`,
      values: [before, limit],
    });
    const saves = await database.query({
      text: `DELETE FROM tool_saves WHERE (website_id, post_id, connection_id, version) IN
               (SELECT website_id, post_id, connection_id, version FROM tool_saves WHERE at < $1 ORDER BY at LIMIT $2)`,
      values: [before, limit],
    });
    await database.query({ text: "DELETE FROM connection_spends WHERE at < $1", values: [before] });
    return (rowCount ?? 0) + (saves.rowCount ?? 0);
  },
});
