import { z } from "zod";
import { fail } from "#domain/failure";
import { decodeCursor, encodeCursor } from "#domain/cursor";
import type { PostId } from "#domain/ids";
import { planWords } from "#domain/plan-words";
import { lineOf } from "../kernel/inputs.ts";
import { type InWebsite, websiteOperation } from "../kernel/operation.ts";
import { cursorShape, limitShape, type ListAnswer } from "../kernel/paging.ts";
import { ownView } from "./list-posts.ts";
import { searchMarkdown } from "./helpers/search-markdown.ts";

const BY_RANK = "-rank";
const BY_EDIT = "-editedAt";

export interface PostFound {
  readonly postId: PostId;
  readonly title: string;
  readonly slug: string;
  /** Where it was found, as HTML in which only `<mark>` is markup; empty when only titles were searched. */
  readonly excerpt: string;
  /** The version to edit the passage in, and how often it occurs; only where the Markdown was searched. */
  readonly version?: number;
  readonly times?: number;
}

export interface PostsFound extends ListAnswer<PostFound> {
  /** The full text of what readers see; or of everything that is not in the trash the Markdown, to the letter, or the titles. */
  readonly searched: "text" | "markdown" | "titles";
}

/** The free plan searches in titles only; every other plan searches in texts too. */
export const searchPosts = websiteOperation({
  name: "search_posts",
  summary:
    "Find posts by words in the text of published posts, by a passage in the Markdown of all (both not on the free plan), or by title.",
  permission: "post.read",
  input: {
    text: lineOf(200).pipe(z.string().min(1, "must not be empty")),
    in: z.enum(["text", "markdown", "titles"]).optional(),
    ...cursorShape,
    ...limitShape,
  },
  async run(context, input): Promise<PostsFound> {
    const hasSearch = context.services.plans[context.workspace.plan].search;
    if (input.in === "markdown") {
      if (hasSearch) return { ...(await searchMarkdown(context, input)), searched: "markdown" };
      throw fail(
        "PLAN_REQUIRED",
        `${planWords(context.workspace.plan).subject} does not include searching in texts. Search in the titles instead, or read the posts one by one.`,
      );
    }
    const where = input.in === "titles" || !hasSearch ? "titles" : "text";
    const page = where === "text" ? await inText(context, input) : await inTitles(context, input);
    return { ...page, searched: where };
  },
  activity: "none",
});

interface Query {
  readonly text: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

async function inText({ content, website }: InWebsite, { text, limit, cursor }: Query): Promise<ListAnswer<PostFound>> {
  const after = cursor ? decodeCursor(cursor, BY_RANK) : null;
  const page = await content.search.search(website.id, { text, language: website.settings.language, after, limit });
  const items = page.rows.map(({ post, excerptHighlight }) => ({
    postId: post.id,
    title: post.content.title,
    slug: post.content.slug,
    excerpt: excerptHighlight,
  }));
  return { items, nextCursor: page.next && encodeCursor(BY_RANK, page.next) };
}

async function inTitles(context: InWebsite, { text, limit, cursor }: Query): Promise<ListAnswer<PostFound>> {
  const page = await context.content.posts.listHeads(context.website.id, {
    statuses: ["draft", "scheduled", "published", "unpublished"],
    sort: BY_EDIT,
    facets: [],
    titleContains: text,
    after: cursor ? decodeCursor(cursor, BY_EDIT) : null,
    limit,
    ...ownView(context),
  });
  const items = page.rows.map(({ id, title, slug }) => ({ postId: id, title, slug, excerpt: "" }));
  return { items, nextCursor: page.next && encodeCursor(BY_EDIT, page.next) };
}
