import { Failure } from "#domain/failure";
import { isId, type MediaId, type TermId } from "#domain/ids";
import type { ChangedThing } from "#ports/connections";
import { execute } from "../../kernel/execute.ts";
import { hasPermission } from "../../kernel/has-permission.ts";
import type { InWebsite } from "../../kernel/operation.ts";
import { deleteMedia } from "../../media/delete-media.ts";
import { findUse, isUsed } from "../../media/helpers/media-view.ts";
import { restoreMedia } from "../../media/restore-media.ts";
import { deleteTerm } from "../../terms/delete-term.ts";
import { withCount } from "../../terms/helpers/term-view.ts";
import type { UndoRequest } from "./plan-undo-of-post.ts";
import { useAfterUndo } from "./use-after-undo.ts";
import { doneItem, isOutage, leftItem, type UndoItem } from "./undo-item.ts";

/**
 * What undo does with a term or an image that the connection made or changed; null: nothing. They have no revisions, so only what
 * it made is taken away, and only when nobody else changed or uses it. `ahead`: the undo that a preview is about, by which posts may
 * still let go of it; null when the posts are back.
 */
export async function planUndoOfThing(context: InWebsite, thing: ChangedThing, ahead: UndoRequest | null): Promise<UndoItem | null> {
  return isId("media", thing.id) ? planUndoOfImage(context, thing, thing.id, ahead) : planUndoOfTerm(context, thing, ahead);
}

async function planUndoOfTerm(context: InWebsite, thing: ChangedThing, ahead: UndoRequest | null): Promise<UndoItem | null> {
  const term = await context.content.terms.get(context.website.id, thing.id as TermId);
  if (!term) return thing.created ? null : leftItem(thing, "gone");
  if (!thing.created) return leftItem(thing, "no revisions");
  if (!isOnlyOurs(thing, term.version)) return leftItem(thing, "changed by others");
  if (!hasPermission(context, "term.delete")) return leftItem(thing, "not allowed");
  const { postCount } = await withCount(context, term);
  if (postCount === 0) return doneItem(thing, ["delete"]);
  if (!ahead) return leftItem(thing, "in use");
  const [facets = []] = await context.content.terms.facetGroups(context.website.id, [term.id]);
  return foreseen(thing, await useAfterUndo(context, facets, postCount, ahead), "delete");
}

async function planUndoOfImage(context: InWebsite, thing: ChangedThing, id: MediaId, ahead: UndoRequest | null): Promise<UndoItem | null> {
  const media = await context.content.media.get(context.website.id, id);
  if (!media) return thing.created ? null : leftItem(thing, "gone");
  const isTrashed = media.deletedAt !== null;
  if (isTrashed && thing.created) return null;
  if (!isTrashed && !thing.created) return leftItem(thing, "no revisions");
  if (thing.created ? !isOnlyOurs(thing, media.version) : media.version !== thing.lastVersion) return leftItem(thing, "changed by others");
  if (!hasPermission(context, isTrashed ? "media.manage" : "media.delete")) return leftItem(thing, "not allowed");
  if (isTrashed) return doneItem(thing, ["restore image"]);
  const use = await findUse(context, id);
  if (!isUsed(use)) return doneItem(thing, ["trash"]);
  if (!ahead) return leftItem(thing, "in use");
  const after = await useAfterUndo(context, [id], use.postCount, ahead);
  // An author whose portrait it is may go before it.
  return foreseen(thing, after === "unused" && use.authors.length > 0 ? "unsure" : after, "trash");
}

function foreseen(thing: ChangedThing, after: Awaited<ReturnType<typeof useAfterUndo>>, step: "delete" | "trash"): UndoItem {
  if (after === "used") return leftItem(thing, "in use");
  return doneItem(thing, [after === "unused" ? step : `${step} if unused`]);
}

const isOnlyOurs = (thing: ChangedThing, version: number): boolean => thing.lastVersion === version && thing.versions === version;

/** Through the same operations as by hand, each with its line in the activity log. */
export async function undoThing(context: InWebsite, thing: ChangedThing): Promise<UndoItem | null> {
  const item = await planUndoOfThing(context, thing, null);
  const [step] = item?.steps ?? [];
  if (!step) return item;
  const { services, actor, website } = context;
  const here = { websiteId: website.id };
  try {
    if (step === "delete") await execute(services, deleteTerm, actor, { ...here, termId: thing.id, expectedVersion: thing.lastVersion });
    else if (step === "restore image") await execute(services, restoreMedia, actor, { ...here, mediaId: thing.id });
    else await execute(services, deleteMedia, actor, { ...here, mediaId: thing.id, expectedVersion: thing.lastVersion });
    return item;
  } catch (error) {
    if (error instanceof Failure && !isOutage(error)) return leftItem(thing, "failed", { message: error.message });
    throw error;
  }
}
