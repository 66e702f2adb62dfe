import type { TermKind } from "@stet/contract";
import { fail, type Failure } from "#domain/failure";
import { isId, type TermId, type WebsiteId } from "#domain/ids";
import { nameKey } from "#domain/term";
import { listTerms } from "#operations/terms/list-terms";
import type { TermView } from "#operations/terms/helpers/term-view";
import { pathOf, quoted } from "./content.ts";
import type { ToolRun } from "./tool-run.ts";

/** Names that are told when none matches: a model then chooses instead of guessing again. */
const NAMED = 20;
const LOOKED_AT = 100;

export const PLURAL = { category: "categories", tag: "tags", author: "authors" } as const;

/** Those of this name, in whatever case; none that was merged into another. */
export async function termsNamed(call: ToolRun, websiteId: WebsiteId, kind: TermKind, name: string): Promise<readonly TermView[]> {
  if (name.trim() === "") return [];
  // Asked for first, which refuses what is too long for a name: to compare that could take minutes.
  const { items } = await call.run(listTerms, { websiteId, kind, nameContains: name.trim(), limit: LOOKED_AT });
  const wanted = nameKey(name);
  return items.filter((term) => term.mergedInto === null && nameKey(term.name) === wanted);
}

/** The category, tag or author that an id, a name or a slug means. */
export async function termIdOf(
  call: ToolRun,
  websiteId: WebsiteId,
  kind: TermKind,
  given: string | undefined,
): Promise<TermId | undefined> {
  if (given === undefined || isId(kind, given)) return given as TermId | undefined;
  const [named, ...others] = await termsNamed(call, websiteId, kind, given);
  if (named && others.length > 0) throw severalNamed(kind, given, [named, ...others]);
  if (named) return named.id;
  const { items, nextCursor } = await call.run(listTerms, { websiteId, kind, limit: LOOKED_AT });
  const found = items.find((term) => term.slug === given.trim().toLowerCase());
  if (found) return found.mergedInto ?? found.id;
  const present = items.filter((term) => term.mergedInto === null).map((term) => term.name);
  const shown = present.toSorted((a, b) => likeness(given, b) - likeness(given, a)).slice(0, NAMED);
  const rest = nextCursor !== null || shown.length < present.length ? ` (more in list_${PLURAL[kind]})` : "";
  const next =
    shown.length > 0
      ? `Use one of these, or create it with save_${kind} first: ${shown.map(quoted).join(", ")}${rest}.`
      : `Create it with save_${kind} first.`;
  throw fail("NOT_FOUND", `There is no ${kind} ${quoted(given)}. ${next}`);
}

/** A guess would put a post where nobody looks for it. */
function severalNamed(kind: TermKind, name: string, terms: readonly TermView[]): Failure {
  const listed = terms.slice(0, NAMED).map(({ id, slug }) => `${id} ${pathOf(slug)}`);
  return fail("VALIDATION_FAILED", `Several ${PLURAL[kind]} are called ${quoted(name)}: ${listed.join(", ")}. Give the id instead.`);
}

/** How many pairs of letters two names share: enough to bring what was mistyped to the front. */
function likeness(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return Array.from(a.slice(1), (_, at) => a.slice(at, at + 2)).filter((pair) => b.includes(pair)).length;
}

export async function termIdsOf(
  call: ToolRun,
  websiteId: WebsiteId,
  kind: TermKind,
  given: readonly string[] | undefined,
): Promise<readonly TermId[] | undefined> {
  if (given === undefined) return undefined;
  const ids: TermId[] = [];
  // One after the other, up to the first that is not there: fifty at once would take every connection to the database.
  for (const one of new Set(given)) {
    const id = await termIdOf(call, websiteId, kind, one);
    if (id !== undefined) ids.push(id);
  }
  return ids;
}
