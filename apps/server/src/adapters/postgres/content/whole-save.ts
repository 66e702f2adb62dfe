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
import { type Around, inserting, saving, type Steps } from "./record.ts";
import { revisionStep } from "./settle.ts";
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
  const { post, before } = save;
  const stored = { ...post, pendingEvents: [], pendingRevision: null };
  const small = smallColumns(stored);
  const texts = bigTexts(post);
  return before
    ? replacing(save, { columns: { ...small, ...changedTextColumns(texts) }, steps: facetSteps(post), keeping: FACET_COLUMNS })
    : answering(save, (steps, around) =>
        inserting(recordOf(post, save.visible), { ...small, ...textColumns(texts) }, [...newFacetSteps(post), ...steps], around),
      );
}

/**
 * The same for a save that changes what is written and nothing else, as most do: half of the columns, and no facet is looked at. The row must be
 * filed under what the post says, else it answers "stale" without a reason to: `wholeSave` then does it. Null: more is changed.
 */
export function editingSave(save: WholeSave): Fragment | null {
  const { post, before } = save;
  if (!before || !isEditedOnly(before, post)) return null;
  return replacing(save, {
    columns: { ...editedColumns(post), ...changedTextColumns([workingText(post)]) },
    only: sql`working_facets = ${workingFacets(post)}::text[] AND live_facets = ${liveFacets(post)}::text[]`,
  });
}

interface Replacement {
  readonly columns: Readonly<Record<string, unknown>>;
  readonly steps?: Steps;
  readonly keeping?: Fragment;
  readonly only?: Fragment;
}

const replacing = (save: WholeSave, { columns, steps = [], keeping = raw("id"), only }: Replacement): Fragment =>
  answering(save, (more, around) =>
    saving({ ...recordOf(save.post, save.visible), from: save.post.version - 1, only }, columns, [...steps, ...more], keeping, around),
  );

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
      // The connection of a tool is locked before everything else.
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
