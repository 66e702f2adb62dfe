import { MAX_REVISIONS, readEdit } from "#domain/image-edit";
import type { WebsiteId } from "#domain/ids";
import type { MediaFile, StoreName } from "#domain/media-file";
import type { MediaLedger } from "#ports/media-ledger";
import { all, one, oneOften, run, type Scope } from "./scope.ts";

interface Row extends Record<string, unknown> {
  website_id: MediaFile["websiteId"];
  media_id: MediaFile["mediaId"];
  content_type: string;
  bytes: number;
  sha256: string | null;
  store: StoreName;
  state: MediaFile["state"];
  trashed: boolean;
  changed_at: MediaFile["changedAt"];
}

const COLUMNS = "website_id, media_id, content_type, bytes, sha256, store, state, trashed, changed_at";

const fileOf = (row: Row): MediaFile => ({
  websiteId: row.website_id,
  mediaId: row.media_id,
  contentType: row.content_type,
  bytes: row.bytes,
  sha256: row.sha256,
  store: row.store,
  state: row.state,
  trashed: row.trashed,
  changedAt: row.changed_at,
});

const valuesOf = (file: Omit<MediaFile, "state">) => [
  file.websiteId,
  file.mediaId,
  file.contentType,
  file.bytes,
  file.sha256,
  file.store,
  file.trashed,
  file.changedAt,
];

/** A file on record, whatever was there before, if the condition holds for that. */
const put = (state: MediaFile["state"], condition: string) => `
  INSERT INTO media_files (website_id, media_id, content_type, bytes, sha256, store, trashed, changed_at, state)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '${state}')
  ON CONFLICT (website_id, media_id) DO UPDATE
  SET content_type = excluded.content_type, bytes = excluded.bytes, sha256 = excluded.sha256, store = excluded.store,
      trashed = excluded.trashed, changed_at = excluded.changed_at, state = excluded.state
  WHERE ${condition}`;

const NUMBER_OF_EDIT = `
  SELECT revision FROM media_edits WHERE website_id = $1 AND media_id = $2 AND edit = $3::jsonb ORDER BY revision LIMIT 1`;

const NEXT_EDIT = `
  INSERT INTO media_edits (website_id, media_id, revision, edit)
  SELECT $1, $2, coalesce(max(revision), 0) + 1, $3::jsonb FROM media_edits WHERE website_id = $1 AND media_id = $2
  HAVING coalesce(max(revision), 0) < $4
  ON CONFLICT DO NOTHING RETURNING revision`;

