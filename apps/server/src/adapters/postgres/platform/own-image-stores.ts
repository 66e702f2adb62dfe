import type { WebsiteId } from "#domain/ids";
import type { OwnImageStore } from "#domain/own-image-store";
import type { OwnImageStores } from "#ports/own-images";
import { all, oneOften, run, type Scope } from "./scope.ts";

interface Row extends Record<string, unknown> {
  website_id: WebsiteId;
  kind: OwnImageStore["kind"];
  state: OwnImageStore["state"];
  address: string;
  place: string;
  shown: OwnImageStore["shown"];
  public_base: string | null;
  uses_public_base: boolean;
  error: string | null;
  error_at: OwnImageStore["errorAt"];
  connected_at: OwnImageStore["connectedAt"];
  activated_at: OwnImageStore["activatedAt"];
}

const COLUMNS =
  "website_id, kind, state, address, place, shown, public_base, uses_public_base, error, error_at, connected_at, activated_at";

const storeOf = (row: Row): OwnImageStore => ({
  websiteId: row.website_id,
  kind: row.kind,
  state: row.state,
  address: row.address,
  place: row.place,
  shown: row.shown,
  publicBase: row.public_base,
  usesPublicBase: row.uses_public_base,
  error: row.error,
  errorAt: row.error_at,
  connectedAt: row.connected_at,
  activatedAt: row.activated_at,
});

export const ownImageStores = (scope: Scope): OwnImageStores => ({
  async get(websiteId) {
    const row = await oneOften<Row>(scope, `SELECT ${COLUMNS} FROM own_image_stores WHERE website_id = $1`, [websiteId]);
    return row && storeOf(row);
  },

  async put(store) {
    await run(
      scope,
      `INSERT INTO own_image_stores (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       ON CONFLICT (website_id) DO UPDATE
       SET kind = excluded.kind, state = excluded.state, address = excluded.address, place = excluded.place, shown = excluded.shown,
           public_base = excluded.public_base, uses_public_base = excluded.uses_public_base, error = excluded.error,
           error_at = excluded.error_at, connected_at = excluded.connected_at, activated_at = excluded.activated_at`,
      [
        store.websiteId,
        store.kind,
        store.state,
        store.address,
        store.place,
        JSON.stringify(store.shown),
        store.publicBase,
        store.usesPublicBase,
        store.error,
        store.errorAt,
        store.connectedAt,
        store.activatedAt,
      ],
    );
  },

  async setState(websiteId, state, activatedAt) {
    await run(scope, "UPDATE own_image_stores SET state = $2, activated_at = $3 WHERE website_id = $1", [websiteId, state, activatedAt]);
  },

  async noteError(websiteId, error, at) {
    await run(scope, "UPDATE own_image_stores SET error = $2, error_at = $3 WHERE website_id = $1", [
      websiteId,
      error,
      error === null ? null : at,
    ]);
  },

  async remove(websiteId) {
    await run(scope, "DELETE FROM own_image_stores WHERE website_id = $1", [websiteId]);
  },

  async having(websiteIds) {
    const rows = await all<Pick<Row, "website_id">>(scope, "SELECT website_id FROM own_image_stores WHERE website_id = ANY ($1)", [
      websiteIds,
    ]);
    return new Set(rows.map((row) => row.website_id));
  },
});
