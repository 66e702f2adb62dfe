import { z } from "zod";
import { fail } from "#domain/failure";
import type { Term } from "#domain/term";
import { versionConflict } from "../kernel/version-conflict.ts";
import { expectedVersion } from "../kernel/inputs.ts";
import { type InWebsite, websiteOperation } from "../kernel/operation.ts";
import { refuseDeletingShown } from "../posts/helpers/hold-tool-change.ts";
import { termId } from "./helpers/term-input.ts";
import { aboutTerm, findTerm, requireUnmerged, slugsOfTerm, type TermView, withCount } from "./helpers/term-view.ts";

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
    // Locked, so that nothing is merged into it meanwhile.
    context.services.platform.locked(context.workspace.id, async () => {
      const { content, website } = context;
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
      for (const group of await content.terms.facetGroups(website.id, [term.id])) await refuseDeletingShown(context, group);
      for (const id of await content.terms.listMergedInto(website.id, term.id)) await remove(context, await findTerm(context, id));
      await remove(context, term);
      return view;
    }),
  changes: "content",
  activity: (_, __, term) => aboutTerm(term, { slug: term.slug, posts: term.postCount }),
});

/** The record first: a slug is free only when nothing has it. What a crash leaves claimed, the sweep frees. */
async function remove({ content, website }: InWebsite, term: Term): Promise<void> {
  if ((await content.terms.delete(website.id, term.id, term.version)) === "stale") {
    throw versionConflict(term.kind, (await content.terms.get(website.id, term.id))?.version ?? null);
  }
  for (const slug of slugsOfTerm(term)) await content.claims.release(website.id, term.kind, slug, term.id);
}
