import type { WebsiteId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import type { DoubtfulClaim, SlugClaim, SlugClaims, SlugSpace } from "#ports/slug-claims";
import type { Connection } from "./connection.ts";
import { NOT_MOVED } from "./not-moved.ts";
import { type Fragment, raw, sql } from "./sql.ts";

interface ClaimRow {
  website_id: WebsiteId;
  space: SlugSpace;
  slug: string;
  owner_id: string;
  claimed_at: Timestamp;
}

/** Takes the slug if it is free or the owner's own. `from` is a query of one row; the caller says what to return. */
export const claimWrite = (
  websiteId: WebsiteId,
  space: SlugSpace,
  { slug, ownerId, claimedAt }: SlugClaim,
  from: Fragment,
): Fragment => sql`
  INSERT INTO slug_claims AS held (website_id, space, slug, owner_id, claimed_at)
  SELECT ${websiteId}, ${space}, ${slug}, ${ownerId}, ${claimedAt} FROM ${from}
  ON CONFLICT (website_id, space, slug) DO UPDATE SET claimed_at = greatest(held.claimed_at, excluded.claimed_at)
    WHERE held.owner_id = excluded.owner_id`;

/** The other owner of the slug, as far as this statement can see. */
export const isTaken = (websiteId: WebsiteId, space: SlugSpace, { slug, ownerId }: SlugClaim): Fragment => sql`
  SELECT owner_id FROM slug_claims WHERE website_id = ${websiteId} AND space = ${space} AND slug = ${slug} AND owner_id <> ${ownerId}`;

/** Claims are not part of the change feed, so they do not lock the website's counters: claimants of other slugs never wait. */
export function slugClaims(connection: Connection): SlugClaims {
  return {
    async claim(websiteId, space, claim) {
      for (;;) {
        // A row just inserted has no deleter (xmax 0); one that was there and is renewed has.
        const [row] = await connection.prepared<{ owner_id: string; fresh: boolean }>(sql`
          WITH mine AS (
            ${claimWrite(websiteId, space, claim, raw("(SELECT) AS always"))} RETURNING owner_id, xmax = 0 AS fresh
          )
          SELECT owner_id, fresh FROM mine
          UNION ALL
          SELECT owner_id, false FROM (${isTaken(websiteId, space, claim)}) AS taken WHERE NOT EXISTS (SELECT FROM mine)`);
        if (row) return { ownerId: row.owner_id, fresh: row.fresh };
        // It changed hands while this ran, after the second part had looked and before the first could take it. Look again.
      }
    },

    async owners(websiteId, space, slugs) {
      const rows = await connection.prepared<Pick<ClaimRow, "slug" | "owner_id">>(sql`
        SELECT slug, owner_id FROM slug_claims WHERE website_id = ${websiteId} AND space = ${space} AND slug = ANY (${slugs})`);
      return new Map(rows.map((row) => [row.slug, row.owner_id]));
    },

    async release(websiteId, space, slug, ownerId, claimedBefore) {
      await connection.rows(sql`
        DELETE FROM slug_claims
        WHERE website_id = ${websiteId} AND space = ${space} AND slug = ${slug} AND owner_id = ${ownerId}
          AND ${claimedBefore === undefined ? raw("true") : sql`claimed_at < ${claimedBefore}`}`);
    },

    async move(websiteId, space, slug, from, to) {
      const rows = await connection.prepared(sql`
        UPDATE slug_claims SET owner_id = ${to}
        WHERE website_id = ${websiteId} AND space = ${space} AND slug = ${slug} AND owner_id = ${from}
        RETURNING slug`);
      return rows.length > 0;
    },

    async listDoubtful(before, after, limit) {
      const rows = await connection.rows<ClaimRow & { is_needed: boolean; doubt: string }>(sql`
        SELECT website_id, space, slug, owner_id, claimed_at, doubted_at::text AS doubt,
          CASE WHEN space = 'post' THEN EXISTS (
            SELECT FROM posts WHERE posts.website_id = held.website_id AND posts.id = held.owner_id
              AND held.slug = ANY (ARRAY[posts.slug, live ->> 'slug'] || past_slugs)
          ) ELSE EXISTS (
            SELECT FROM terms WHERE terms.website_id = held.website_id AND terms.id = held.owner_id AND kind = held.space
              AND held.slug = ANY (terms.slug || past_slugs)
          ) END AS is_needed
        FROM (
          SELECT * FROM slug_claims
          WHERE doubted_at IS NOT NULL AND claimed_at < ${before} AND ${NOT_MOVED} AND ${isAfter(after)}
          ORDER BY website_id, space, slug LIMIT ${limit}
        ) AS held
        ORDER BY website_id, space, slug`);
      return rows.map((row) => ({ ...claimOf(row), isNeeded: row.is_needed, doubt: row.doubt }));
    },

    async trust(claims) {
      const each = (value: (claim: DoubtfulClaim) => string) => sql`${claims.map(value)}::text[]`;
      // One that is doubted once more since it was looked at stays so.
      await connection.rows(sql`
        UPDATE slug_claims SET doubted_at = NULL
        FROM unnest(${each(({ websiteId }) => websiteId)}, ${each(({ space }) => space)}, ${each(({ slug }) => slug)}, ${each(({ doubt }) => doubt)})
          AS looked_at (its_website, its_space, its_slug, its_doubt)
        WHERE website_id = its_website AND space = its_space AND slug = its_slug AND doubted_at = its_doubt::timestamptz`);
    },

    async listClaimedBefore(before, after, limit) {
      const rows = await connection.rows<ClaimRow>(sql`
        SELECT website_id, space, slug, owner_id, claimed_at FROM slug_claims
        WHERE claimed_at < ${before} AND ${NOT_MOVED} AND ${isAfter(after)}
        ORDER BY website_id, space, slug LIMIT ${limit}`);
      return rows.map(claimOf);
    },
  };
}

const isAfter = (after: Parameters<SlugClaims["listDoubtful"]>[1]): Fragment =>
  after ? sql`(website_id, space, slug) > (${after.websiteId}, ${after.space}, ${after.slug})` : raw("true");

const claimOf = (row: ClaimRow) => ({
  websiteId: row.website_id,
  space: row.space,
  slug: row.slug,
  ownerId: row.owner_id,
  claimedAt: row.claimed_at,
});
