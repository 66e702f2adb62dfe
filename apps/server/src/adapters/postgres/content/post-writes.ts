import { fold } from "#domain/fold";
import type { Post } from "#domain/post";
import type { PostStore } from "#ports/content-store";
import type { Connection } from "./connection.ts";
import {
  bigTexts,
  changedTextColumns,
  liveFacets,
  renderingColumns,
  renderingTexts,
  smallColumns,
  textColumns,
  workingFacets,
} from "./post-columns.ts";
import { deleteRecord, insertRecord, type StoredRecord, saveRecord, type Steps } from "./record.ts";
import { revisionSteps, settlePost } from "./settle.ts";
import { type Fragment, raw, sql } from "./sql.ts";

type Writes = Pick<PostStore, "insert" | "save" | "purge" | "settle" | "saveRendering">;

/** What the steps below need to know of the row as it was. */
const FACETS_BEFORE = raw("working_facets, live_facets, created_at, live_published_at, live_updated_at, live_title_key");

export function postWrites(connection: Connection): Writes {
  return {
    insert: (post, { visible }) =>
      insertRecord(connection, recordOf(post, visible), { ...smallColumns(post), ...textColumns(bigTexts(post)) }, [
        sql`working_new AS (${newWorkingFacets(post, raw("saved"))})`,
        sql`live_new AS (${newLiveFacets(post, raw("saved"))})`,
      ]),

    async save(post, { visible, revision }) {
      const saved = await saveRecord(
        connection,
        { ...recordOf(post, visible), from: post.version - 1, records: revision ? 2 : 1 },
        { ...smallColumns(revision ? { ...post, pendingRevision: null } : post), ...changedTextColumns(bigTexts(post)) },
        [...facetSteps(post), ...(revision ? revisionSteps(revision, raw("saved")) : [])],
        FACETS_BEFORE,
      );
      return saved === "saved" && revision ? "settled" : saved;
    },

    purge: (websiteId, id, version) =>
      connection.transaction(async (transaction) => {
        // Locked in a statement of its own, so that the next one sees every revision that was put until now.
        await transaction.rows(sql`SELECT FROM website_content WHERE website_id = ${websiteId} FOR UPDATE`);
        const mine = sql`website_id = ${websiteId} AND post_id = ${id}`;
        return deleteRecord(
          transaction,
          // Nobody could see it in the trash; whoever purges a published post takes it off line.
          { table: "posts", kind: "post", websiteId, id, from: version, visible: sql`SELECT status = 'published' FROM before` },
          [
            sql`working_gone AS (DELETE FROM working_facets USING saved, before WHERE ${mine} AND facet = ANY (before.working_facets))`,
            sql`live_gone AS (DELETE FROM live_facets USING saved, before WHERE ${mine} AND facet = ANY (before.live_facets))`,
            sql`revisions_gone AS (DELETE FROM revisions USING saved WHERE ${mine})`,
            // The post's removal stands for its revisions too.
            sql`revisions_unfed AS (DELETE FROM content_changes USING saved WHERE ${mine} AND kind = 'revision' AND NOT removed)`,
          ],
          raw("status, working_facets, live_facets"),
        );
      }),

    settle: (websiteId, id, settled) => settlePost(connection, websiteId, id, settled),

    saveRendering: ({ websiteId, id }, version, rendering) =>
      saveRecord(
        connection,
        { table: "posts", kind: "post", websiteId, id, from: version, visible: true, only: raw("live_renderer_version IS NOT NULL") },
        { ...renderingColumns(rendering), ...changedTextColumns(renderingTexts(rendering)) },
      ),
  };
}

const recordOf = (post: Post, visible: boolean): StoredRecord => ({
  table: "posts",
  kind: "post",
  websiteId: post.websiteId,
  id: post.id,
  visible,
});

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
function facetSteps(post: Post): Steps {
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
