-- A search ranks a bounded number of posts, however many have the word: the newest that have it, and after them the next ones. Ids are made
-- in time's order. The memory holds the places of half a million matches: with less, an index names pages instead, and every post of them is
-- looked into. What depends on how frequent a word is is planned each time (EXECUTE).

-- Below so many posts all that match are ranked together: that costs less than looking into the newest first.
CREATE FUNCTION search_is_large(website text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM post_counts WHERE website_id = website AND status = 'published' AND posts >= 50000)
$$;

-- From which post on those before `before_post` are ranked together, so that at least `enough` match: '' for all of them.
CREATE FUNCTION search_from(website text, asked tsquery, before_post text, enough integer) RETURNS text LANGUAGE plpgsql STABLE
  SET work_mem = '32MB' AS $$
DECLARE
  posts_looked_at integer := 4096;
  first_post text;
  found_enough boolean;
BEGIN
  IF search_is_large(website) THEN
    first_post := search_post_before(website, before_post, posts_looked_at);
  END IF;
  IF first_post IS NULL THEN
    RETURN '';
  END IF;
  -- A word that many posts have is found soonest by looking into the newest: its list in the index is long.
  SELECT count(*) >= enough INTO found_enough FROM (
    SELECT FROM post_search WHERE website_id = website AND post_id >= first_post AND post_id < before_post AND document @@ asked LIMIT enough
  ) AS newest;
  IF found_enough THEN
    RETURN first_post;
  END IF;
  EXECUTE format('SELECT count(*) >= $5 FROM (
    SELECT FROM post_search WHERE website_id = $1 AND %s AND looked_up(document) @@ $4 LIMIT $5
  ) AS matches', search_range('', before_post)) INTO found_enough USING website, '', before_post, asked, enough;
  IF NOT found_enough THEN
    RETURN '';
  END IF;
  LOOP
    posts_looked_at := posts_looked_at * 8;
    first_post := search_post_before(website, before_post, posts_looked_at);
    IF first_post IS NULL THEN
      RETURN '';
    END IF;
    EXECUTE 'SELECT count(*) >= $5 FROM (
      SELECT FROM post_search WHERE website_id = $1 AND post_id >= $2 AND post_id < $3 AND looked_up(document) @@ $4 LIMIT $5
    ) AS matches' INTO found_enough USING website, first_post, before_post, asked, enough;
    IF found_enough THEN
      RETURN first_post;
    END IF;
  END LOOP;
END $$;

-- The condition on the ids of posts, $2 and $3. None for all of them: a planner without statistics takes any range for a narrow one, and reads
-- every post in it instead of asking the index of words.
CREATE FUNCTION search_range(from_post text, before_post text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN from_post = '' AND before_post = '~' THEN '$2::text < $3::text' ELSE 'post_id >= $2 AND post_id < $3' END
$$;

-- The published post so many places before another; null where there are fewer.
CREATE FUNCTION search_post_before(website text, before_post text, places integer) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT post_id FROM post_search WHERE website_id = website AND post_id < before_post ORDER BY post_id DESC OFFSET places - 1 LIMIT 1
$$;

-- The matches among these posts, with how well title and excerpt fit: title over excerpt, as ts_rank takes them (D, C, B, A).
CREATE FUNCTION search_matches(website text, asked tsquery, from_post text, before_post text)
  RETURNS TABLE (post_id text, rank numeric) LANGUAGE plpgsql STABLE SET work_mem = '32MB' AS $$
DECLARE
  -- As search_from found them.
  among_newest boolean := from_post <> '' AND NOT EXISTS (
    SELECT FROM post_search WHERE website_id = website AND post_search.post_id >= from_post AND post_search.post_id < before_post OFFSET 4096
  );
BEGIN
  RETURN QUERY EXECUTE format('
    SELECT post_id, round(ts_rank(''{0, 0, 0.4, 1.0}''::real[], head, $4)::numeric, 6) FROM post_search
    WHERE website_id = $1 AND %s AND %s @@ $4', search_range(from_post, before_post),
    CASE WHEN among_newest THEN 'document' ELSE 'looked_up(document)' END)
    USING website, from_post, before_post, asked;
END $$;

-- Typing errors: posts in whose title or excerpt every word is like one, and from which post on they were looked for (given, or found as
-- above). The first word, best a long one, is looked up: in the newest posts by reading them, as far as they have three letters of it in a
-- row or begin like it, because to compare a post takes thirty times as long; then in the index, which names all that may match.
CREATE FUNCTION search_alike(website text, words text[], from_post text, before_post text, enough integer)
  RETURNS TABLE (post_id text, likeness real, first_post text)
  LANGUAGE plpgsql STABLE SET work_mem = '32MB' SET pg_trgm.word_similarity_threshold = 0.45 AS $$
DECLARE
  ids text[];
  likenesses real[];
  -- Without accents some signs become others that mean something in a pattern: "⑴" becomes "(1)".
  plain text := regexp_replace(words[1], '[^[:alnum:]]', '', 'g');
  letters text := concat_ws('|', '\m' || left(plain, 2), (
    SELECT string_agg(substr(plain, place, 3), '|') FROM generate_series(1, length(plain) - 2) AS place
  ));
BEGIN
  first_post := from_post;
  IF first_post IS NULL AND search_is_large(website) THEN
    first_post := search_post_before(website, before_post, 4096);
  END IF;
  first_post := coalesce(first_post, '');
  LOOP
    EXECUTE format('SELECT array_agg(found.post_id), array_agg(compared.likeness)
      FROM (
        SELECT post_id, haystack FROM post_search WHERE website_id = $1 AND %s AND %s OFFSET 0
      ) AS found
      CROSS JOIN LATERAL (
        SELECT avg(each)::real AS likeness, min(each)::float8 >= 0.45 AS is_alike
        FROM unnest($4) AS word CROSS JOIN LATERAL (SELECT word_similarity(word, haystack) AS each OFFSET 0) AS one
      ) AS compared
      WHERE is_alike AND $5 <> ''''', search_range(first_post, before_post),
      CASE first_post WHEN '' THEN 'looked_up(haystack) %> ($4)[1]' ELSE 'haystack ~ $5' END)
      INTO ids, likenesses USING website, first_post, before_post, words, letters;
    EXIT WHEN from_post IS NOT NULL OR first_post = '' OR cardinality(ids) >= enough;
    first_post := '';
  END LOOP;
  RETURN QUERY SELECT found.id, found.likeness, search_alike.first_post FROM unnest(ids, likenesses) AS found (id, likeness);
END $$;
