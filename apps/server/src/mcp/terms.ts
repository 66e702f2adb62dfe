import type { TermKind } from "@stet/contract";
import { fail } from "#domain/failure";
import { isId, type TermId, type WebsiteId } from "#domain/ids";
import { listTerms } from "#operations/terms/list-terms";
import type { ToolRun } from "./tool-run.ts";

/** Names that are listed when none matches: a model then chooses instead of guessing again. */
const NAMED = 20;

/** The category, tag or author that an id or a name means. */
export async function termIdOf(
  call: ToolRun,
  websiteId: WebsiteId,
  kind: TermKind,
  given: string | undefined,
): Promise<TermId | undefined> {
  if (given === undefined || isId(kind, given)) return given as TermId | undefined;
  const wanted = given.trim().toLowerCase();
  const { items } = await call.run(listTerms, { websiteId, kind, nameContains: given, limit: 100 });
  const found = items.find((term) => term.name.toLowerCase() === wanted) ?? (await bySlug(call, websiteId, kind, wanted));
  if (found) return found.mergedInto ?? found.id;
  const { items: some } = await call.run(listTerms, { websiteId, kind, limit: NAMED });
  const names = some.map((term) => term.name).join(", ");
  const next = some.length > 0 ? `Use one of these, or make it with save_${kind} first: ${names}.` : `Make it with save_${kind} first.`;
  throw fail("NOT_FOUND", `There is no ${kind} "${given}". ${next}`);
}

async function bySlug(call: ToolRun, websiteId: WebsiteId, kind: TermKind, slug: string) {
  const { items } = await call.run(listTerms, { websiteId, kind, limit: 100 });
  return items.find((term) => term.slug === slug);
}

export async function termIdsOf(
  call: ToolRun,
  websiteId: WebsiteId,
  kind: TermKind,
  given: readonly string[] | undefined,
): Promise<readonly TermId[] | undefined> {
  if (given === undefined) return undefined;
  const ids = await Promise.all(given.map((one) => termIdOf(call, websiteId, kind, one)));
  return ids.filter((id) => id !== undefined);
}
