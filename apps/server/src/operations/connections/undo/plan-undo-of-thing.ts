import { isDeepStrictEqual } from "node:util";
import { isId, type MediaId, type TermId } from "#domain/ids";
import { type ImageEdit, withoutRevision } from "#domain/image-edit";
import type { JsonObject } from "#domain/json";
import type { Media } from "#domain/media";
import type { Term } from "#domain/term";
import { hasPermission } from "../../kernel/has-permission.ts";
import type { InWebsite } from "../../kernel/operation.ts";
import { listThingChanges } from "../../kernel/thing-changes.ts";
import { findUse, isUsed } from "../../media/helpers/media-view.ts";
import { changeable } from "../../media/helpers/save-media.ts";
import { withCount } from "../../terms/helpers/term-view.ts";
import type { UndoRequest } from "./plan-undo-of-post.ts";
import { readThingHistory, type ThingHistory } from "./thing-history.ts";
import { mediaState, termState } from "./thing-state.ts";
import { type LeftBecause, type ThingStep } from "./undo-item.ts";
import { useAfterUndo } from "./use-after-undo.ts";

export type ThingUndoPlan =
  | { readonly verdict: "nothing to do" }
  | { readonly verdict: "leave"; readonly because: LeftBecause }
  | {
      readonly verdict: "set back";
      readonly step: ThingStep;
      readonly history: ThingHistory;
      /** The state to go back to, which differs from the present one; null: the connection made it. */
      readonly to:
        | { readonly term: Term }
        | { readonly media: Pick<Media, "filename" | "alt" | "deletedAt"> & { readonly edit: ImageEdit | null } }
        | null;
    };

const leave = (because: LeftBecause): ThingUndoPlan => ({ verdict: "leave", because });

/**
 * What undo does with a term or an image that the connection made or changed. Like a post it is set back only when every version since is the
 * connection's, or cancelled by an undo; what the connection made goes only if nothing uses it. `ahead`: the undo that a preview is about,
 * by which posts may still let go of it; null when the posts are back.
 */
export async function planUndoOfThing(
  context: InWebsite,
  id: string,
  request: UndoRequest,
  ahead: UndoRequest | null,
): Promise<ThingUndoPlan> {
  const { content, website } = context;
  const isMedia = isId("media", id);
  const media = isMedia ? await content.media.get(website.id, id as MediaId) : null;
  const term = isMedia ? null : await content.terms.get(website.id, id as TermId);
  const current = media ? plain(changeable(media)) : term && plain(term);
  const changes = await listThingChanges(context, id);
  if (changes.length === 0) return leave(current ? "history missing" : "gone");
  const history = readThingHistory(changes, current, request);
  if (!history) return { verdict: "nothing to do" };
  if (isMedia && !media) return leave("gone");
  if (history.changedByOthers) return leave("changed by others");
  if (history.changedAgain) return leave("changed again");
  const { before } = history.first;
  if (before === null)
    return media
      ? planRemoval(context, history, media, ahead)
      : term
        ? planDeletion(context, history, term, ahead)
        : { verdict: "nothing to do" };
  if (media) {
    const parsed = mediaState.safeParse(before);
    if (!parsed.success) return leave("history missing");
    const { deletedAt } = parsed.data;
    const present = {
      filename: media.filename,
      alt: media.alt,
      deletedAt: media.deletedAt,
      edit: media.edit && withoutRevision(media.edit),
    };
    if (isDeepStrictEqual(parsed.data, present)) {
      return { verdict: "nothing to do" };
    }
    if (!hasPermission(context, "media.manage")) return leave("not allowed");
    const step = media.deletedAt !== null && deletedAt === null ? "restore image" : "set back";
    return { verdict: "set back", step, history, to: { media: parsed.data } };
  }
  const parsed = termState.safeParse(before);
  if (!parsed.success) return leave("history missing");
  if (!hasPermission(context, "term.manage")) return leave("not allowed");
  if (term && isDeepStrictEqual(fieldsOf(parsed.data), fieldsOf(term))) return { verdict: "nothing to do" };
  return { verdict: "set back", step: term ? "set back" : "bring back", history, to: { term: parsed.data } };
}

export const fieldsOf = ({ name, slug, description, profile, mergedInto }: Term) => ({ name, slug, description, profile, mergedInto });

const plain = (state: object): JsonObject => JSON.parse(JSON.stringify(state)) as JsonObject;

async function planDeletion(context: InWebsite, history: ThingHistory, term: Term, ahead: UndoRequest | null): Promise<ThingUndoPlan> {
  if (!hasPermission(context, "term.delete")) return leave("not allowed");
  const { postCount } = await withCount(context, term);
  const [facets = []] = await context.content.terms.facetGroups(context.website.id, [term.id]);
  return removal(history, "delete", postCount === 0 ? "unused" : ahead ? await useAfterUndo(context, facets, postCount, ahead) : "used");
}

async function planRemoval(context: InWebsite, history: ThingHistory, media: Media, ahead: UndoRequest | null): Promise<ThingUndoPlan> {
  if (media.deletedAt !== null) return { verdict: "nothing to do" };
  if (!hasPermission(context, "media.delete")) return leave("not allowed");
  const use = await findUse(context, media.id);
  if (!isUsed(use)) return removal(history, "trash", "unused");
  const after = ahead ? await useAfterUndo(context, [media.id], use.postCount, ahead) : "used";
  // An author whose portrait it is may go before it.
  return removal(history, "trash", after === "unused" && use.authors.length > 0 ? "unsure" : after);
}

function removal(history: ThingHistory, step: "delete" | "trash", use: "used" | "unused" | "unsure"): ThingUndoPlan {
  if (use === "used") return leave("in use");
  return { verdict: "set back", step: use === "unused" ? step : `${step} if unused`, history, to: null };
}
