-- The best matches of a blog are found without ranking all of them: only posts that name a word in title or excerpt have a rank, and few do.
-- After them come those that have it in the text, the newest first. A snippet is cut from around the words, not read from the whole text.

CREATE INDEX post_search_head ON post_search USING gin (website_id, looked_up(head));

-- How well title and excerpt fit: title over excerpt, as ts_rank takes them (D, C, B, A).
CREATE FUNCTION search_rank(head tsvector, asked tsquery) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT round(ts_rank('{0, 0, 0.4, 1.0}'::real[], head, asked)::numeric, 6)
$$;

-- The words of a question as they stand in it, quoted, with the sign of those that are a beginning.
CREATE FUNCTION search_words(asked tsquery) RETURNS SETOF text LANGUAGE sql IMMUTABLE ROWS 4 AS $$
  SELECT word[1] FROM regexp_matches(asked::text, $regex$('(?:[^'\\]|''|\\.)+'(?::[*A-D]+)?)$regex$, 'g') AS word
$$;

-- Whether a post that has any of the words matches: only "or" stands between them.
CREATE FUNCTION search_is_any(asked tsquery) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT asked::text !~ '[&<!]'
$$;

-- The same words, plain, by which a text is looked through for a snippet. None where they have to stand next to each other: they may do so
-- further down than where they come first.
CREATE FUNCTION search_plain_words(asked tsquery) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN asked::text !~ '<' THEN ARRAY(SELECT DISTINCT trim(both '''' from split_part(word, ':', 1)) FROM search_words(asked) AS word) END
$$;

-- The best of all matches after this one, as many as are wanted.
CREATE FUNCTION search_best(website text, asked tsquery, after_rank numeric, after_post text, wanted integer)
  RETURNS TABLE (post_id text, rank numeric) LANGUAGE plpgsql STABLE ROWS 20 SET work_mem = '32MB' AS $$
DECLARE
  any_word tsquery := (SELECT string_agg(word, ' | ') FROM search_words(asked) AS word)::tsquery;
  is_any boolean := search_is_any(asked);
  before_post text := CASE WHEN after_rank = 0 THEN after_post ELSE '~' END;
  missing integer;
  newest text[];
BEGIN
  IF any_word IS NULL THEN
    RETURN;
  END IF;
  -- Planned each time: how to find a word depends on how frequent it is.
  RETURN QUERY EXECUTE format('
    SELECT * FROM (
      SELECT post_id, search_rank(head, $2) AS rank FROM post_search
      WHERE $4 > 0 AND website_id = $1 AND looked_up(head) @@ $3 AND %s OFFSET 0
    ) AS named
    WHERE rank > 0 AND (rank, post_id) < ($4, $5) ORDER BY rank DESC, post_id DESC LIMIT $6',
    CASE WHEN is_any THEN 'true' ELSE 'looked_up(document) @@ $2' END)
    USING website, asked, any_word, after_rank, after_post, wanted;
  GET DIAGNOSTICS missing = ROW_COUNT;
  missing := wanted - missing;
  IF missing = 0 THEN
    RETURN;
  END IF;
  -- A word that many posts have is found soonest by looking into the newest: its list in the index is long.
  newest := ARRAY(
    SELECT looked_into.post_id FROM (
      SELECT post_search.post_id, document, head FROM post_search
      WHERE website_id = website AND post_search.post_id < before_post ORDER BY post_search.post_id DESC LIMIT 64
    ) AS looked_into
    WHERE document @@ asked AND search_rank(head, asked) = 0 ORDER BY looked_into.post_id DESC LIMIT missing
  );
  IF cardinality(newest) < missing THEN
    EXECUTE format('SELECT ARRAY(
      SELECT post_id FROM post_search WHERE website_id = $1 AND %s AND looked_up(document) @@ $4 AND search_rank(head, $4) = 0
      ORDER BY post_id DESC LIMIT $5
    )', search_range('', before_post)) INTO newest USING website, '', before_post, asked, missing;
  END IF;
  RETURN QUERY SELECT id, 0.000000 FROM unnest(newest) AS id;
END $$;

-- A page of matches and from which post on they were ranked together: '' for all of them.
CREATE FUNCTION search_page(website text, asked tsquery, from_post text, before_post text, after_rank numeric, after_post text, wanted integer,
    ranked_together integer)
  RETURNS TABLE (post_id text, rank numeric, first_post text) LANGUAGE plpgsql STABLE ROWS 20 AS $$
BEGIN
  first_post := coalesce(from_post, search_from(website, asked, before_post, ranked_together));
  IF first_post = '' AND before_post = '~' THEN
    RETURN QUERY SELECT best.post_id, best.rank, search_page.first_post FROM search_best(website, asked, after_rank, after_post, wanted) AS best;
  ELSE
    RETURN QUERY
      SELECT matches.post_id, matches.rank, search_page.first_post FROM search_matches(website, asked, first_post, before_post) AS matches
      WHERE (matches.rank, matches.post_id) < (after_rank, after_post) ORDER BY matches.rank DESC, matches.post_id DESC LIMIT wanted;
  END IF;
END $$;

-- What of a text lies around a place of each word; null where none stands there as it is asked for, such as one with an accent.
CREATE FUNCTION search_around(body text, words text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  around text := NULL;
  place integer;
  since integer;
  upto integer := 1;
  piece text;
BEGIN
  FOR place IN
    -- In small letters first: to fold a whole text takes longer than to look through it.
    SELECT DISTINCT coalesce(nullif(strpos(body, word), 0), strpos(lower(body), word)) FROM unnest(words) AS word ORDER BY 1
  LOOP
    CONTINUE WHEN place < upto;
    since := greatest(place - 100, upto);
    upto := place + 300;
    piece := substr(body, since, upto - since);
    -- Whole words only.
    IF since > 1 THEN
      piece := substr(piece, strpos(piece, ' ') + 1);
    END IF;
    IF upto <= length(body) THEN
      piece := left(piece, -strpos(reverse(piece), ' '));
    END IF;
    around := concat_ws(' … ', around, piece);
  END LOOP;
  RETURN around;
END $$;

-- The excerpt with its words marked, or else what the text says around them.
CREATE FUNCTION search_snippet(config regconfig, excerpt text, body text, asked tsquery, words text[], options text, mark text)
  RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  snippet text;
BEGIN
  IF to_tsvector(config, excerpt) @@ asked THEN
    RETURN ts_headline(config, excerpt, asked, options);
  END IF;
  snippet := ts_headline(config, search_around(body, words), asked, options);
  IF strpos(snippet, mark) > 0 THEN
    RETURN snippet;
  END IF;
  RETURN ts_headline(config, body, asked, options);
END $$;

-- How alike the words are to those of a text, null unless every word is like one.
CREATE FUNCTION search_likeness(words text[], haystack text) RETURNS real LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN min(each)::float8 >= 0.45 THEN avg(each)::real END
  FROM unnest(words) AS word CROSS JOIN LATERAL (SELECT word_similarity(word, haystack) AS each OFFSET 0) AS one
$$;

-- As in migration 0392, for less: to plan the question took longer than to answer it, because the planner compares the word with a hundred
-- texts, so one plan serves all words. And a long word that is like another one begins with the same three letters or has four in a row with
-- it: fewer posts have those than have any half of its letters, and it takes a fifth of the time to see.
CREATE OR REPLACE FUNCTION search_alike(website text, words text[], from_post text, before_post text, enough integer)
  RETURNS TABLE (post_id text, likeness real, first_post text) LANGUAGE plpgsql STABLE
  SET work_mem = '32MB' SET pg_trgm.word_similarity_threshold = 0.45 SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  ids text[];
  haystacks text[];
  likenesses real[];
  -- Without accents some signs become others that mean something in a pattern: "⑴" becomes "(1)".
  plain text := left(regexp_replace(words[1], '[^[:alnum:]]', '', 'g'), 24);
  is_long boolean := length(plain) >= 6;
  in_a_row integer := CASE WHEN is_long THEN 4 ELSE 3 END;
  letters text := concat_ws('|', '\m' || left(plain, in_a_row - 1), (
    SELECT string_agg(substr(plain, place, in_a_row), '|') FROM generate_series(1, length(plain) - in_a_row + 1) AS place
  ));
BEGIN
  IF plain = '' THEN
    RETURN;
  END IF;
  first_post := from_post;
  IF first_post IS NULL AND search_is_large(website) THEN
    first_post := search_post_before(website, before_post, 4096);
  END IF;
  first_post := coalesce(first_post, '');
  LOOP
    IF first_post <> '' THEN
      SELECT array_agg(found.post_id), array_agg(found.haystack) INTO ids, haystacks FROM post_search AS found
      WHERE found.website_id = website AND found.post_id >= search_alike.first_post AND found.post_id < before_post AND found.haystack ~ letters;
    ELSIF is_long THEN
      SELECT array_agg(found.post_id), array_agg(found.haystack) INTO ids, haystacks FROM post_search AS found
      WHERE found.website_id = website AND looked_up(found.haystack) ~ letters AND (before_post = '~' OR found.post_id < before_post);
    ELSE
      SELECT array_agg(found.post_id), array_agg(found.haystack) INTO ids, haystacks FROM post_search AS found
      WHERE found.website_id = website AND looked_up(found.haystack) %> words[1] AND (before_post = '~' OR found.post_id < before_post);
    END IF;
    SELECT array_agg(found.id), array_agg(compared.likeness) INTO ids, likenesses
    FROM unnest(ids, haystacks) AS found (id, haystack) CROSS JOIN LATERAL (SELECT search_likeness(words, found.haystack) AS likeness OFFSET 0) AS compared
    WHERE compared.likeness IS NOT NULL;
    EXIT WHEN from_post IS NOT NULL OR first_post = '' OR cardinality(ids) >= enough;
    first_post := '';
  END LOOP;
  RETURN QUERY SELECT found.id, found.likeness, search_alike.first_post FROM unnest(ids, likenesses) AS found (id, likeness);
END $$;
