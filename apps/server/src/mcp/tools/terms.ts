import type { TermKind } from "@stet/contract";
import { z } from "zod";
import { fail } from "#domain/failure";
import { createTerm } from "#operations/terms/create-term";
import { editTerm } from "#operations/terms/edit-term";
import { listTerms } from "#operations/terms/list-terms";
import type { TermView } from "#operations/terms/term-view";
import { listText, nextCursor, PAGE, paging, website } from "../shapes.ts";
import { tool } from "../tool.ts";

const term = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  version: z.int(),
  posts: z.int(),
});

const shown = ({ id, name, slug, description, version, postCount }: TermView): z.infer<typeof term> => ({
  id,
  name,
  slug,
  description,
  version,
  posts: postCount,
});
const lineOf = (one: z.infer<typeof term>): string => `${one.id} v${one.version} "${one.name}" /${one.slug}, ${one.posts} posts`;

const PLURAL = { category: "categories", tag: "tags", author: "authors" } as const;

const listOf = (kind: TermKind) =>
  tool({
    name: `list_${PLURAL[kind]}`,
    title: `List ${PLURAL[kind]}`,
    description: `Lists the ${PLURAL[kind]} of a website by name, with how many posts each has.`,
    kind: "read",
    input: { website, nameContains: z.string().max(200).optional(), ...paging },
    output: { [PLURAL[kind]]: z.array(term), nextCursor },
    async run(call, { website: given, limit = PAGE, ...query }) {
      const websiteId = await call.website(given);
      const page = await call.run(listTerms, { websiteId, kind, limit, ...query });
      const terms = page.items.filter(({ mergedInto }) => mergedInto === null).map(shown);
      return {
        data: { [PLURAL[kind]]: terms, nextCursor: page.nextCursor },
        text: listText(terms.map(lineOf), page.nextCursor, `There are no such ${PLURAL[kind]}.`),
      };
    },
  });

const saveOf = (kind: TermKind) =>
  tool({
    name: `save_${kind}`,
    title: `Save ${kind === "author" ? "an" : "a"} ${kind}`,
    description: `Makes a new ${kind} (leave out \`id\`), or changes one (\`id\` and \`expectedVersion\`). Look with list_${PLURAL[kind]} first: do not make a second one of the same name.`,
    kind: "write",
    idempotent: false,
    input: {
      website,
      id: z.string().max(64).optional(),
      expectedVersion: z.int().positive().optional().describe("`version` from your last read; needed with `id`"),
      name: z.string().max(120).optional(),
      slug: z.string().max(96).optional(),
      description: z.string().max(2_000).optional(),
      ...(kind === "author" && {
        url: z.string().nullable().optional(),
        portrait: z.string().nullable().optional().describe("media_… id"),
      }),
    },
    output: { [kind]: term },
    async run(call, given) {
      const { website: where, id, expectedVersion, ...rest } = given as typeof given & AuthorInput;
      const websiteId = await call.website(where);
      const { url, portrait, ...fields } = rest;
      const profile = { ...(url !== undefined && { url }), ...(portrait !== undefined && { avatarMediaId: portrait }) };
      const input = { websiteId, ...fields, ...(Object.keys(profile).length > 0 && { profile }) };
      const saved = shown(await save(input));
      call.changed({ id: saved.id, label: saved.name }, id === undefined ? null : (expectedVersion ?? null), saved.version);
      return { data: { [kind]: saved }, text: `Saved: ${lineOf(saved)}` };

      function save(values: object): Promise<TermView> {
        if (id === undefined) {
          if (fields.name === undefined)
            throw fail("VALIDATION_FAILED", `A new ${kind} needs a name. Give \`name\`, or \`id\` to change one.`);
          return call.run(createTerm, { ...values, kind });
        }
        call.target = { id, label: fields.name ?? "" };
        if (expectedVersion === undefined) {
          throw fail(
            "VALIDATION_FAILED",
            `To change a ${kind}, its version is needed. Give \`expectedVersion\` from list_${PLURAL[kind]}.`,
          );
        }
        return call.run(editTerm, { ...values, termId: id, expectedVersion });
      }
    },
  });

interface AuthorInput {
  readonly url?: string | null;
  readonly portrait?: string | null;
}

const KINDS = ["category", "tag", "author"] as const;
export const termTools = [...KINDS.map(listOf), ...KINDS.map(saveOf)];
