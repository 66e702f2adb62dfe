-- Documents and texts are looked up in their indexes, whatever statistics there are. Left alone, the planner takes a look into a
-- document for as cheap as one into a number, and reads every post of a website instead: these two functions give back what
-- they get, and say what that costs.
CREATE FUNCTION looked_up(document tsvector) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE STRICT COST 100000 AS $$
BEGIN
  RETURN document;
END $$;
CREATE FUNCTION looked_up(haystack text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT COST 100000 AS $$
BEGIN
  RETURN haystack;
END $$;

DROP INDEX post_search_document;
DROP INDEX post_search_haystack;
CREATE INDEX post_search_document ON post_search USING gin (website_id, looked_up(document));
CREATE INDEX post_search_haystack ON post_search USING gin (website_id, looked_up(haystack) gin_trgm_ops);

CREATE OR REPLACE FUNCTION search_alike(website text, words text[]) RETURNS TABLE (post_id text, likeness real) LANGUAGE sql STABLE
  SET pg_trgm.word_similarity_threshold = 0.45 AS $$
  SELECT found.post_id, compared.likeness
  FROM (SELECT post_search.post_id, haystack FROM post_search WHERE website_id = website AND looked_up(haystack) %> words[1]) AS found
  CROSS JOIN LATERAL (
    SELECT avg(word_similarity(word, haystack))::real AS likeness, bool_and(haystack %> word) AS is_alike FROM unnest(words) AS word
  ) AS compared
  WHERE is_alike
$$;
