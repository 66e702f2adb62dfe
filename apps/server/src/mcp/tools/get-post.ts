import { z } from "zod";
import { fail } from "#domain/failure";
import { type Section, sectionsOf } from "#domain/markdown/sections";
import type { PostContent } from "#domain/post";
import { getPostWithTerms, type TermNames } from "#operations/posts/get-post-with-terms";
import type { OpenPost } from "#operations/posts/helpers/post-view";
import { fenced, PEOPLE, quoted, quotedValue } from "../content.ts";
import { headOf, lineOf, post, postHead, website } from "../shapes.ts";
import { tool } from "../tool.ts";

/** How much of a text is sent at once when nothing is said: some 4,000 words. */
const DEFAULT_CHARACTERS = 20_000;
const MOST_CHARACTERS = 100_000;
const MOST_SECTIONS = 100;
/** Whose words the tool reads where its own suggestion waits: readers still see the live version. */
const SUGGESTED = `${PEOPLE}, with your suggestion, which waits for a person`;

const named = z.array(z.object({ id: z.string(), name: z.string() }));
const readPost = postHead.extend({
  excerpt: z.string(),
  categories: named,
  tags: named,
  authors: named,
  featured: z.boolean(),
  coverImage: z.string().nullable(),
  coverAlt: z.string().nullable(),
  seo: z.looseObject({}),
  fields: z.looseObject({}),
});

export const getPost = tool({
  name: "get_post",
  title: "Read a post",
  description:
    'Reads one post: its details, the `version` that every change needs, and its text in Markdown (the working copy; `copy: "live"` reads the live version). Long texts come in parts: continue with `offset: nextOffset`, or read one part with `section` (a heading; `sections` comes with the first part).',
  kind: "read",
  input: {
    website,
    post,
    copy: z.enum(["working", "live"]).optional(),
    section: z.string().optional(),
    offset: z.int().min(0).optional(),
    limit: z.int().min(1).max(MOST_CHARACTERS).optional().describe(`Characters, default ${DEFAULT_CHARACTERS}`),
  },
  output: {
    post: readPost,
    body: z.object({ markdown: z.string(), offset: z.int(), length: z.int(), nextOffset: z.int().nullable(), writtenBy: z.string() }),
    sections: z.array(z.object({ section: z.string(), depth: z.int(), characters: z.int() })),
  },
  async run(call, input) {
    const websiteId = await call.website(input.website);
    const { post: view, terms } = await call.run(getPostWithTerms, { websiteId, postId: await call.post(websiteId, input.post) });
    call.target = { id: view.id, label: view.working.title };
    const live = view.status === "published" ? view.live?.content : undefined;
    const content = input.copy === "live" ? live : view.working;
    if (!content)
      throw fail("NOT_FOUND", "This post is not published, so it has no live version. Leave out `copy` to read its current text.");
    const sections = sectionsOf(content.body);
    const isSuggested = content === view.working && view.suggestion !== undefined;
    const body = { ...partOf(content.body, sections, input), writtenBy: isSuggested ? SUGGESTED : PEOPLE };
    // A model that reads on, or one section, has read the beginning.
    const isFirst = input.section === undefined && body.offset === 0;
    const data = {
      post: factsOf(view, content, content === live ? terms.live! : terms.working),
      body,
      sections: (isFirst ? sections.slice(0, MOST_SECTIONS) : []).map(({ text, depth, start, end }) => ({
        section: text,
        depth,
        characters: end - start,
      })),
    };
    return { data, text: `${isFirst ? aboutOf(data) : lineOf(data.post)}\n\n${shownText(data)}` };
  },
});

function factsOf(view: OpenPost, content: PostContent, { categories, tags, authors }: TermNames): z.infer<typeof readPost> {
  return {
    ...headOf({ ...view, working: content }),
    excerpt: content.excerpt,
    categories: [...categories],
    tags: [...tags],
    authors: [...authors],
    featured: content.featured,
    coverImage: content.coverMediaId,
    coverAlt: content.coverAlt,
    seo: { ...content.seo },
    fields: { ...content.fields },
  };
}

function partOf(
  markdown: string,
  sections: readonly Section[],
  {
    section,
    offset = 0,
    limit = DEFAULT_CHARACTERS,
  }: { section?: string | undefined; offset?: number | undefined; limit?: number | undefined },
) {
  const whole = section === undefined ? { start: 0, end: markdown.length } : findSection(sections, section);
  const start = Math.min(whole.start + offset, whole.end);
  // Never between the two halves of a character.
  const cut = Math.min(start + limit, whole.end);
  const end = cut < whole.end && /[\ud800-\udbff]/.test(markdown[cut - 1] ?? "") ? cut - 1 : cut;
  return {
    markdown: markdown.slice(start, end).toWellFormed(),
    offset,
    length: whole.end - whole.start,
    nextOffset: end < whole.end ? end - whole.start : null,
  };
}

function findSection(sections: readonly Section[], wanted: string): Section {
  const name = wanted
    .trim()
    .replace(/^#+\s*/, "")
    .toLowerCase();
  const found = sections.find(({ id, text }) => id === name || text.toLowerCase() === name);
  if (found) return found;
  const [like, another] = sections.filter(({ text }) => text.toLowerCase().includes(name));
  if (like && !another) return like;
  const known = sections.slice(0, 30).map(({ text }) => quoted(text));
  throw fail(
    "NOT_FOUND",
    `The text has no heading ${quoted(wanted)}. ${known.length > 0 ? `Its headings: ${known.join(", ")}.` : "It has no headings; read it by offset."}`,
  );
}

interface Read {
  readonly post: z.infer<typeof readPost>;
  readonly body: ReturnType<typeof partOf> & { readonly writtenBy: string };
  readonly sections: readonly { readonly section: string; readonly depth: number; readonly characters: number }[];
}

function aboutOf({ post: read, body, sections }: Read): string {
  const names = (terms: z.infer<typeof named>) => terms.map(({ name }) => quoted(name)).join(", ");
  return [
    lineOf(read),
    read.excerpt && `excerpt: ${quoted(read.excerpt)}`,
    read.categories.length > 0 && `categories: ${names(read.categories)}`,
    read.tags.length > 0 && `tags: ${names(read.tags)}`,
    read.authors.length > 0 && `authors: ${names(read.authors)}`,
    read.featured && "featured",
    read.coverImage !== null && `cover: ${read.coverImage}${read.coverAlt ? ` ${quoted(read.coverAlt)}` : ""}`,
    ...setOf("seo", read.seo),
    ...setOf("field", read.fields),
    body.nextOffset !== null &&
      sections.length > 0 &&
      `sections: ${sections.map((one) => `${quoted(one.section)} ${one.characters}`).join(", ")}`,
  ]
    .filter(Boolean)
    .join("\n");
}

/** Those of a group that say something. */
const setOf = (group: string, values: object): readonly string[] =>
  Object.entries(values)
    .filter(([, value]) => value !== null && value !== false && value !== "")
    .map(([key, value]) => `${group} ${/^\w+$/.test(key) ? key : quoted(key)}: ${quotedValue(value)}`);

/** The text to the letter, because passages of it are copied into edits. */
function shownText({ post: { id }, body: { markdown, offset, length, nextOffset, writtenBy } }: Read): string {
  if (markdown === "") return offset > 0 ? `(Nothing: the text ends at ${length}.)` : "(The text is empty.)";
  const text = fenced(`text of ${id}, written by ${writtenBy}`, markdown);
  return nextOffset === null ? text : `${text}\n(${length - nextOffset} more characters: continue with offset ${nextOffset})`;
}
