import type { PlanName, Role } from "@stet/contract";
import type { UserId, WebsiteId, WorkspaceId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import type { FieldDefinition, Website, WebsiteSettings } from "#domain/website";
import type { Websites } from "#ports/platform";
import { inKeyOrder, batchLookups } from "../batch-lookups.ts";
import { all, one, oneOften, run, type Scope } from "./scope.ts";

interface Row extends Record<string, unknown> {
  id: WebsiteId;
  workspace_id: WorkspaceId;
  name: string;
  settings: WebsiteSettings;
  field_definitions: readonly FieldDefinition[];
  version: number;
  created_at: Timestamp;
  deleted_at: Timestamp | null;
}

interface RowWithRole extends Row {
  nth: number;
  workspace_name: string;
  plan: PlanName;
  workspace_created_at: Timestamp;
  role: Role | null;
}

const SELECT = `
  SELECT websites.id, websites.workspace_id, websites.name, websites.settings, websites.field_definitions, websites.version,
         websites.created_at, websites.deleted_at
  FROM websites JOIN live_websites ON live_websites.id = websites.id`;

const websiteOf = (row: Row): Website => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  settings: row.settings,
  fieldDefinitions: row.field_definitions,
  version: row.version,
  createdAt: row.created_at,
  deletedAt: row.deleted_at,
});

/** Everything kept for a website beside its record and its content. */
const TABLES_OF_A_WEBSITE = [
  "schedules",
  "events",
  "event_sequences",
  "media_files",
  "website_content",
  "website_usage",
  "key_usage",
  "reader_visitors",
  "reader_views",
  "reader_totals",
  "reader_days",
  "reader_referrers",
];

/** The website that a request goes to, and the role it is made in: nearly every request asks for them. */
function getWithRole(scope: Scope): Websites["getWithRole"] {
  const find = batchLookups(async (asked: readonly { id: WebsiteId; userId: UserId | null }[]) => {
    const { rows } = await scope.query<RowWithRole>({
      text: `SELECT asked.nth, websites.id, websites.workspace_id, websites.name, websites.settings, websites.field_definitions,
                    websites.version, websites.created_at, websites.deleted_at, workspaces.name AS workspace_name, workspaces.plan,
                    workspaces.created_at AS workspace_created_at, members.role
             FROM unnest((SELECT $1::text[]), (SELECT $2::text[])) WITH ORDINALITY AS asked (website_id, user_id, nth)
             JOIN websites ON websites.id = asked.website_id
             JOIN workspaces ON workspaces.id = websites.workspace_id
             LEFT JOIN members ON members.workspace_id = workspaces.id AND members.user_id = asked.user_id
             WHERE websites.deleted_at IS NULL AND workspaces.deleted_at IS NULL`,
      values: [asked.map(({ id }) => id), asked.map(({ userId }) => userId)],
      keepPlan: true,
      joins: true,
    });
    return inKeyOrder(asked, rows, (row) => {
      const { workspace_id: workspaceId, workspace_name: name, plan, workspace_created_at: createdAt, role } = row;
      return { website: websiteOf(row), workspace: { id: workspaceId, name, plan, createdAt, deletedAt: null }, role };
    });
  });
  return (id, userId) => find({ id, userId });
}

async function listOf(scope: Scope, workspaceIds: readonly WorkspaceId[]): Promise<readonly Website[]> {
  const text = `${SELECT} WHERE websites.workspace_id = ANY ($1) ORDER BY websites.created_at, websites.id`;
  return (await all<Row>(scope, text, [workspaceIds])).map(websiteOf);
}

export const websites = (scope: Scope): Websites => ({
  async get(id) {
    const row = await one<Row>(scope, `${SELECT} WHERE websites.id = $1`, [id]);
    return row && websiteOf(row);
  },

  getWithRole: getWithRole(scope),

  async create(website) {
    await run(
      scope,
      `INSERT INTO websites (id, workspace_id, name, settings, field_definitions, version, created_at, deleted_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        website.id,
        website.workspaceId,
        website.name,
        JSON.stringify(website.settings),
        JSON.stringify(website.fieldDefinitions),
        website.version,
        website.createdAt,
        website.deletedAt,
      ],
    );
  },

  async save(website) {
    const saved = await run(
      scope,
      `UPDATE websites SET name = $3, settings = $4, field_definitions = $5, version = $2
       WHERE id = $1 AND version = $2 - 1 AND id IN (SELECT id FROM live_websites)`,
      [website.id, website.version, website.name, JSON.stringify(website.settings), JSON.stringify(website.fieldDefinitions)],
    );
    return saved === 1 ? "saved" : "stale";
  },

  async markDeleted(id, at) {
    // Reminders of posts that nobody can see any more would only keep the worker's timer busy.
    await run(
      scope,
      `WITH gone AS (UPDATE websites SET deleted_at = $2 WHERE id = $1 AND deleted_at IS NULL)
       DELETE FROM schedules WHERE website_id = $1`,
      [id, at],
    );
  },

  list: (workspaceId) => listOf(scope, [workspaceId]),
  listOf: (workspaceIds) => listOf(scope, workspaceIds),

  async listDeletedBefore(before, limit) {
    const rows = await all<{ id: WebsiteId }>(
      scope,
      `SELECT id FROM (
         SELECT id, deleted_at FROM websites WHERE deleted_at < $1
         UNION ALL
         SELECT websites.id, workspaces.deleted_at
         FROM workspaces JOIN websites ON websites.workspace_id = workspaces.id
         WHERE workspaces.deleted_at < $1 AND (websites.deleted_at IS NULL OR websites.deleted_at >= $1)
       ) AS deleted
       ORDER BY deleted_at, id LIMIT $2`,
      [before, limit],
    );
    return rows.map((row) => row.id);
  },

  erase: (id) =>
    scope.atomically(async (connection) => {
      for (const table of TABLES_OF_A_WEBSITE) await run(connection, `DELETE FROM ${table} WHERE website_id = $1`, [id]);
      // The keys go with it.
      await run(connection, "DELETE FROM websites WHERE id = $1", [id]);
    }),

  async contentVersion(id) {
    const row = await oneOften<{ content_version: number }>(scope, "SELECT content_version FROM website_content WHERE website_id = $1", [
      id,
    ]);
    return row?.content_version ?? 0;
  },
});
