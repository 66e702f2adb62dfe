import { invalid } from "#domain/failure";
import { nameKey, type Term } from "#domain/term";
import type { InWebsite } from "../../kernel/operation.ts";
import { pages } from "../../kernel/pages.ts";

const AT_ONCE = 100;
const MOST_PAGES = 100;

/**
 * Refuses a name that another term of the kind has: lists show names alone, and tools find terms by them. Names that are double already,
 * such as after an import, stay until somebody changes them. Two renames at one moment may both pass; a tool that names either is asked.
 */
export async function requireFreeName(context: InWebsite, term: Term, name: string | undefined): Promise<void> {
  if (name === undefined || nameKey(name) === nameKey(term.name)) return;
  const other = await findNamesake(context, term, name);
  if (!other) return;
  const message = `is already the name of another ${term.kind}, /${other.slug} (${other.id}); merge the two, or choose another name`;
  throw invalid([{ field: "name", message }]);
}

async function findNamesake({ content, website }: InWebsite, { id, kind }: Term, name: string): Promise<Term | null> {
  const wanted = nameKey(name);
  const alike = pages((after) => content.terms.list(website.id, { kind, nameContains: name, after, limit: AT_ONCE }), MOST_PAGES);
  for await (const term of alike) if (term.id !== id && term.mergedInto === null && nameKey(term.name) === wanted) return term;
  return null;
}
