import { fail } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import { MARK, readSearch, safeHighlight, type TypedSearch } from "#domain/search-text";
import type { PostSearch, SearchHit, SearchQuery } from "#ports/content-store";
import type { Connection } from "./connection.ts";
import { LIVE_COLUMNS, livePostOf, type LiveRow } from "./post-row.ts";
import { type Fragment, raw, sql } from "./sql.ts";

/** Title over excerpt, as ts_rank takes them: D, C, B, A. What only the body holds comes after both, newest first. */
const WEIGHTS = raw("'{0, 0, 0.4, 1.0}'::real[]");
/** How much of a body is looked through for a snippet: it is read word by word for every row of a page. */
const SNIPPET_CHARACTERS = 16_384;
/** The two ways to find; a cursor says which one its page came from. */
const BY_WORDS = "w";
const BY_LIKENESS = "t";
const RANK_KEY = /^[wt]\d{1,6}\.\d{6}$/;

type Row = LiveRow & { rank: string; title_marked: string; excerpt_marked: string };

/** The query, and the dictionary of the website's language. */
interface Question {
  readonly asked: string;
  readonly config: string;
}

export function postSearch(connection: Connection): PostSearch {
  const find = async (websiteId: WebsiteId, typed: TypedSearch, query: SearchQuery, way: string) => {
    // Asked on its own, so that the page is planned for these words and nothing of it is worked out anew for every post.
    const [question] = await connection.rows<Question>(
      sql`SELECT (${questionOf(typed, query)})::text AS asked, search_config(${query.language})::text AS config`,
    );
    const matches = way === BY_WORDS ? byWords(websiteId, question!.asked) : byLikeness(websiteId, typed);
    const rows = await connection.rows<Row>(page(websiteId, question!, query, matches));
    const shown = rows.slice(0, query.limit);
    const last = shown.at(-1);
    return { rows: shown.map(hitOf), next: rows.length > query.limit && last ? { key: `${way}${last.rank}`, id: last.id } : null };
  };
  return {
    async search(websiteId, query) {
      const typed = readSearch(query.text);
      if (query.after && !RANK_KEY.test(query.after.key)) {
        throw fail("INVALID_CURSOR", "This cursor was altered or cut. Pass it back exactly as received, or start again without one.");
      }
      const way = query.after?.key.charAt(0) ?? BY_WORDS;
      const found = await find(websiteId, typed, query, way);
      // Only when nothing has the words as they were typed are typing errors looked for.
      if (found.rows.length > 0 || query.after || typed.words.length === 0) return found;
      return find(websiteId, typed, query, BY_LIKENESS);
    },

    reindex: (limit) =>
      connection.transaction(async (runner) => {
        const [next] = await runner.rows<{ website_id: WebsiteId; after_post_id: string }>(
          sql`SELECT website_id, after_post_id FROM search_reindex ORDER BY website_id LIMIT 1 FOR UPDATE SKIP LOCKED`,
        );
        if (!next) return 0;
        const mine = sql`website_id = ${next.website_id}`;
        const done = await runner.rows<{ id: string }>(sql`
          SELECT id FROM (
            SELECT posts AS post, id FROM posts WHERE ${mine} AND status = 'published' AND id > ${next.after_post_id} ORDER BY id LIMIT ${limit}
          ) AS batch, index_post(batch.post) ORDER BY id`);
        const last = done.at(-1);
        await runner.rows(
          last && done.length === limit
            ? sql`UPDATE search_reindex SET after_post_id = ${last.id} WHERE ${mine}`
            : sql`DELETE FROM search_reindex WHERE ${mine}`,
        );
        // A finished website counts too, so that the sweep comes again for the next one.
        return Math.max(1, done.length);
      }),
  };
}

/** The question in the website's language; a plain last word also counts by its beginning. */
function questionOf({ whole, unfinished }: TypedSearch, { language }: SearchQuery): Fragment {
  const config = sql`search_config(${language})`;
  const full = sql`websearch_to_tsquery(${config}, ${whole})`;
  if (!unfinished) return full;
  // As typed, not as a stem: the beginning of "run" would find every runway.
  const beginning = sql`to_tsquery('stet_simple', ${`${unfinished.word}:*`})`;
  const before = unfinished.before.trim();
  return before === "" ? sql`(${full} || ${beginning})` : sql`(${full} || (websearch_to_tsquery(${config}, ${before}) && ${beginning}))`;
}

const byWords = (websiteId: WebsiteId, asked: string): Fragment => sql`
  SELECT post_id, round(ts_rank(${WEIGHTS}, head, ${asked}::tsquery)::numeric, 6) AS rank
  FROM post_search WHERE website_id = ${websiteId} AND looked_up(document) @@ ${asked}::tsquery`;

const byLikeness = (websiteId: WebsiteId, { words }: TypedSearch): Fragment => sql`
  SELECT post_id, round(likeness::numeric, 6) AS rank
  FROM search_alike(${websiteId}, ARRAY(
    SELECT lower(unaccent(word)) FROM unnest(${words}::text[]) AS word ORDER BY length(word) DESC
  ))`;

/** Highlights are made only for the rows of the page. */
function page(websiteId: WebsiteId, question: Question, query: SearchQuery, matches: Fragment): Fragment {
  const asked = sql`${question.asked}::tsquery`;
  const config = sql`${question.config}::regconfig`;
  const options = `StartSel=${MARK.start}, StopSel=${MARK.end}`;
  const condition = query.after ? sql`(rank, post_id) < (${query.after.key.slice(1)}::numeric, ${query.after.id})` : raw("true");
  return sql`
    WITH page AS (SELECT * FROM (${matches}) AS matches WHERE ${condition} ORDER BY rank DESC, post_id DESC LIMIT ${query.limit + 1})
    SELECT ${LIVE_COLUMNS}, rank::text AS rank,
      ts_headline(${config}, live ->> 'title', ${asked}, ${`HighlightAll=true, ${options}`}) AS title_marked,
      ts_headline(${config},
        CASE WHEN to_tsvector(${config}, live ->> 'excerpt') @@ ${asked} THEN live ->> 'excerpt' ELSE left(live_text, ${SNIPPET_CHARACTERS}) END,
        ${asked}, ${`MaxFragments=2, MaxWords=24, MinWords=8, FragmentDelimiter=" … ", ${options}`}) AS excerpt_marked
    FROM page JOIN posts ON website_id = ${websiteId} AND id = post_id
    ORDER BY page.rank DESC, post_id DESC`;
}

const hitOf = (row: Row): SearchHit => ({
  post: livePostOf(row),
  titleHighlight: safeHighlight(row.title_marked),
  excerptHighlight: safeHighlight(row.excerpt_marked),
});
