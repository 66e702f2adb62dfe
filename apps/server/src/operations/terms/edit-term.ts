import type { Term } from "#domain/term";
import { versionConflict } from "../kernel/version-conflict.ts";
import { expectedVersion, nameOf, textOf } from "../kernel/inputs.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { claimGiven } from "./helpers/claim-slug.ts";
import { applyProfile, profileInput, slugInput, termId } from "./helpers/term-input.ts";
import { aboutTerm, findTerm, requireUnmerged, slugsOfTerm, type TermView, withCount } from "./helpers/term-view.ts";

/** Answers change at once; no post is touched and no event is sent. */
export const editTerm = websiteOperation({
  name: "edit_term",
  summary: "Change a category, tag or author; an old slug redirects to it.",
  permission: "term.manage",
  input: {
    termId,
    expectedVersion,
    name: nameOf().optional(),
    slug: slugInput.optional(),
    description: textOf(2_000).optional(),
    profile: profileInput.optional(),
  },
  async run(context, input): Promise<TermView> {
    const { content, website, now } = context;
    const term = requireUnmerged(await findTerm(context, input.termId));
    if (term.version !== input.expectedVersion) throw versionConflict(term.kind, term.version);
    const profile = await applyProfile(context, term.kind, term.profile, input.profile);
    const slug = input.slug ?? term.slug;
    const isNewSlug = !slugsOfTerm(term).includes(slug);
    const takenFrom = isNewSlug ? await claimGiven(context, term.kind, slug, term.id) : null;
    const next: Term = {
      ...term,
      version: term.version + 1,
      name: input.name ?? term.name,
      slug,
      description: input.description ?? term.description,
      profile,
      // The old slug keeps its claim, so that it goes on leading here.
      pastSlugs: [...new Set([...term.pastSlugs, term.slug])].filter((past) => past !== slug),
      updatedAt: now,
    };
    if ((await content.terms.save(next)) === "saved") return withCount(context, next);
    const current = await content.terms.get(website.id, term.id);
    const winnerHasIt = current !== null && slugsOfTerm(current).includes(slug);
    if (takenFrom && !winnerHasIt) await content.claims.move(website.id, term.kind, slug, term.id, takenFrom);
    // Any other slug that was claimed in vain is freed by the sweep: only it can tell that nobody is about to use it.
    throw versionConflict(term.kind, current?.version ?? null);
  },
  changes: "content",
  activity: (_, __, term) => aboutTerm(term, { slug: term.slug, version: term.version }),
});
