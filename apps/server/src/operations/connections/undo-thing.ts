import { z } from "zod";
import { notFound } from "#domain/failure";
import { type GrantId, isId, type MediaId, type TermId } from "#domain/ids";
import type { Term } from "#domain/term";
import { textOf } from "../kernel/inputs.ts";
import { type InWebsite, websiteOperation } from "../kernel/operation.ts";
import { listThingChanges, rememberChange } from "../kernel/thing-changes.ts";
import { findMedia } from "../media/helpers/media-view.ts";
import { saveMedia } from "../media/helpers/save-media.ts";
import { claimGiven } from "../terms/helpers/claim-slug.ts";
import { removeTerm } from "../terms/helpers/remove-term.ts";
import { nextTerm, saveTerm } from "../terms/helpers/save-term.ts";
import { findTerm, slugsOfTerm } from "../terms/helpers/term-view.ts";
import { findConnection } from "./helpers/connection-view.ts";
import { fieldsOf, planUndoOfThing, type ThingUndoPlan } from "./undo/plan-undo-of-thing.ts";
import { termState } from "./undo/thing-state.ts";
import { doneItem, leftItem, undoShape, type UndoItem } from "./undo/undo-item.ts";

const thingId = z
  .string()
  .refine((id) => (["category", "tag", "author", "media"] as const).some((kind) => isId(kind, id)), "must be the id of a term or an image");

/** One change, which says whose it sets back: a later undo of another app looks through it. */
export const undoThing = websiteOperation({
  name: "undo_thing",
  summary: "Undo what a connected app changed in a category, tag, author or image.",
  permission: "connection.own",
  input: { ...undoShape, thingId, label: textOf(500).default("") },
  async run(context, { thingId: id, label, connectionId, since, until }): Promise<UndoItem> {
    await findConnection(context, connectionId);
    const plan = await inTurn(context, id, async () => {
      const planned = await planUndoOfThing(context, id, { connectionId, since, until }, null);
      if (planned.verdict === "set back") await setBack(context, id, planned, connectionId);
      return planned;
    });
    return itemOfThing({ websiteId: context.website.id, id, label: label || (await nameOf(context, id)) }, plan);
  },
  changes: "content",
  activity: (_, __, item) =>
    item.steps.length > 0 ? { target: { id: item.id, label: item.label }, details: { steps: [...item.steps] } } : null,
});

/** Terms one at a time, as they are merged and deleted: nothing is merged into one that goes meanwhile. */
const inTurn = <T>({ services, website }: InWebsite, id: string, work: () => Promise<T>): Promise<T> =>
  isId("media", id) ? work() : services.platform.withLease(website.id, "terms", work);

/** For one that a node changed and did not live to log. */
async function nameOf({ content, website }: InWebsite, id: string): Promise<string> {
  if (isId("media", id)) return (await content.media.get(website.id, id))?.filename ?? "";
  return (await content.terms.get(website.id, id as TermId))?.name ?? "";
}

export function itemOfThing(about: Pick<UndoItem, "websiteId" | "id" | "label">, plan: ThingUndoPlan): UndoItem {
  if (plan.verdict === "leave") return leftItem(about, plan.because);
  return doneItem(about, plan.verdict === "set back" ? [plan.step] : []);
}

type SetBack = Extract<ThingUndoPlan, { verdict: "set back" }>;

async function setBack(context: InWebsite, id: string, { to, history }: SetBack, undoes: GrantId): Promise<void> {
  if (isId("media", id)) {
    if (to && !("media" in to)) throw notFound("image");
    await saveMedia(context, await findMedia(context, id as MediaId), to ? to.media : { deletedAt: context.now }, undoes);
    return;
  }
  if (to && "term" in to) {
    const term = await context.content.terms.get(context.website.id, id as TermId);
    if (term) await saveTerm(context, term, nextTerm(term, fieldsOf(to.term), context.now), undoes);
    else await bringBack(context, to.term, history.version, undoes);
    return;
  }
  await removeTerm(context, await findTerm(context, id as TermId), undoes);
}

/** A deleted term comes back under its id, so that posts show it again, with the terms that were merged into it. */
async function bringBack(context: InWebsite, term: Term, version: number, undoes: GrantId): Promise<void> {
  const { content, website, now } = context;
  const deletion = (await listThingChanges(context, term.id)).findLast(({ after }) => after === null);
  const aliases = (deletion?.aliases ?? []).flatMap((alias) => termState.safeParse(alias).data ?? []);
  const back: Term = { ...term, websiteId: website.id, version: version + 1, updatedAt: now };
  await rememberChange(context, { targetId: term.id, version, before: null, after: back, undoes });
  for (const one of [back, ...aliases]) for (const slug of slugsOfTerm(one)) await claimGiven(context, one.kind, slug, one.id);
  // The term itself last: until it is there, undo can be asked for again, and does the rest.
  for (const one of [...aliases, back]) await content.terms.insert({ ...one, websiteId: website.id });
}