export const mediaLedger = (scope: Scope): MediaLedger => ({
  async get(websiteId, mediaId) {
    const row = await oneOften<Row>(scope, `SELECT ${COLUMNS} FROM media_files WHERE website_id = $1 AND media_id = $2`, [
      websiteId,
      mediaId,
    ]);
    return row && fileOf(row);
  },

  async findSame(websiteId, sha256, comingSince = null) {
    // One question for both: between two, a file could go from the one state to the other and be seen by neither.
    const row = await one<Pick<Row, "media_id">>(
      scope,
      `SELECT media_id FROM media_files
       WHERE website_id = $1 AND sha256 = $2 AND NOT trashed AND (state = 'kept' OR (state = 'expected' AND changed_at >= $3))
         AND (store <> 'own' OR EXISTS (SELECT FROM own_image_stores WHERE website_id = $1))
       ORDER BY media_id LIMIT 1`,
      [websiteId, sha256, comingSince],
    );
    return row?.media_id ?? null;
  },

  async totals(workspaceId) {
    const rows = await all<{ id: WebsiteId; total: number }>(
      scope,
      `SELECT live_websites.id, sum(media_files.bytes)::bigint AS total
       FROM live_websites JOIN media_files ON media_files.website_id = live_websites.id
       WHERE live_websites.workspace_id = $1 AND media_files.store <> 'own' GROUP BY live_websites.id`,
      [workspaceId],
    );
    return new Map(rows.map(({ id, total }) => [id, total]));
  },

  expect: async (file) => (await run(scope, put("expected", "media_files.state <> 'leaving'"), valuesOf(file))) === 1,

  async keep(websiteId, mediaId, from, at) {
    const kept = await run(
      scope,
      "UPDATE media_files SET state = 'kept', changed_at = $4 WHERE website_id = $1 AND media_id = $2 AND state IN ($3, 'kept')",
      [websiteId, mediaId, from, at],
    );
    return kept === 1;
  },

  async record(file) {
    await run(scope, put("kept", "media_files.state = 'kept'"), valuesOf(file));
  },

  async setTrashed(websiteId, mediaId, trashed) {
    await run(scope, "UPDATE media_files SET trashed = $3 WHERE website_id = $1 AND media_id = $2", [websiteId, mediaId, trashed]);
  },

  async addEdit(websiteId, mediaId, edit) {
    const values = [websiteId, mediaId, JSON.stringify(edit), MAX_REVISIONS];
    for (let attempt = 0; attempt < 5; attempt++) {
      const known = await one<{ revision: number }>(scope, NUMBER_OF_EDIT, values.slice(0, 3));
      if (known) return { ...edit, revision: known.revision };
      // Another edit of the same moment may take the number first.
      const added = await one<{ revision: number }>(scope, NEXT_EDIT, values);
      if (added) return { ...edit, revision: added.revision };
    }
    return null;
  },

  async getEdit(websiteId, mediaId, revision) {
    const row = await oneOften<{ edit: unknown }>(
      scope,
      "SELECT edit FROM media_edits WHERE website_id = $1 AND media_id = $2 AND revision = $3",
      [websiteId, mediaId, revision],
    );
    return row && readEdit({ ...(row.edit as object), revision });
  },

  async keepEdit(websiteId, mediaId, { revision, ...edit }) {
    await run(scope, "INSERT INTO media_edits (website_id, media_id, revision, edit) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING", [
      websiteId,
      mediaId,
      revision,
      JSON.stringify(edit),
    ]);
  },

  async leave(file, at) {
    const left = await run(
      scope,
      `UPDATE media_files SET state = 'leaving', changed_at = $5
       WHERE website_id = $1 AND media_id = $2 AND state = $3 AND changed_at = $4`,
      [file.websiteId, file.mediaId, file.state, file.changedAt, at],
    );
    return left === 1;
  },

  async remove(websiteId, mediaId) {
    // Its settings keep their numbers: an import can bring the image back under its id.
    await run(scope, "DELETE FROM media_files WHERE website_id = $1 AND media_id = $2", [websiteId, mediaId]);
  },

  async claimUnsettled(before, now, limit) {
    // SKIP LOCKED: what another node is claiming this instant is not waited for.
    const rows = await all<Row>(
      scope,
      `UPDATE media_files SET changed_at = $2
       FROM (
         SELECT website_id AS website, media_id AS media FROM media_files WHERE state <> 'kept' AND changed_at < $1
         ORDER BY changed_at LIMIT $3 FOR UPDATE SKIP LOCKED
       ) AS unsettled
       WHERE website_id = website AND media_id = media
       RETURNING ${COLUMNS}`,
      [before, now, limit],
    );
    return rows.map(fileOf);
  },

  async listBetween(after, upTo, limit) {
    const rows = await all<Row>(
      scope,
      `SELECT ${COLUMNS} FROM media_files
       WHERE (website_id, media_id) > ($1, $2) AND ($3::text IS NULL OR (website_id, media_id) <= ($3, $4))
       ORDER BY website_id, media_id LIMIT $5`,
      [after?.websiteId ?? "", after?.id ?? "", upTo?.websiteId ?? null, upTo?.id ?? null, limit],
    );
    return rows.map(fileOf);
  },

  async moveTo(file, store, at) {
    const moved = await run(
      scope,
      `UPDATE media_files SET store = $5, changed_at = $6
       WHERE website_id = $1 AND media_id = $2 AND state = 'kept' AND store = $3 AND changed_at = $4`,
      [file.websiteId, file.mediaId, file.store, file.changedAt, store, at],
    );
    return moved === 1;
  },

  async countOutside(store) {
    const row = await one<{ files: number }>(scope, "SELECT count(*) AS files FROM media_files WHERE store NOT IN ($1, 'own')", [store]);
    return Number(row?.files ?? 0);
  },

  async listKept(websiteId, where, after, limit) {
    const rows = await all<Row>(
      scope,
      `SELECT ${COLUMNS} FROM media_files
       WHERE website_id = $1 AND media_id > $2 AND state = 'kept' AND (store = 'own') = $3 ORDER BY media_id LIMIT $4`,
      [websiteId, after ?? "", where === "own", limit],
    );
    return rows.map(fileOf);
  },

  async sums(websiteId) {
    const rows = await all<{ own: boolean; files: number; bytes: number; unsettled: number }>(
      scope,
      `SELECT store = 'own' AS own, count(*) AS files, sum(bytes)::bigint AS bytes, count(*) FILTER (WHERE state <> 'kept') AS unsettled
       FROM media_files WHERE website_id = $1 GROUP BY 1`,
      [websiteId],
    );
    const sumOf = (isOwn: boolean) => {
      const row = rows.find(({ own }) => own === isOwn);
      return { files: Number(row?.files ?? 0), bytes: Number(row?.bytes ?? 0), unsettled: Number(row?.unsettled ?? 0) };
    };
    return { own: sumOf(true), managed: sumOf(false) };
  },

  async storesOf(websiteId) {
    const rows = await all<Pick<Row, "store">>(scope, "SELECT DISTINCT store FROM media_files WHERE website_id = $1", [websiteId]);
    return rows.map(({ store }) => store);
  },
});
