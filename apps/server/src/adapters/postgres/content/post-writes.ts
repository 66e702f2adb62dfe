import type { PostStore } from "#ports/content-store";
import type { Connection } from "./connection.ts";
import { FACET_COLUMNS, facetsGone, facetSteps, newFacetSteps } from "./facet-steps.ts";
import { bigTexts, changedTextColumns, renderingColumns, renderingTexts, smallColumns, textColumns } from "./post-columns.ts";
import { recordOf } from "./post-record.ts";
import { deleteRecord, insertRecord, putRecordIfNewer, saveRecord } from "./record.ts";
import { settlePost } from "./settle.ts";
import { sharedCommits } from "./shared-commits.ts";
import { raw, sql } from "./sql.ts";
import { editingSave, wholeSave, wholeSaveResult, type WholeSaveRow } from "./whole-save.ts";

type Writes = Pick<PostStore, "insert" | "save" | "putIfNewer" | "saveWhole" | "purge" | "settle" | "saveRendering">;

export function postWrites(connection: Connection): Writes {
  const share = sharedCommits<WholeSaveRow>(connection);
  return {
    insert: (post, { visible }) =>
      insertRecord(connection, recordOf(post, visible), { ...smallColumns(post), ...textColumns(bigTexts(post)) }, newFacetSteps(post)),

    save: (post, { visible }) =>
      saveRecord(
        connection,
        { ...recordOf(post, visible), from: post.version - 1 },
        { ...smallColumns(post), ...changedTextColumns(bigTexts(post)) },
        facetSteps(post),
        FACET_COLUMNS,
      ),

    putIfNewer: (post) =>
      putRecordIfNewer(connection, recordOf(post, false), {
        version: post.version,
        insert: { columns: { ...smallColumns(post), ...textColumns(bigTexts(post)) }, steps: newFacetSteps(post) },
        replace: {
          columns: { ...smallColumns(post), ...changedTextColumns(bigTexts(post)) },
          steps: facetSteps(post),
          keeping: FACET_COLUMNS,
        },
      }),

    async saveWhole(save) {
      const { websiteId } = save.post;
      const editing = editingSave(save);
      const edited = editing && wholeSaveResult(await share(websiteId, editing));
      return edited && edited !== "stale" ? edited : wholeSaveResult(await share(websiteId, wholeSave(save)));
    },

    purge: (websiteId, id, version) =>
      connection.transaction(async (transaction) => {
        // Locked in a statement of its own, so that the next one sees every revision that was put until now.
        await transaction.rows(sql`SELECT FROM website_content WHERE website_id = ${websiteId} FOR UPDATE`);
        const mine = sql`website_id = ${websiteId} AND post_id = ${id}`;
        return deleteRecord(
          transaction,
          // Nobody could see it in the trash; purging a published post takes it offline.
          { table: "posts", kind: "post", websiteId, id, from: version, visible: sql`SELECT status = 'published' FROM before` },
          [
            sql`working_gone AS (${facetsGone("working_facets", sql`${[]}::text[]`)})`,
            sql`live_gone AS (${facetsGone("live_facets", sql`${[]}::text[]`)})`,
            sql`revisions_gone AS (DELETE FROM revisions USING saved WHERE ${mine})`,
            // The post's removal stands for its revisions too.
            sql`revisions_unfed AS (DELETE FROM content_changes USING saved WHERE ${mine} AND kind = 'revision' AND NOT removed)`,
          ],
          raw("website_id, id, status, working_facets, live_facets"),
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
