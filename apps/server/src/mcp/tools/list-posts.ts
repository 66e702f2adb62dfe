import { POST_STATUSES } from "@stet/contract";
import { z } from "zod";
import type { ListAnswer } from "#operations/kernel/paging";
import { HEAD_SORTS, listPostHeads } from "#operations/posts/list-posts";
import { type PostFound, searchPosts as searchPostsOperation } from "#operations/posts/search-posts";
import { pathOf, quoted } from "../content.ts";
import { lineOf, listText, nextCursor, PAGE, paging, postHead, shownHead, website } from "../shapes.ts";
import { tool } from "../tool.ts";
import { termIdOf } from "../terms.ts";

export const listPosts = tool({
  name: "list_posts",
  title: "List posts",
  description:
    "Lists posts without their text, recently edited first; drafts too. For recently published posts, sort by -publishedAt. Filter by status, words of the title, or a category, tag or author (id or name). Without `statuses` the trash is left out. To search inside texts use search_posts; to read a post use get_post.",
  kind: "read",
  input: {
    website,
    statuses: z.array(z.enum(POST_STATUSES)).min(1).optional(),
    titleContains: z.string().optional(),
    category: z.string().optional(),
    tag: z.string().optional(),
    author: z.string().optional(),
    hasUnpublishedChanges: z.literal(true).optional(),
    waitsForReview: z.boolean().optional(),
    sort: z.enum(HEAD_SORTS).optional().describe("- is newest first; by publishedAt only published posts"),
    ...paging,
  },
  output: { posts: z.array(postHead), nextCursor },
  async run(call, { website: given, category, tag, author, waitsForReview, limit = PAGE, ...query }) {
    const websiteId = await call.website(given);
    const [categoryId, tagId, authorId] = await Promise.all([
      termIdOf(call, websiteId, "category", category),
      termIdOf(call, websiteId, "tag", tag),
      termIdOf(call, websiteId, "author", author),
    ]);
    const page = await untilFound((after) =>
      call.run(listPostHeads, {
        websiteId,
        ...query,
        ...after,
        limit,
        ...(categoryId && { categoryId }),
        ...(tagId && { tagId }),
        ...(authorId && { authorId }),
        ...(waitsForReview !== undefined && { reviewRequested: waitsForReview }),
      }),
    );
    const posts = page.items.map(shownHead);
    return {
      data: { posts, nextCursor: page.nextCursor },
      text: listText(posts.map(lineOf), page.nextCursor, query.cursor === undefined ? "No posts found." : "Nothing more."),
    };
  },
});

export const searchPosts = tool({
  name: "search_posts",
  title: "Search posts",
  description:
    'Finds posts by words in the text of published posts, forgiving small typos. `in: "markdown"` finds an exact passage or link address in every post, drafts too, with the version to edit from; `in: "titles"` searches the titles of every post. `searched` says which one was used: some plans search titles only.',
  kind: "read",
  input: { website, text: z.string().min(1).max(200), in: z.enum(["text", "markdown", "titles"]).optional(), ...paging },
  output: {
    searched: z.enum(["text", "markdown", "titles"]),
    hits: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        slug: z.string(),
        excerpt: z.string().describe("Matches are in **"),
        version: z.int().optional(),
        times: z.int().optional(),
      }),
    ),
    nextCursor,
  },
  async run(call, { website: given, limit = PAGE, ...query }) {
    const websiteId = await call.website(given);
    const search = (after: { cursor?: string }) => call.run(searchPostsOperation, { websiteId, ...query, ...after, limit });
    const page = await untilFound(search, ({ searched }) => searched === "titles");
    const hits = page.items.map(({ postId: id, excerpt, ...rest }) => ({ id, ...rest, excerpt: marked(excerpt) }));
    return {
      data: { searched: page.searched, hits, nextCursor: page.nextCursor },
      text: listText(hits.map(hitLine), page.nextCursor, query.cursor === undefined ? NOTHING[page.searched] : "Nothing more."),
    };
  },
});

/** The titles of a large website are looked at a part at a time. A model would have to ask for each; so many parts are asked for it. */
const MOST_PARTS = 20;

async function untilFound<Page extends ListAnswer<unknown>>(
  list: (after: { cursor?: string }) => Promise<Page>,
  isInParts: (page: Page) => boolean = () => true,
): Promise<Page> {
  let page = await list({});
  for (let part = 1; part < MOST_PARTS && page.items.length === 0 && page.nextCursor !== null && isInParts(page); part++) {
    page = await list({ cursor: page.nextCursor });
  }
  return page;
}

function hitLine({ id, title, slug, excerpt, version, times }: PostHit): string {
  const head = `${id}${version === undefined ? "" : ` v${version}`} ${quoted(title)} ${pathOf(slug)}${times === undefined ? "" : ` (${times} ×)`}`;
  return excerpt === "" ? head : `${head}\n  ${quoted(excerpt)}`;
}
type PostHit = Omit<PostFound, "postId"> & { readonly id: string };

/** Where it was looked for, and where it was not. */
const NOTHING = {
  text: 'Nothing was found in the text of published posts. Try fewer or other words; for a link, an exact passage or a draft, search with in: "markdown".',
  markdown: "No post contains this, drafts included. Try a shorter passage.",
  titles: "Nothing was found in titles. Try fewer or other words.",
} as const;

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };

/** HTML in which only `<mark>` is markup, as the text it shows. */
const marked = (html: string): string =>
  html
    .replaceAll(/<\/?mark>/g, "**")
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/g, " ")
    .trim();
