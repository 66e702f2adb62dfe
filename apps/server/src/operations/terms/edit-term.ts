import { holdThing, holdsThings, suggested } from "../kernel/hold-thing.ts";
import { expectedVersion, nameOf, textOf } from "../kernel/inputs.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { withinReaderBudget } from "../kernel/reader-budget.ts";
import { versionConflict } from "../kernel/version-conflict.ts";
import { requireFreeSlug } from "./helpers/claim-slug.ts";
import { requireFreeName } from "./helpers/free-name.ts";
import { nextTerm, saveTerm, termEffect, termThing } from "./helpers/save-term.ts";
import { applyProfile, profileInput, slugInput, termId } from "./helpers/term-input.ts";
import { aboutTerm, findTerm, requireUnmerged, type TermView, withCount } from "./helpers/term-view.ts";

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
    const term = requireUnmerged(await findTerm(context, input.termId));
    if (term.version !== input.expectedVersion) throw versionConflict(term.kind, term.version);
    await requireFreeName(context, term, input.name);
    const profile = await applyProfile(context, term.kind, term.profile, input.profile);
    const { name = term.name, slug = term.slug, description = term.description } = input;
    const fields = { name, slug, description, profile };
    const view = await withCount(context, term);
    if (holdsThings(context) && view.postCount > 0) {
      await requireFreeSlug(context, term, slug);
      return { ...view, ...suggested(await holdThing(context, termThing(term), { fields })) };
    }
    const effect = await termEffect(context, term, "publish");
    const next = await withinReaderBudget(context, effect, () => saveTerm(context, term, nextTerm(term, fields, context.now)));
    return { ...next, postCount: view.postCount };
  },
  changes: "content",
  activity: (_, __, term) => aboutTerm(term, { slug: term.slug, version: term.version }),
});
