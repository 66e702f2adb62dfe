import type { GrantId, PostId, WebsiteId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import type { PostState, ToolSave } from "#domain/tool-save";
import type { ToolSaves } from "#ports/connections";
import { type Fragment, raw, sql, statementOf } from "../content/sql.ts";
import type { Database } from "../database.ts";
import { storableVersion } from "./storable-version.ts";

interface Row extends Record<string, unknown> {
  website_id: WebsiteId;
  post_id: PostId;
  connection_id: GrantId;
  version: number;
  actor_id: string;
  at: Timestamp;
  saved: boolean;
  state: string | null;
}

const COLUMNS = "website_id, post_id, connection_id, version, actor_id, at, saved, state";

const saveOf = (row: Row): ToolSave => ({
  websiteId: row.website_id,
  postId: row.post_id,
  connectionId: row.connection_id,
  version: row.version,
  actorId: row.actor_id,
  at: row.at,
  saved: row.saved,
  state: row.state === null ? null : (JSON.parse(row.state) as PostState),
});

/**
 * Again for the same version: replaced, unless that one is known to have been made: of two who save a version at once, one wins.
 * `from` is a query of one row.
 */
export const toolSaveWrite = (save: ToolSave, from: Fragment): Fragment => sql`
  INSERT INTO tool_saves (${raw(COLUMNS)})
  SELECT ${save.websiteId}, ${save.postId}, ${save.connectionId}, ${storableVersion(save.version)}, ${save.actorId}, ${save.at}, ${save.saved},
    ${save.state && JSON.stringify(save.state)}
  FROM ${from}
  ON CONFLICT (website_id, post_id, connection_id, version) DO UPDATE
    SET actor_id = excluded.actor_id, at = excluded.at, saved = excluded.saved, state = excluded.state
    WHERE excluded.saved OR NOT tool_saves.saved`;

async function write(database: Database, save: ToolSave): Promise<void> {
  await database.query(statementOf(toolSaveWrite(save, raw("(SELECT) AS always"))));
}

export const toolSaves = (database: Database): ToolSaves => ({
  begin: (save) => write(database, save),

  // The whole of it: somebody who lost may have written theirs in its place.
  confirm: (save) => write(database, { ...save, saved: true }),

  async listOf(websiteId, postId) {
    const { rows } = await database.query<Row>({
      text: `SELECT ${COLUMNS} FROM tool_saves WHERE website_id = $1 AND post_id = $2 ORDER BY version`,
      values: [websiteId, postId],
    });
    return rows.map(saveOf);
  },

  async forget(websiteId, postId) {
    await database.query({ text: "DELETE FROM tool_saves WHERE website_id = $1 AND post_id = $2", values: [websiteId, postId] });
  },

  async listPosts(websiteIds, connectionId, { since, until, after, limit }) {
    const values: unknown[] = [websiteIds, connectionId, since, until];
    const behind = after ? `HAVING (max(at), post_id) < ($${values.push(after.key)}::timestamptz, $${values.push(after.id)})` : "";
    const { rows } = await database.query<{ website_id: WebsiteId; post_id: PostId; last: Timestamp }>({
      text: `SELECT website_id, post_id, max(at) AS last FROM tool_saves
             WHERE website_id = ANY ($1) AND connection_id = $2 AND actor_id = $2 AND at >= $3 AND at <= $4 AND starts_with(post_id, 'post_')
             GROUP BY website_id, post_id ${behind} ORDER BY last DESC, post_id DESC LIMIT $${values.push(limit + 1)}`,
      values,
    });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      rows: page.map((row) => ({ websiteId: row.website_id, postId: row.post_id })),
      next: rows.length > limit && last ? { key: last.last, id: last.post_id } : null,
    };
  },
});
