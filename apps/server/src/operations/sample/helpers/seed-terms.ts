import type { TermKind } from "@stet/contract";
import type { TermId } from "#domain/ids";
import { slugFrom } from "#domain/slug";
import type { Term } from "#domain/term";
import type { InWebsite } from "../../kernel/operation.ts";
import { PEOPLE } from "./people.ts";
import { FOUNDED, termId } from "./sample-ids.ts";
import { topics } from "./topics.ts";

/** Creates the terms of the sample posts. Answers, for each sample term whose slug the website uses already, the term to use instead. */
export async function seedTerms(context: InWebsite): Promise<ReadonlyMap<TermId, TermId>> {
  const instead = new Map<TermId, TermId>();
  for (const term of sampleTerms(context)) {
    const { ownerId } = await context.content.claims.claim(term.websiteId, term.kind, {
      slug: term.slug,
      ownerId: term.id,
      claimedAt: context.now,
    });
    if (ownerId === term.id) await context.content.terms.insert(term);
    else instead.set(term.id, ownerId as TermId);
  }
  return instead;
}

function* sampleTerms(context: InWebsite): Generator<Term> {
  const term = (kind: TermKind, name: string, description: string, profile: Term["profile"] = null): Term => ({
    id: termId(kind, name),
    websiteId: context.website.id,
    kind,
    version: 1,
    slug: slugFrom(name),
    name,
    description,
    profile,
    pastSlugs: [],
    mergedInto: null,
    createdAt: FOUNDED,
    updatedAt: FOUNDED,
  });
  for (const { category, tags } of topics())
    yield term("category", category, `Articles about ${tags.slice(0, 3).join(", ").toLowerCase()} and more.`);
  for (const tag of new Set(topics().flatMap((topic) => topic.tags))) yield term("tag", tag, "");
  for (const { name, bio, url } of PEOPLE) yield term("author", name, bio, { url, avatarMediaId: null, userId: null });
}
