import { fold } from "#domain/fold";
import { type NumberedEdit, readEdit } from "#domain/image-edit";
import type { MediaId, WebsiteId } from "#domain/ids";
import type { Media } from "#domain/media";
import { keyOfMedia } from "#domain/media-file";
import type { ListPage } from "#ports/list-page";
import type { MediaRecords, MediaRef } from "#ports/media-records";
import type { Connection } from "./connection.ts";
import { contains, keyset, listPageOf } from "./keyset.ts";
import { json } from "./post-columns.ts";
import { deleteRecord, insertRecord, putRecordIfNewer, type StoredRecord, saveRecord } from "./record.ts";
import { NOT_MOVED } from "./not-moved.ts";
import { every, type Fragment, raw, sql } from "./sql.ts";
import { takeChangeNumbers, addToFeed } from "./change-numbers.ts";

const COLUMNS =
  raw(`website_id, id, version, url, filename, content_type, bytes, metadata, width, height, blurhash, dominant_color, alt, edit,
  created_at, created_by, updated_at, deleted_at`);

interface MediaRow {
  website_id: Media["websiteId"];
  id: Media["id"];
  version: number;
  url: string;
  filename: string;
  content_type: string;
  bytes: number;
  metadata: Media["metadata"];
  width: number;
  height: number;
  blurhash: string | null;
  dominant_color: string | null;
  alt: string;
  edit: NumberedEdit | null;
  created_at: Media["createdAt"];
  created_by: Media["createdBy"];
  updated_at: Media["updatedAt"];
  deleted_at: Media["deletedAt"];
}

const mediaOf = (row: MediaRow): Media => ({
  id: row.id,
  websiteId: row.website_id,
  version: row.version,
  url: row.url,
  filename: row.filename,
  contentType: row.content_type,
  bytes: row.bytes,
  metadata: row.metadata,
  width: row.width,
  height: row.height,
  blurhash: row.blurhash,
  dominantColor: row.dominant_color,
  alt: row.alt,
  edit: readEdit(row.edit),
  createdAt: row.created_at,
  createdBy: row.created_by,
  updatedAt: row.updated_at,
  deletedAt: row.deleted_at,
});

const columnsOf = (media: Media): Record<string, unknown> => ({
  version: media.version,
  // Nodes of the version before read it; we never do.
  storage_key: keyOfMedia(media),
  url: media.url,
  filename: media.filename,
  filename_key: fold(media.filename),
  content_type: media.contentType,
  bytes: media.bytes,
  metadata: media.metadata,
  width: media.width,
  height: media.height,
  blurhash: media.blurhash,
  dominant_color: media.dominantColor,
  alt: media.alt,
  edit: media.edit && json(media.edit),
  created_at: media.createdAt,
  created_by: json(media.createdBy),
  updated_at: media.updatedAt,
  deleted_at: media.deletedAt,
});

const recordOf = (websiteId: Media["websiteId"], id: MediaId): StoredRecord => ({
  table: "media",
  kind: "media",
  websiteId,
  id,
  visible: true,
});

const IS_LIVE = raw("EXISTS (SELECT FROM live_facets WHERE live_facets.website_id = media.website_id AND facet = media.id)");

const NOT_SHOWN = raw(`NOT EXISTS (SELECT FROM live_facets WHERE live_facets.website_id = media.website_id AND facet = media.id)
  AND NOT EXISTS (SELECT FROM working_facets WHERE working_facets.website_id = media.website_id AND facet = media.id)`);

