import type { Filter } from "mongodb";
import { fail } from "#domain/failure";
import { foldWhole } from "#domain/fold";
import type { WebsiteId } from "#domain/ids";
import type { LivePost } from "#domain/post";
import { highlightWords, readSearch, snippetOf } from "#domain/search-text";
import type { PostSearch, SearchHit } from "#ports/post-search";
import type { Context, Stored } from "./context.ts";
import { isUnreachable } from "./failures.ts";
import { keyOf } from "./keys.ts";
import { ANY_LIVE, toLivePost } from "./post-document.ts";
import { allDocuments } from "./read-documents.ts";

const SHOWN = { live: 1, createdAt: 1, publishedAt: 1, updatedAt: 1, liveTitleKey: 1 } as const;
/** Matches that are ranked; of more, the newest. */
const RANKED = 1_000;
/** The rank of a hit, and when it was published. */
const RANK_KEY = /^[123] \d{4}-\d{2}-/;

/**
 * Every word must occur, in any order, blind to accents: with `$text` where the server has it, which finds whole words by an
 * index, otherwise by looking into each live copy of the website. Title before excerpt before body, then newest first.
 * Prefixes and typing errors are PostgreSQL's; decision 0008 says why not here.
 */
export function mongoSearch(context: Context): PostSearch {
  let hasText = context.hasTextIndex;
  const find = (websiteId: WebsiteId, question: Filter<Stored>): Promise<Stored[]> =>
    allDocuments(
      context.posts.find(
        { w: websiteId, liveFacets: ANY_LIVE, ...question },
        { projection: SHOWN, sort: { publishedAt: -1 }, limit: RANKED },
      ),
      RANKED,
    );
  const lookUp = async (websiteId: WebsiteId, words: readonly string[]): Promise<Stored[]> => {
    if (!hasText) return find(websiteId, wordByWord(words));
    try {
      return await find(websiteId, byIndex(words));
    } catch (error) {
      if (isUnreachable(error)) throw error;
      // Some servers take a text index and then do not know the question.
      hasText = false;
      return find(websiteId, wordByWord(words));
    }
  };
  const matches = async (websiteId: WebsiteId, words: readonly string[]): Promise<LivePost[]> => {
    const found = await lookUp(websiteId, words);
    return found.map((document) => toLivePost(context, websiteId, document)).filter((post) => post !== null);
  };
  const hit = async (websiteId: WebsiteId, post: LivePost, words: readonly string[]): Promise<SearchHit> => {
    const inExcerpt = holds(post.content.excerpt, words);
    const body = inExcerpt ? post.content.excerpt : await textOf(context, websiteId, post);
    return {
      post,
      titleHighlight: highlightWords(post.content.title, words),
      excerptHighlight: highlightWords(snippetOf(body, words), words),
    };
  };
  return {
    async search(websiteId, { text, after, limit }) {
      // Also one that PostgreSQL wrote before the content moved here.
      if (after && !RANK_KEY.test(after.key))
        throw fail("INVALID_CURSOR", "This cursor was altered, or the content has moved since. Start again without one.");
      const words = [
        ...new Set(
          readSearch(text)
            .whole.split(/[^\p{L}\p{N}]+/u)
            .filter(Boolean)
            .map(foldWhole),
        ),
      ].slice(0, 12);
      if (words.length === 0) return { rows: [], next: null };
      const ranked = (await matches(websiteId, words))
        .map((post) => ({ post, key: `${rankOf(post, words)} ${post.publishedAt}` }))
        .toSorted((left, right) => compare(right.key, left.key) || compare(right.post.id, left.post.id));
      const rest = after
        ? ranked.filter(({ key, post }) => compare(key, after.key) < 0 || (key === after.key && compare(post.id, after.id) < 0))
        : ranked;
      const page = rest.slice(0, limit);
      const last = page.at(-1);
      return {
        rows: await Promise.all(page.map(({ post }) => hit(websiteId, post, words))),
        next: rest.length > limit && last ? { key: last.key, id: last.post.id } : null,
      };
    },
    // The texts are kept without a dictionary, so a website's language changes nothing.
    reindex: async () => 0,
  };
}

/** Quoted, each word must occur; unquoted, any of them would do. */
const byIndex = (words: readonly string[]): Filter<Stored> => ({ $text: { $search: words.map((word) => `"${word}"`).join(" ") } });

/** Words hold letters and digits only, so none can be read as a pattern. */
const wordByWord = (words: readonly string[]): Filter<Stored> => ({
  $and: words.map((word) => ({ $or: [{ searchHead: { $regex: word } }, { searchBody: { $regex: word } }] })),
});

const holds = (text: string, words: readonly string[]): boolean => {
  const folded = foldWhole(text);
  return words.every((word) => folded.includes(word));
};

/** 3: all in the title, 2: all in title and excerpt, 1: in the body. */
function rankOf({ content }: LivePost, words: readonly string[]): number {
  if (holds(content.title, words)) return 3;
  return holds(`${content.title}\n${content.excerpt}`, words) ? 2 : 1;
}

async function textOf(context: Context, websiteId: WebsiteId, post: LivePost): Promise<string> {
  const found = await context.posts.findOne({ _id: keyOf(websiteId, post.id), w: websiteId }, { projection: { "liveBody.text": 1 } });
  const text = (found?.liveBody as { text?: unknown } | undefined)?.text;
  return typeof text === "string" ? text : "";
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
