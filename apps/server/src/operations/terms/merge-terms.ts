import { fail, invalid } from "#domain/failure";
import type { Term } from "#domain/term";
import { refuseWhileHeld } from "../kernel/hold-thing.ts";
import { type InWebsite, websiteOperation } from "../kernel/operation.ts";
import { withinReaderBudget } from "../kernel/reader-budget.ts";
import { saveTerm, termEffect } from "./helpers/save-term.ts";
import { termId } from "./helpers/term-input.ts";
import { aboutTerm, findTerm, requireUnmerged, type TermView, withCount } from "./helpers/term-view.ts";

export interface Merge {
  /** The one that remains. */
  readonly target: TermView;
  /** The one that now only leads to it. */
  readonly source: Term;
}

/** No post is touched: wherever the source stands, the target is meant from now on. Counts as deleting. */
export const mergeTerms = websiteOperation({
  name: "merge_terms",
  summary: "Merge one category, tag or author into another of the same kind; its slug redirects there.",
  permission: "term.delete",
  input: { sourceId: termId, targetId: termId },
  run: (context, { sourceId, targetId }): Promise<Merge> =>
    // One at a time, so that nobody merges the target away, or something into the source, in between.
    context.services.platform.withLease(context.website.id, "terms", async () => {
      refuseWhileHeld(context);
      if (sourceId === targetId) throw invalid([{ field: "targetId", message: "must be different from the source" }]);
      const source = requireUnmerged(await findTerm(context, sourceId));
      const target = requireUnmerged(await findTerm(context, targetId));
      if (source.kind !== target.kind) {
        throw fail("VALIDATION_FAILED", `A ${source.kind} cannot be merged into a ${target.kind}: they must be of one kind.`);
      }
      // Those merged into the source go first: at no moment does a merged term lead to one that is merged itself.
      for (const id of await context.content.terms.listMergedInto(context.website.id, source.id)) {
        await mergeInto(context, await findTerm(context, id), target);
      }
      const effect = await termEffect(context, source, "publish");
      const merged = await withinReaderBudget(context, effect, () => mergeInto(context, source, target));
      return { target: await withCount(context, target), source: merged };
    }),
  changes: "content",
  activity: (_, __, { source, target }) => aboutTerm(source, { mergedInto: target.id, into: target.name }),
});

const mergeInto = (context: InWebsite, term: Term, target: Term): Promise<Term> =>
  saveTerm(context, term, { ...term, version: term.version + 1, mergedInto: target.id, updatedAt: context.now });
