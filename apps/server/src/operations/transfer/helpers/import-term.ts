import { isDeepStrictEqual } from "node:util";
import type { TermId } from "#domain/ids";
import type { Term } from "#domain/term";
import type { InWebsite } from "../../kernel/operation.ts";
import { slugsOfTerm } from "../../terms/helpers/term-view.ts";
import { claimAll, releaseAll } from "./claim-slugs.ts";
import { type TermRecord, termRecord } from "./records.ts";
import { OTHER_CONTENT, type Outcome } from "./report.ts";
import type { TermAliases } from "./term-aliases.ts";

export async function importTerm(context: InWebsite, record: TermRecord, aliases: TermAliases): Promise<Outcome> {
  const { content, website } = context;
  const { type: _, ...rest } = await withKnownMember(context, aliases.term(record));
  const term: Term = { ...rest, websiteId: website.id };
  const compared = async (): Promise<Outcome | null> => {
    const there = await content.terms.get(website.id, term.id);
    if (!there) return null;
    return isDeepStrictEqual(termRecord(there), termRecord(term)) ? "skipped" : { conflict: OTHER_CONTENT };
  };
  const before = await compared();
  if (before) return before;
  if (term.mergedInto) {
    const target = await content.terms.get(website.id, term.mergedInto);
    // Wherever a merged term stands its target is meant, in one step: there must be one, and it must not lead further.
    if (!target || target.mergedInto) return { conflict: `The ${term.kind} it was merged into is not here.` };
  }
  const claims = await claimAll(context, term.kind, new Set(slugsOfTerm(term)), term.id);
  if (claims.taken) {
    const owner = await content.terms.get(website.id, claims.taken.ownerId as TermId);
    if (!owner) return { conflict: `Its slug "${claims.taken.slug}" belongs to ${claims.taken.ownerId}.` };
    aliases.add(term.id, owner.mergedInto ?? owner.id);
    return { conflict: `Its slug "${claims.taken.slug}" belongs to the ${term.kind} "${owner.name}" here, which posts get instead.` };
  }
  if ((await content.terms.insert(term)) === "saved") return "imported";
  const meanwhile = await compared();
  if (!meanwhile) await releaseAll(context, term.kind, claims.fresh, term.id);
  return meanwhile ?? { conflict: "Someone else just changed it. Import the file again." };
}

/** An author is linked to a person only where that person is a member. */
async function withKnownMember({ services, workspace }: InWebsite, record: TermRecord): Promise<TermRecord> {
  const userId = record.profile?.userId;
  if (!record.profile || !userId || (await services.platform.members.role(workspace.id, userId))) return record;
  return { ...record, profile: { ...record.profile, userId: null } };
}
