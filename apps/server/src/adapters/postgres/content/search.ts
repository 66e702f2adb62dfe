import { fail } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import { MARK, readSearch, safeHighlight, type TypedSearch } from "#domain/search-text";
import type { PostSearch, SearchHit, SearchQuery } from "#ports/post-search";
import type { Connection } from "./connection.ts";
import { LIVE_COLUMNS, livePostOf, type LiveRow } from "./post-row.ts";
import { type Fragment, sql } from "./sql.ts";

/** How much of a body is looked through for a snippet: it is read word by word for every row of a page. */
const SNIPPET_CHARACTERS = 16_384;
/** The two ways to find; a cursor says which one its page came from. */
const BY_WORDS = "w";
const BY_LIKENESS = "t";
/** About so many matches are ranked together; of more, the newest first, and then the next. */
const RANKED_TOGETHER = 500;
/** The same for typing errors, which take long to compare. */
const COMPARED_TOGETHER = 20;
/** Beyond every id, and a rank beyond every rank: where a search begins. */
const ALL_POSTS = "~";
const BEST = "999999.000000";
/** How it was found, its rank, and unless all posts were ranked together, the posts that were: from one id on, before another. */
const RANK_KEY = /^(?<way>[wt])(?<rank>\d{1,6}\.\d{6})(?: (?<from>post_\w{26}|) (?<before>post_\w{26}|~))?$/;

type Row = LiveRow & { rank: string; first_post: string; title_marked: string; excerpt_marked: string };

/** Where a page goes on. */
interface Position {
  readonly way: string;
  readonly rank: string;
  /** Null: still to be found. */
  readonly from: string | null;
  readonly before: string;
}

