import type { KeyId, UserId, WebsiteId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import type { ApiKey } from "#domain/website";
import type { ApiKeys } from "#ports/platform";
import { all, one, oneOften, run, type Scope } from "./scope.ts";

interface Row extends Record<string, unknown> {
  id: KeyId;
  website_id: WebsiteId;
  name: string;
  masked: string;
  hash: string;
  secret_id: string;
  origins: readonly string[];
  monthly_cap: number | null;
  created_at: Timestamp;
  created_by: UserId | null;
  last_used_at: Timestamp | null;
  revoked_at: Timestamp | null;
}

const SELECT = `
  SELECT api_keys.id, api_keys.website_id, api_keys.name, api_keys.masked, api_keys.hash, api_keys.secret_id, api_keys.origins,
         api_keys.monthly_cap, api_keys.created_at, api_keys.created_by, api_keys.last_used_at, api_keys.revoked_at
  FROM api_keys JOIN live_websites ON live_websites.id = api_keys.website_id`;

const keyOf = (row: Row): ApiKey => ({
  id: row.id,
  websiteId: row.website_id,
  name: row.name,
  masked: row.masked,
  hash: row.hash,
  secretId: row.secret_id,
  origins: row.origins,
  monthlyCap: row.monthly_cap,
  createdAt: row.created_at,
  createdBy: row.created_by,
  lastUsedAt: row.last_used_at,
  revokedAt: row.revoked_at,
});

export const apiKeys = (scope: Scope): ApiKeys => ({
  async create(key) {
    await run(
      scope,
      `INSERT INTO api_keys (website_id, id, name, masked, hash, secret_id, origins, monthly_cap, created_at, created_by, last_used_at, revoked_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        key.websiteId,
        key.id,
        key.name,
        key.masked,
        key.hash,
        key.secretId,
        key.origins,
        key.monthlyCap,
        key.createdAt,
        key.createdBy,
        key.lastUsedAt,
        key.revokedAt,
      ],
    );
  },

  async get(websiteId, id) {
    const row = await one<Row>(scope, `${SELECT} WHERE api_keys.website_id = $1 AND api_keys.id = $2`, [websiteId, id]);
    return row && keyOf(row);
  },

  async findByHash(hash) {
    const row = await oneOften<Row>(scope, `${SELECT} WHERE api_keys.hash = $1`, [hash]);
    return row && keyOf(row);
  },

  async list(websiteId) {
    const rows = await all<Row>(
      scope,
      `${SELECT} WHERE api_keys.website_id = $1
       ORDER BY api_keys.revoked_at IS NOT NULL, api_keys.created_at DESC, api_keys.id DESC`,
      [websiteId],
    );
    return rows.map(keyOf);
  },

  async countLive(websiteId) {
    const row = await one<{ live: number }>(
      scope,
      `SELECT count(*) AS live FROM api_keys JOIN live_websites ON live_websites.id = api_keys.website_id
       WHERE api_keys.website_id = $1 AND api_keys.revoked_at IS NULL`,
      [websiteId],
    );
    return row!.live;
  },

  async update(websiteId, id, change) {
    await run(scope, "UPDATE api_keys SET name = $3, origins = $4, monthly_cap = $5 WHERE website_id = $1 AND id = $2", [
      websiteId,
      id,
      change.name,
      change.origins,
      change.monthlyCap,
    ]);
  },

  async revoke(websiteId, id, at) {
    // The first revocation is the one that counts.
    await run(scope, "UPDATE api_keys SET revoked_at = $3 WHERE website_id = $1 AND id = $2 AND revoked_at IS NULL", [websiteId, id, at]);
  },

  async moveTo({ websiteId, id, hash }, hashed) {
    // While nodes are given a new secret one by one, those that still make with the old one must not move keys back.
    await run(
      scope,
      `UPDATE api_keys SET hash = $4, secret_id = $5
       WHERE website_id = $1 AND id = $2 AND hash = $3 AND $5 = (SELECT id FROM server_secrets ORDER BY chosen_at DESC, id LIMIT 1)`,
      [websiteId, id, hash, hashed.hash, hashed.secretId],
    );
  },
});
