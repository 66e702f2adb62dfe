import { pendingRevisionOf } from "#domain/pending-revision";
import type { WholeSave, WholeSaveResult } from "#ports/whole-save";
import { inForce } from "../connections/in-force.ts";
import { toolSaveWrite } from "../connections/saves.ts";
import { activityWrite } from "../platform/activity-log.ts";
import { freshEventSteps } from "../platform/event-log.ts";
import { claimWrite, isTaken } from "./claims.ts";
import { FACET_COLUMNS, facetSteps, newFacetSteps } from "./facet-steps.ts";
import { bigTexts, changedTextColumns, smallColumns, textColumns } from "./post-columns.ts";
import { recordOf } from "./post-record.ts";
import { type Around, inserting, saving, type Steps } from "./record.ts";
import { revisionSteps } from "./settle.ts";
import { every, type Fragment, raw, sql } from "./sql.ts";

const SAVED = raw("saved");

/** The one row that a save answers. */
export interface WholeSaveRow {
  readonly saved: boolean;
  readonly taken: boolean;
}

/**
 * Everything that a save concerns, in one statement: one round trip, one commit. The counters of the website are locked first, then the
 * slug, then the post; the rest is written only if the post was. Nothing else takes those locks in another order.
 */
export function wholeSave(save: WholeSave): Fragment {
  const { post, isNew, visible, claim, onlyWhile } = save;
  const { websiteId } = post;
  const revision = pendingRevisionOf(post);
  const stored = { ...post, pendingEvents: [], pendingRevision: null };
  const record = recordOf(post, visible);
  const steps = [...(revision ? revisionSteps(revision, SAVED) : []), ...platformSteps(save)];
  const around: Around = {
    records: revision ? 2 : 1,
    ...(claim && { claim: sql`claimed AS (${claimWrite(websiteId, "post", claim, raw("counted"))} RETURNING owner_id)` }),
    when: every([
      ...(claim ? [sql`NOT EXISTS (${isTaken(websiteId, "post", claim)})`] : []),
      // The connection of a tool is locked before everything else.
      ...(onlyWhile ? [sql`EXISTS (${inForce(onlyWhile)})`] : []),
    ]),
  };
  const small = smallColumns(stored);
  const texts = bigTexts(post);
  const writing = isNew
    ? inserting(record, { ...small, ...textColumns(texts) }, [...newFacetSteps(post), ...steps], around)
    : saving(
        { ...record, from: post.version - 1 },
        { ...small, ...changedTextColumns(texts) },
        [...facetSteps(post), ...steps],
        FACET_COLUMNS,
        around,
      );
  // Taken before this began, or while it waited for the one that took it.
  const taken = claim
    ? sql`EXISTS (${isTaken(websiteId, "post", claim)}) OR (EXISTS (SELECT FROM counted) AND NOT EXISTS (SELECT FROM claimed))`
    : raw("false");
  return sql`${writing} SELECT EXISTS (SELECT FROM saved) AS saved, ${taken} AS taken`;
}

/** What became of it. */
export const wholeSaveResult = ({ saved, taken }: WholeSaveRow): WholeSaveResult => (saved ? "saved" : taken ? "slug taken" : "stale");

/** The platform's records about a save, and the claims that it ends. */
function platformSteps({ post, release, now, toolSave, lines }: WholeSave): Steps {
  const { websiteId, id, pendingEvents } = post;
  return [
    ...(release.length > 0
      ? [
          sql`released AS (
            DELETE FROM slug_claims USING saved
            WHERE website_id = ${websiteId} AND space = 'post' AND slug = ANY (${release}::text[]) AND owner_id = ${id} AND claimed_at < ${now}
          )`,
        ]
      : []),
    ...freshEventSteps(websiteId, pendingEvents, SAVED),
    ...(toolSave ? [sql`remembered AS (${toolSaveWrite(toolSave, SAVED)})`] : []),
    ...lines.map((line, index) => sql`${raw(`line_${index}`)} AS (${activityWrite(line, SAVED)})`),
  ];
}
