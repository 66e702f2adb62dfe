import type { PostId, WebsiteId } from "#domain/ids";
import type { Revision } from "#domain/post";
import type { PostStore } from "#ports/content-store";
import type { Connection } from "./connection.ts";
import { putRevision } from "./revision-row.ts";
import { type Fragment, nothing, raw, sql } from "./sql.ts";
import { takeChangeNumbers, addToFeed } from "./change-numbers.ts";

/** Takes what is settled out of the post and puts the revision, in one statement; the version stays. */
export async function settlePost(
  connection: Connection,
  websiteId: WebsiteId,
  id: PostId,
  settled: Parameters<PostStore["settle"]>[2],
): Promise<void> {
  const { revision } = settled;
  const events = sql`${settled.eventIds}::text[]`;
  // A folded revision keeps its id while its content grows: only what is pending in this state, or an older one, is settled.
  const revisionSettled: Fragment = revision
    ? sql`(pending_revision_id = ${revision.id} AND pending_revision_version <= ${revision.version})`
    : raw("false");
  await connection.prepared(sql`
    WITH ${takeChangeNumbers(websiteId, {
      visible: false,
      records: revision ? 2 : 1,
      condition: sql`EXISTS (
        SELECT FROM posts WHERE website_id = ${websiteId} AND id = ${id} AND (${revision !== null} OR pending_event_ids && ${events})
      )`,
    })},
    settled AS (
      UPDATE posts SET
        pending_events = ARRAY(
          SELECT event FROM unnest(pending_events, pending_event_ids) WITH ORDINALITY AS pending (event, event_id, position)
          WHERE event_id <> ALL (${events}) ORDER BY position
        ),
        pending_event_ids = ARRAY(
          SELECT event_id FROM unnest(pending_event_ids) WITH ORDINALITY AS pending (event_id, position)
          WHERE event_id <> ALL (${events}) ORDER BY position
        ),
        pending_revision = CASE WHEN ${revisionSettled} THEN NULL ELSE pending_revision END,
        pending_revision_id = CASE WHEN ${revisionSettled} THEN NULL ELSE pending_revision_id END,
        pending_revision_version = CASE WHEN ${revisionSettled} THEN NULL ELSE pending_revision_version END
      FROM counted
      WHERE posts.website_id = ${websiteId} AND posts.id = ${id}
      RETURNING posts.id
    ),
    ${revision ? sql`${revisionStep(revision, raw("settled"))},` : nothing}
    fed AS (${addToFeed({ websiteId, kind: "post", id }, raw("settled"), revision && { ...revision, kind: "revision" })})
    SELECT FROM settled`);
}

/** Puts the revision of a post that is written in the same statement. */
export const revisionStep = (revision: Revision, from: Fragment): Fragment =>
  sql`put AS (${putRevision(revision, from)} WHERE revisions.version <= excluded.version)`;
