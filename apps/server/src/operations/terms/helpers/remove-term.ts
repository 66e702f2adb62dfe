import type { Term } from "#domain/term";
import type { InWebsite } from "../../kernel/operation.ts";
import { rememberChange, type ThingChange } from "../../kernel/thing-changes.ts";
import { versionConflict } from "../../kernel/version-conflict.ts";
import { findTerm, slugsOfTerm } from "./term-view.ts";

/** Removes a term. Those that were merged into it were only names for it: they go with it. */
export async function removeTerm(context: InWebsite, term: Term, undoes?: ThingChange["undoes"]): Promise<void> {
  const { content, website } = context;
  const merged = await content.terms.listMergedInto(website.id, term.id);
  const aliases = await Promise.all(merged.map((id) => findTerm(context, id)));
  await rememberChange(context, {
    targetId: term.id,
    version: term.version,
    before: term,
    after: null,
    aliases,
    ...(undoes && { undoes }),
  });
  for (const alias of aliases) await removeRecord(context, alias);
  await removeRecord(context, term);
}

/** The record first: a slug is free only when nothing has it. What a crash leaves claimed, the sweep frees. */
async function removeRecord({ content, website }: InWebsite, term: Term): Promise<void> {
  if ((await content.terms.delete(website.id, term.id, term.version)) === "stale") {
    throw versionConflict(term.kind, (await content.terms.get(website.id, term.id))?.version ?? null);
  }
  for (const slug of slugsOfTerm(term)) await content.claims.release(website.id, term.kind, slug, term.id);
}
