import { fold } from "#domain/fold";
import type { Post } from "#domain/post";
import { liveFacets, workingFacets } from "./post-columns.ts";
import type { Steps } from "./record.ts";
import { type Fragment, raw, sql } from "./sql.ts";

/** The columns of the old row that `facetSteps` read. */
export const FACET_COLUMNS = raw("working_facets, live_facets, created_at, live_published_at, live_updated_at, live_title_key");

/** Enters what a new post shows. */
export const newFacetSteps = (post: Post): Steps => [
  sql`working_new AS (${newWorkingFacets(post, raw("saved"))})`,
  sql`live_new AS (${newLiveFacets(post, raw("saved"))})`,
];

const newWorkingFacets = (post: Post, from: Fragment): Fragment => sql`
  INSERT INTO working_facets (website_id, facet, post_id)
  SELECT ${post.websiteId}, facet, ${post.id} FROM ${from}, unnest(${workingFacets(post)}::text[]) AS facet
  ON CONFLICT DO NOTHING`;

function newLiveFacets(post: Post, from: Fragment): Fragment {
  const { live } = post;
  return sql`
    INSERT INTO live_facets (website_id, facet, post_id, published_at, created_at, updated_at, title_key)
    SELECT ${post.websiteId}, facet, ${post.id}, ${live && live.publishedAt}::timestamptz, ${post.createdAt}::timestamptz,
      ${live && live.updatedAt}::timestamptz, ${live && fold(live.content.title)}
    FROM ${from}, unnest(${liveFacets(post)}::text[]) AS facet
    ON CONFLICT (website_id, facet, post_id) DO UPDATE SET
      published_at = excluded.published_at, created_at = excluded.created_at,
      updated_at = excluded.updated_at, title_key = excluded.title_key`;
}

/**
 * Brings the facet tables to what the saved post shows. A save that changes none of it, as most autosaves do, touches no row
 * of them. Facets change only with the version, so what `before` saw is still so when the version was found unchanged.
 */
export function facetSteps(post: Post): Steps {
  const { live } = post;
  const mine = sql`website_id = ${post.websiteId} AND post_id = ${post.id}`;
  const working = sql`${workingFacets(post)}::text[]`;
  const shown = sql`${liveFacets(post)}::text[]`;
  const saved = sql`(SELECT before.* FROM before, saved)`;
  return [
    sql`working_gone AS (
      DELETE FROM working_facets USING ${saved} AS before
      WHERE ${mine} AND facet = ANY (before.working_facets) AND facet <> ALL (${working})
    )`,
    sql`working_new AS (${newWorkingFacets(post, sql`(SELECT FROM before, saved WHERE working_facets <> ${working}) AS changed`)})`,
    sql`live_gone AS (
      DELETE FROM live_facets USING ${saved} AS before
      WHERE ${mine} AND facet = ANY (before.live_facets) AND facet <> ALL (${shown})
    )`,
    sql`live_new AS (${newLiveFacets(
      post,
      sql`(
        SELECT FROM before, saved
        WHERE (live_facets, created_at, live_published_at, live_updated_at, live_title_key) IS DISTINCT FROM
          (${shown}, ${post.createdAt}::timestamptz, ${live && live.publishedAt}::timestamptz, ${live && live.updatedAt}::timestamptz, ${live && fold(live.content.title)})
      ) AS changed`,
    )})`,
  ];
}
