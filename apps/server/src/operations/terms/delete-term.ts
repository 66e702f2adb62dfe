import { z } from "zod";
import { fail } from "#domain/failure";
import { holdThing, holdsThings, suggested } from "../kernel/hold-thing.ts";
import { expectedVersion } from "../kernel/inputs.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { withinReaderBudget } from "../kernel/reader-budget.ts";
import { versionConflict } from "../kernel/version-conflict.ts";
import { removeTerm } from "./helpers/remove-term.ts";
import { termEffect, termThing } from "./helpers/save-term.ts";
import { termId } from "./helpers/term-input.ts";
import { aboutTerm, findTerm, requireUnmerged, type TermView, withCount } from "./helpers/term-view.ts";

/** Posts that have it simply show it no more. Those that were merged into it were only names for it: they go with it. */
export const deleteTerm = websiteOperation({
  name: "delete_term",
  summary: "Delete a category, tag or author; posts keep everything else.",
  permission: "term.delete",
  input: {
    termId,
    expectedVersion: expectedVersion.optional(),
    /** False for a caller that has not seen which posts have the term: it is told, instead of taking it off them. */
    evenIfUsed: z.boolean().default(true),
  },
  run: (context, input): Promise<TermView> =>
    // One at a time, so that nothing is merged into it meanwhile.
    context.services.platform.withLease(context.website.id, "terms", async () => {
      const term = requireUnmerged(await findTerm(context, input.termId));
      if (input.expectedVersion !== undefined && input.expectedVersion !== term.version) throw versionConflict(term.kind, term.version);
      const view = await withCount(context, term);
      if (!input.evenIfUsed && view.postCount > 0) {
        throw fail(
          "INVALID_TRANSITION",
          `The ${term.kind} is in use: ${view.postCount} post${view.postCount === 1 ? " has" : "s have"} it. Remove it from them first, or delete it anyway (evenIfUsed). This cannot be undone.`,
          { posts: view.postCount },
        );
      }
      if (holdsThings(context) && view.postCount > 0) {
        return { ...view, ...suggested(await holdThing(context, termThing(term), { action: { type: "delete" } })) };
      }
      const effect = await termEffect(context, term, "takedown");
      await withinReaderBudget(context, effect, () => removeTerm(context, term));
      return view;
    }),
  changes: "content",
  activity: (_, __, term) => aboutTerm(term, { slug: term.slug, posts: term.postCount }),
});