export function postSearch(connection: Connection): PostSearch {
  const find = async (websiteId: WebsiteId, typed: TypedSearch, query: SearchQuery, position: Position) => {
    const { way, before } = position;
    // One plan is the best for any words: the functions in it plan what depends on them.
    const rows = await connection.prepared<Row>(page(websiteId, typed, query, position));
    const from = rows[0]?.first_post ?? position.from ?? "";
    const shown = rows.slice(0, query.limit);
    const last = shown.at(-1);
    const isWhole = from === "" && before === ALL_POSTS;
    const key = (rank: string, of: string): string => `${way}${rank}${isWhole ? "" : ` ${of}`}`;
    const hits = shown.map(hitOf);
    if (rows.length > query.limit && last) return { rows: hits, next: { key: key(last.rank, `${from} ${before}`), id: last.id } };
    if (from === "") return { rows: hits, next: null };
    const [another] = await connection.rows(
      way === BY_WORDS
        ? sql`SELECT FROM post_search WHERE website_id = ${websiteId} AND post_id < ${from} AND looked_up(document) @@ (${questionOf(typed, query)}) LIMIT 1`
        : sql`SELECT FROM search_alike(${websiteId}, ${foldedWords(typed)}, '', ${from}, 1) LIMIT 1`,
    );
    return { rows: hits, next: another ? { key: key(BEST, ` ${from}`), id: from } : null };
  };
  return {
    async search(websiteId, query) {
      const typed = readSearch(query.text);
      const position = positionOf(query);
      const found = await find(websiteId, typed, query, position);
      // Only when nothing has the words as they were typed are typing errors looked for.
      if (found.rows.length > 0 || query.after || typed.words.length === 0) return found;
      return find(websiteId, typed, query, { ...position, way: BY_LIKENESS });
    },

    reindex: (limit) =>
      connection.transaction(async (runner) => {
        const [next] = await runner.rows<{ website_id: WebsiteId }>(sql`SELECT website_id FROM search_reindex ORDER BY website_id LIMIT 1`);
        if (!next) return 0;
        const mine = sql`website_id = ${next.website_id}`;
        // Writers wait for this part: a post that is taken offline meanwhile would be entered again as it was when this began to read.
        await runner.rows(sql`SELECT FROM website_content WHERE ${mine} FOR UPDATE`);
        const [position] = await runner.rows<{ after_post_id: string }>(
          sql`SELECT after_post_id FROM search_reindex WHERE ${mine} FOR UPDATE`,
        );
        // Another node was at it.
        if (!position) return 1;
        const done = await runner.rows<{ id: string }>(sql`
          SELECT id FROM (
            SELECT posts AS post, id FROM posts WHERE ${mine} AND status = 'published' AND id > ${position.after_post_id} ORDER BY id LIMIT ${limit}
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

/** After the last hit that was seen; where the posts that it was ranked with are done, at the best of those before them. */
function positionOf({ after }: SearchQuery): Position {
  if (!after) return { way: BY_WORDS, rank: BEST, from: null, before: ALL_POSTS };
  const { way, rank, from = "", before = ALL_POSTS } = RANK_KEY.exec(after.key)?.groups ?? {};
  if (way === undefined || rank === undefined) {
    throw fail("INVALID_CURSOR", "This cursor was altered, or the content has moved since. Start again without one.");
  }
  return { way, rank, from: rank === BEST ? null : from, before };
}

/** The longest first: it is the one that is looked up. */
const foldedWords = ({ words }: TypedSearch): Fragment =>
  sql`ARRAY(SELECT lower(unaccent(word)) FROM unnest(${words}::text[]) AS word ORDER BY length(word) DESC)`;

/** A page of matches in their order, one more than is shown. */
function matchesOf(
  websiteId: WebsiteId,
  typed: TypedSearch,
  { after, limit }: SearchQuery,
  { way, rank, from, before }: Position,
): Fragment {
  const last = sql`${rank}::numeric, ${after?.id ?? ALL_POSTS}`;
  if (way === BY_WORDS) {
    return sql`search_page(${websiteId}, asked, ${from}, ${before}, ${last}, ${limit + 1}, ${RANKED_TOGETHER})`;
  }
  return sql`(
    SELECT post_id, round(likeness::numeric, 6) AS rank, first_post
    FROM search_alike(${websiteId}, ${foldedWords(typed)}, ${from}, ${before}, ${COMPARED_TOGETHER})
    WHERE (round(likeness::numeric, 6), post_id) < (${last}) ORDER BY rank DESC, post_id DESC LIMIT ${limit + 1}
  )`;
}

/** Highlights are made only for the rows that are shown, and in a title only where a word may stand in it. */
function page(websiteId: WebsiteId, typed: TypedSearch, query: SearchQuery, position: Position): Fragment {
  const options = `StartSel=${MARK.start}, StopSel=${MARK.end}`;
  const inTitle = `HighlightAll=true, ${options}`;
  const inText = `MaxFragments=2, MaxWords=24, MinWords=8, FragmentDelimiter=" … ", ${options}`;
  return sql`
    WITH question AS MATERIALIZED (
      SELECT asked, config, search_plain_words(asked) AS words, search_is_any(asked) AS is_any
      FROM (SELECT (${questionOf(typed, query)}) AS asked, search_config(${query.language}) AS config OFFSET 0) AS typed
    ),
    page AS MATERIALIZED (
      SELECT asked, config, words, post_id, rank, first_post, rank > 0 OR NOT is_any AS may_name,
        row_number() OVER (ORDER BY rank DESC, post_id DESC) <= ${query.limit}::integer AS is_shown
      FROM question CROSS JOIN LATERAL ${matchesOf(websiteId, typed, query, position)} AS matches
    )
    SELECT ${LIVE_COLUMNS}, page.rank::text AS rank, first_post,
      CASE WHEN is_shown AND may_name THEN ts_headline(config, live ->> 'title', asked, ${inTitle}) ELSE live ->> 'title' END AS title_marked,
      CASE WHEN is_shown THEN
        search_snippet(config, CASE WHEN may_name THEN live ->> 'excerpt' END, left(live_text, ${SNIPPET_CHARACTERS}::integer), asked, words,
          ${inText}, ${MARK.start})
      END AS excerpt_marked
    FROM page
    CROSS JOIN LATERAL (
      SELECT ${LIVE_COLUMNS}, live_text FROM posts WHERE website_id = ${websiteId} AND id = post_id AND status = 'published' LIMIT 1
    ) AS post
    ORDER BY page.rank DESC, post_id DESC`;
}

const hitOf = (row: Row): SearchHit => ({
  post: livePostOf(row),
  titleHighlight: safeHighlight(row.title_marked),
  excerptHighlight: safeHighlight(row.excerpt_marked),
});
