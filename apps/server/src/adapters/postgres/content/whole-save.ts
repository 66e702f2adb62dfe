import { pendingRevisionOf } from "#domain/pending-revision";
import type { WholeSave, WholeSaveResult } from "#ports/whole-save";
import { inForce } from "../connections/in-force.ts";
import { toolSaveWrite } from "../connections/saves.ts";
import { activityWrite } from "../platform/activity-log.ts";
import { freshEventSteps } from "../platform/event-log.ts";
import { claimWrite, isTaken } from "./claims.ts";
import { FACET_COLUMNS, facetSteps, newFacetSteps } from "./facet-steps.ts";
import {
  bigTexts,
  changedTextColumns,
  editedColumns,
  isEditedOnly,
  liveFacets,
  smallColumns,
  textColumns,
  workingFacets,
  workingText,
} from "./post-columns.ts";
import { recordOf } from "./post-record.ts";
import { type Around, inserting, saving, savingUnseen, type Steps } from "./record.ts";
import { revisionStep } from "./settle.ts";
import { every, type Fragment, raw, sql } from "./sql.ts";

const SAVED = raw("saved");

/** The one row that a save answers. */
export interface WholeSaveRow {
  readonly saved: boolean;
  readonly taken: boolean;
}

/**
 * Everything that a save concerns, in one statement: one round trip, one commit. Locks are taken in this order: the tool's connection (only where
 * a tool saves), the website's counters, the slug, the post. Every other write keeps this order, so two cannot wait for each other. The
 * remaining steps write only if the post was written.
 */
export function wholeSave(save: WholeSave): Fragment {
  const { post, before, visible } = save;
  const small = smallColumns({ ...post, pendingEvents: [], pendingRevision: null });
  const texts = bigTexts(post);
  const record = recordOf(post, visible);
  return answering(save, (steps, around) =>
    before
      ? saving(
          { ...record, from: post.version - 1 },
          { ...small, ...changedTextColumns(texts) },
          [...facetSteps(post), ...steps],
          FACET_COLUMNS,
          around,
        )
      : inserting(record, { ...small, ...textColumns(texts) }, [...newFacetSteps(post), ...steps], around),
  );
}

/**
 * The cheaper statement for a save that changes only the written content, as most saves do: it sets half of the columns and does not touch the
 * facet tables. The stored facets must equal the post's; where they differ it answers "stale" although the version is right, so the caller
 * repeats a stale save with `wholeSave`. Null: the save changes more than that.
 */
export function editingSave(save: WholeSave): Fragment | null {
  const { post, before, visible } = save;
  if (!before || visible || !isEditedOnly(before, post)) return null;
  const only = sql`working_facets = ${workingFacets(post)}::text[] AND live_facets = ${liveFacets(post)}::text[]`;
  const record = { ...recordOf(post, false), from: post.version - 1, only };
  const columns = { ...editedColumns(post), ...changedTextColumns([workingText(post)]) };
  return answering(save, (steps, around) => savingUnseen(record, columns, steps, around));
}

/** `write` answers the statement that writes the post, with these steps. */
function answering(save: WholeSave, write: (steps: Steps, around: Around) => Fragment): Fragment {
  const { post, claim, onlyWhile } = save;
  const { websiteId } = post;
  const revision = pendingRevisionOf(post);
  const steps = [...(revision ? [revisionStep(revision, SAVED)] : []), ...platformSteps(save)];
  const around: Around = {
    another: revision && { ...revision, kind: "revision" },
    ...(claim && { claim: sql`claimed AS (${claimWrite(websiteId, "post", claim, raw("counted"))} RETURNING owner_id)` }),
    when: every([
      ...(claim ? [sql`NOT EXISTS (${isTaken(websiteId, "post", claim)})`] : []),
      // Part of the condition of `counted`, so that the tool's connection is locked before the counters.
      ...(onlyWhile ? [sql`EXISTS (${inForce(onlyWhile)})`] : []),
    ]),
  };
  // Taken before this began, or while it waited for the one that took it.
  const taken = claim
    ? sql`EXISTS (${isTaken(websiteId, "post", claim)}) OR (EXISTS (SELECT FROM counted) AND NOT EXISTS (SELECT FROM claimed))`
    : raw("false");
  return sql`${write(steps, around)} SELECT EXISTS (SELECT FROM saved) AS saved, ${taken} AS taken`;
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
