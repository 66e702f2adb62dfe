import type { TermKind } from "@stet/contract";
import { z } from "zod";
import { fail } from "#domain/failure";
import { createTerm } from "#operations/terms/create-term";
import { editTerm } from "#operations/terms/edit-term";
import { listTerms } from "#operations/terms/list-terms";
import type { TermView } from "#operations/terms/helpers/term-view";
import { pathOf, quoted } from "../content.ts";
import { heldWords } from "../held.ts";
import { listText, nextCursor, PAGE, paging, requireChange, website } from "../shapes.ts";
import { PLURAL, termsNamed } from "../terms.ts";
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
const lineOf = (one: z.infer<typeof term>): string =>
  `${one.id} v${one.version} ${quoted(one.name)} ${pathOf(one.slug)}, ${one.posts} ${one.posts === 1 ? "post" : "posts"}`;

const listOf = (kind: TermKind) =>
  tool({
    name: `list_${PLURAL[kind]}`,
    title: `List ${PLURAL[kind]}`,
    description: `Lists the ${PLURAL[kind]} of a website by name, with how many posts each has.`,
    kind: "read",
    input: { website, nameContains: z.string().optional(), ...paging },
    output: { [PLURAL[kind]]: z.array(term), nextCursor },
    async run(call, { website: given, limit = PAGE, ...query }) {
      const websiteId = await call.website(given);
      const page = await call.run(listTerms, { websiteId, kind, limit, ...query });
      const terms = page.items.filter(({ mergedInto }) => mergedInto === null).map(shown);
      return {
        data: { [PLURAL[kind]]: terms, nextCursor: page.nextCursor },
        text: listText(terms.map(lineOf), page.nextCursor, `No ${PLURAL[kind]} found.`),
      };
    },
  });

const saveOf = (kind: TermKind) =>
  tool({
    name: `save_${kind}`,
    title: `Save ${kind === "author" ? "an" : "a"} ${kind}`,
    description: `Creates a ${kind} (leave out \`id\`), or changes one (\`id\` and \`expectedVersion\` from list_${PLURAL[kind]}).`,
    kind: "write",
    idempotent: false,
    input: {
      website,
      id: z.string().optional(),
      expectedVersion: z.int().positive().optional().describe("Needed with `id`"),
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
      const done = await save();
      const saved = shown(done);
      call.changed({ id: saved.id, label: saved.name }, id === undefined ? null : (expectedVersion ?? null), saved.version);
      return { data: { [kind]: saved }, text: `${heldWords(done) ?? "Saved:"} ${lineOf(saved)}` };

      async function save(): Promise<TermView> {
        if (id === undefined) {
          await requireNew(fields.name);
          return call.run(createTerm, { ...input, kind });
        }
        call.target = { id, label: "" };
        if (expectedVersion === undefined) {
          throw fail("VALIDATION_FAILED", `To change a ${kind}, send its version as \`expectedVersion\` from list_${PLURAL[kind]}.`);
        }
        requireChange(rest);
        return call.run(editTerm, { ...input, termId: id, expectedVersion });
      }

      /** A model that repeats a call whose answer was lost, or forgot to look, must not leave two terms of one name. */
      async function requireNew(name: string | undefined): Promise<void> {
        if (name === undefined) throw fail("VALIDATION_FAILED", `A new ${kind} needs a name. Send \`name\`, or \`id\` to change one.`);
        const [one] = await termsNamed(call, websiteId, kind, name);
        if (!one) return;
        throw fail(
          "VALIDATION_FAILED",
          `The ${kind} ${quoted(one.name)} already exists: ${one.id}, version ${one.version}. Use it, or change it with \`id\` and \`expectedVersion\`.`,
        );
      }
    },
  });

interface AuthorInput {
  readonly url?: string | null;
  readonly portrait?: string | null;
}

const KINDS = ["category", "tag", "author"] as const;
export const termTools = [...KINDS.map(listOf), ...KINDS.map(saveOf)];
