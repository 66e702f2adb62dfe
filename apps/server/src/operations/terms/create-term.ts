import { TERM_KINDS } from "@stet/contract";
import { z } from "zod";
import { newId } from "#domain/ids";
import type { Term } from "#domain/term";
import { millis } from "#domain/time";
import { nameOf, textOf } from "../kernel/inputs.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { rememberChange } from "../kernel/thing-changes.ts";
import { claimFromName, claimGiven } from "./helpers/claim-slug.ts";
import { applyProfile, profileInput, slugInput } from "./helpers/term-input.ts";
import { aboutTerm, type TermView } from "./helpers/term-view.ts";

export const createTerm = websiteOperation({
  name: "create_term",
  summary: "Create a category, tag or author.",
  permission: "term.create",
  input: {
    kind: z.enum(TERM_KINDS),
    name: nameOf(),
    slug: slugInput.optional(),
    description: textOf(2_000).default(""),
    profile: profileInput.optional(),
  },
  async run(context, input): Promise<TermView> {
    const { content, website, now } = context;
    const { kind, name, description } = input;
    const profile = await applyProfile(context, kind, null, input.profile);
    const id = newId(kind, millis(now));
    // Claimed before it exists: a crash in between leaves a claim too many, which the sweep frees.
    if (input.slug) await claimGiven(context, kind, input.slug, id);
    const slug = input.slug ?? (await claimFromName(context, kind, name, id));
    const term: Term = {
      id,
      websiteId: website.id,
      kind,
      version: 1,
      slug,
      name,
      description,
      profile,
      pastSlugs: [],
      mergedInto: null,
      createdAt: now,
      updatedAt: now,
    };
    await rememberChange(context, { targetId: id, version: 0, before: null, after: term });
    await content.terms.insert(term);
    return { ...term, postCount: 0 };
  },
  changes: "content",
  activity: (_, __, term) => aboutTerm(term, { slug: term.slug }),
});
