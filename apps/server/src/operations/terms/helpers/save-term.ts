import type { ReaderEffect } from "#domain/reader-effect";
import type { Term } from "#domain/term";
import type { Thing } from "../../kernel/hold-thing.ts";
import type { InWebsite } from "../../kernel/operation.ts";
import { rememberChange, type ThingChange } from "../../kernel/thing-changes.ts";
import { versionConflict } from "../../kernel/version-conflict.ts";
import { claimGiven } from "./claim-slug.ts";
import { slugsOfTerm } from "./term-view.ts";

/** A term with the fields that people change. */
export const termThing = ({ id, version, name, slug, description, profile }: Term): Thing => ({
  id,
  label: name,
  version,
  fields: { name, slug, description, profile },
});

/** How a change of the term reaches readers: through the live posts that show it, or one merged into it. */
export async function termEffect({ content, website }: InWebsite, term: Term, effect: ReaderEffect): Promise<ReaderEffect | null> {
  const groups = await content.terms.facetGroups(website.id, [term.id]);
  const [posts = 0] = await content.posts.countLiveByFacet(website.id, groups);
  return posts > 0 ? effect : null;
}

/** Saves the next version with the slug it needs, or says that someone else was first. */
export async function saveTerm(context: InWebsite, term: Term, next: Term, undoes?: ThingChange["undoes"]): Promise<Term> {
  const { content, website } = context;
  const isNewSlug = !slugsOfTerm(term).includes(next.slug);
  const takenFrom = isNewSlug ? await claimGiven(context, term.kind, next.slug, term.id) : null;
  await rememberChange(context, { targetId: term.id, version: term.version, before: term, after: next, ...(undoes && { undoes }) });
  if ((await content.terms.save(next)) === "saved") return next;
  const current = await content.terms.get(website.id, term.id);
  const winnerHasIt = current !== null && slugsOfTerm(current).includes(next.slug);
  if (takenFrom && !winnerHasIt) await content.claims.move(website.id, term.kind, next.slug, term.id, takenFrom);
  // Any other slug that was claimed in vain is freed by the sweep: only it can tell that nobody is about to use it.
  throw versionConflict(term.kind, current?.version ?? null);
}

/** The next version of a term with other fields. The old slug keeps its claim, so that it goes on leading here. */
export const nextTerm = (
  term: Term,
  fields: Partial<Pick<Term, "name" | "slug" | "description" | "profile" | "mergedInto">>,
  now: Term["updatedAt"],
): Term => {
  const next = { ...term, ...fields, version: term.version + 1, updatedAt: now };
  return { ...next, pastSlugs: [...new Set([...term.pastSlugs, term.slug])].filter((past) => past !== next.slug) };
};
