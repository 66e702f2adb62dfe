import { fold } from "#domain/fold";
import type { Post } from "#domain/post";
import { liveFacets, workingFacets } from "./post-columns.ts";
import type { Steps } from "./record.ts";
import { type Fragment, raw, sql } from "./sql.ts";

/** The columns of the old row that `facetSteps` read. */
export const FACET_COLUMNS = raw(
  "website_id, id, working_facets, live_facets, created_at, live_published_at, live_updated_at, live_title_key",
);

/** Enters what a new post shows. */
export const newFacetSteps = (post: Post): Steps => [
  ...(workingFacets(post).length > 0 ? [sql`working_new AS (${newWorkingFacets(post, raw("saved"))})`] : []),
  ...(liveFacets(post).length > 0 ? [sql`live_new AS (${newLiveFacets(post, raw("saved"))})`] : []),
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
 * Removes the facets that `before` had and that are not kept. They are gathered first, behind `OFFSET 0`: else the planner may begin with the
 * facets that are stored, and read those of all posts of the website to find out that none of them is to be removed.
 */
export const facetsGone = (table: "working_facets" | "live_facets", kept: Fragment): Fragment => sql`
  DELETE FROM ${raw(table)} AS stored USING (
    SELECT before.website_id, before.id, facet FROM saved, before, unnest(before.${raw(table)}) AS facet
    WHERE facet <> ALL (${kept}) OFFSET 0
  ) AS gone
  WHERE stored.website_id = gone.website_id AND stored.facet = gone.facet AND stored.post_id = gone.id`;

/**
 * Brings the facet tables to what the saved post shows. A save that changes none of it, as most autosaves do, touches no row
 * of them. Facets change only with the version, so what `before` saw is still so when the version was found unchanged.
 */
export function facetSteps(post: Post): Steps {
  const { live } = post;
  const working = sql`${workingFacets(post)}::text[]`;
  const shown = sql`${liveFacets(post)}::text[]`;
  return [
    sql`working_gone AS (${facetsGone("working_facets", working)})`,
    sql`working_new AS (${newWorkingFacets(post, sql`(SELECT FROM before, saved WHERE working_facets <> ${working}) AS changed`)})`,
    sql`live_gone AS (${facetsGone("live_facets", shown)})`,
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