export function mediaRecords(connection: Connection): MediaRecords {
  const getMany: MediaRecords["getMany"] = async (websiteId, ids) => {
    if (ids.length === 0) return [];
    const rows = await connection.prepared<MediaRow>(
      sql`SELECT ${COLUMNS} FROM media WHERE website_id = ${websiteId} AND id = ANY (${ids})`,
    );
    return rows.map(mediaOf);
  };

  const walk = async (condition: Fragment, after: MediaRef | null, limit: number): Promise<readonly Media[]> => {
    const rows = await connection.rows<MediaRow>(sql`
      SELECT ${COLUMNS} FROM media
      WHERE ${condition} AND ${NOT_MOVED} AND ${after ? sql`(website_id, id) > (${after.websiteId}, ${after.id})` : raw("true")}
      ORDER BY website_id, id LIMIT ${limit}`);
    return rows.map(mediaOf);
  };
  return {
    getMany,

    async get(websiteId, id) {
      const [media] = await getMany(websiteId, [id]);
      return media ?? null;
    },

    insert: (media) => insertRecord(connection, recordOf(media.websiteId, media.id), columnsOf(media)),
    save: (media) => saveRecord(connection, { ...recordOf(media.websiteId, media.id), from: media.version - 1 }, columnsOf(media)),
    putIfNewer: (media) =>
      putRecordIfNewer(connection, recordOf(media.websiteId, media.id), {
        version: media.version,
        insert: { columns: columnsOf(media) },
        replace: { columns: columnsOf(media) },
      }),
    delete: (websiteId, id, version) => deleteRecord(connection, { ...recordOf(websiteId, id), from: version }),

    async list(websiteId, { nameContains, trashed = false, withoutAlt, onlyLive, unusedExcept, after, limit }) {
      const { condition, order } = keyset(after, "created_at", "id", { descending: true, type: "timestamptz" });
      const filters = [condition, raw(trashed ? "deleted_at IS NOT NULL" : "deleted_at IS NULL")];
      if (nameContains !== undefined) filters.push(contains("filename_key", fold(nameContains)));
      if (withoutAlt) filters.push(raw("alt = ''"));
      if (onlyLive) filters.push(IS_LIVE);
      if (unusedExcept) return listUnused(connection, websiteId, { filters, order, unusedExcept, limit });
      const rows = await connection.rows<MediaRow & { key: string }>(sql`
        SELECT ${COLUMNS}, created_at AS key FROM media WHERE website_id = ${websiteId} AND ${every(filters)}
        ORDER BY ${order} LIMIT ${limit + 1}`);
      return listPageOf(rows, limit, mediaOf);
    },

    async listDeletedBefore(before, limit) {
      const rows = await connection.rows<MediaRow>(sql`
        SELECT ${COLUMNS} FROM media WHERE deleted_at < ${before} AND ${NOT_MOVED} ORDER BY deleted_at, website_id, id LIMIT ${limit}`);
      return rows.map(mediaOf);
    },

    async saveFile({ websiteId, id }, { bytes, metadata }) {
      const rows = await connection.prepared(sql`
        WITH ${takeChangeNumbers(websiteId, { visible: true, condition: sql`EXISTS (SELECT FROM media WHERE website_id = ${websiteId} AND id = ${id})` })},
        saved AS (
          UPDATE media SET bytes = ${bytes}, metadata = ${metadata} FROM counted
          WHERE media.website_id = ${websiteId} AND media.id = ${id}
          RETURNING media.id
        ),
        fed AS (${addToFeed(recordOf(websiteId, id), raw("saved"))})
        SELECT FROM saved`);
      return rows.length > 0 ? "saved" : "stale";
    },

    listAll: (after, limit) => walk(raw("true"), after, limit),
    listUnchecked: (after, limit) => walk(raw("metadata <> 'stripped' AND metadata = 'unchecked'"), after, limit),

    async countNotStripped() {
      const [row] = await connection.rows<{ unchecked: number; unreadable: number }>(sql`
        SELECT count(*) FILTER (WHERE metadata = 'unchecked') AS unchecked, count(*) FILTER (WHERE metadata = 'unreadable') AS unreadable
        FROM media WHERE metadata <> 'stripped' AND ${NOT_MOVED}`);
      return row!;
    },
  };
}

/** Images that one page of unused ones looks at. */
const MOST_LOOKED_AT = 1_000;

async function listUnused(
  connection: Connection,
  websiteId: WebsiteId,
  {
    filters,
    order,
    unusedExcept,
    limit,
  }: { filters: readonly Fragment[]; order: Fragment; unusedExcept: readonly MediaId[]; limit: number },
): Promise<ListPage<Media>> {
  const found = sql`FROM media WHERE website_id = ${websiteId} AND ${every([...filters])} ORDER BY ${order}`;
  const rows = await connection.rows<MediaRow & { key: string }>(sql`
    SELECT ${COLUMNS}, created_at AS key FROM (SELECT ${COLUMNS} ${found} LIMIT ${MOST_LOOKED_AT}) AS media
    WHERE ${NOT_SHOWN} AND id <> ALL (${unusedExcept}::text[]) ORDER BY ${order} LIMIT ${limit + 1}`);
  const page = listPageOf(rows, limit, mediaOf);
  if (page.next) return page;
  const [last] = await connection.rows<{ key: string; id: string }>(
    sql`SELECT created_at AS key, id ${found} OFFSET ${MOST_LOOKED_AT - 1} LIMIT 1`,
  );
  return { ...page, next: last ?? null };
}
