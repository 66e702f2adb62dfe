import type { PlanName, Role } from "@stet/contract";
import { type ContentHome, MANAGED } from "#domain/content-home";
import type { UserId, WebsiteId, WorkspaceId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import type { FieldDefinition, Website, WebsiteSettings } from "#domain/website";
import type { Websites } from "#ports/platform";
import { inKeyOrder, batchLookups } from "../batch-lookups.ts";
import { all, oneOften, run, type Scope } from "./scope.ts";

export interface WebsiteRow extends Record<string, unknown> {
  id: WebsiteId;
  workspace_id: WorkspaceId;
  name: string;
  settings: WebsiteSettings;
  field_definitions: readonly FieldDefinition[];
  home: ContentHome["kind"];
  store_epoch: number;
  version: number;
  image_base: string | null;
  created_at: Timestamp;
  deleted_at: Timestamp | null;
}

interface RowWithRole extends WebsiteRow {
  nth: number;
  workspace_name: string;
  plan: PlanName;
  workspace_created_at: Timestamp;
  role: Role | null;
}

export const SELECT_WEBSITE = `
  SELECT websites.id, websites.workspace_id, websites.name, websites.settings, websites.field_definitions,
         websites.home, websites.store_epoch, websites.version, websites.image_base, websites.created_at, websites.deleted_at
  FROM websites JOIN live_websites ON live_websites.id = websites.id`;

/** Nearly all are alike. */
const homeOf = ({ home: kind, store_epoch: epoch }: WebsiteRow): ContentHome =>
  kind === "managed" && epoch === 0 ? MANAGED : { kind, epoch };

export const websiteOf = (row: WebsiteRow): Website => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  settings: row.settings,
  fieldDefinitions: row.field_definitions,
  home: homeOf(row),
  version: row.version,
  imageBase: row.image_base,
  createdAt: row.created_at,
  deletedAt: row.deleted_at,
});

/** Everything kept for a website beside its record and its content. */
const ERASED_AT_ONCE = 5_000;
const TABLES_OF_A_WEBSITE = [
  "schedules",
  "events",
  "event_sequences",
  "media_files",
  "media_edits",
  "own_image_stores",
  "own_databases",
  "own_database_health",
  "left_databases",
  "write_tickets",
  "moves",
  "website_content",
  "website_leases",
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
                    websites.home, websites.store_epoch, websites.version, websites.image_base, websites.created_at, websites.deleted_at, workspaces.name AS workspace_name, workspaces.plan,
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
  const text = `${SELECT_WEBSITE} WHERE websites.workspace_id = ANY ($1) ORDER BY websites.created_at, websites.id`;
  return (await all<WebsiteRow>(scope, text, [workspaceIds])).map(websiteOf);
}

export const websites = (scope: Scope): Websites => ({
  async get(id) {
    const row = await oneOften<WebsiteRow>(scope, `${SELECT_WEBSITE} WHERE websites.id = $1`, [id]);
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

  async erase(id) {
    // In steps, since some of these have a row for each day and post. A crash in between is no harm: the website is deleted already, and is
    // erased again until its own row is gone.
    for (const table of TABLES_OF_A_WEBSITE) {
      const step = `DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM ${table} WHERE website_id = $1 LIMIT ${ERASED_AT_ONCE})`;
      while ((await run(scope, step, [id])) === ERASED_AT_ONCE);
    }
    // The keys go with it.
    await run(scope, "DELETE FROM websites WHERE id = $1", [id]);
  },

  async setImageBase(id, base) {
    // With its version: answers that were made before are told apart by it.
    await run(scope, "UPDATE websites SET image_base = $2, version = version + 1 WHERE id = $1 AND image_base IS DISTINCT FROM $2", [
      id,
      base,
    ]);
  },

  async contentState(id) {
    const row = await oneOften<{ content_version: number; store_epoch: number }>(
      scope,
      "SELECT content_version, store_epoch FROM website_content WHERE website_id = $1",
      [id],
    );
    return { contentVersion: row?.content_version ?? 0, storeEpoch: row?.store_epoch ?? 0 };
  },
});
