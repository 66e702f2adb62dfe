-- Full-text search over live copies (ports/content-store, PostSearch). All three extensions are trusted: the owner of a
-- database may create them.
CREATE EXTENSION IF NOT EXISTS unaccent;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Each dictionary of PostgreSQL once more, blind to accents. The dictionary comes after, so that "cafés" and "cafe" meet
-- in one stem, and a highlight still shows the word as it was written.
DO $$
DECLARE
  language name;
BEGIN
  FOR language IN SELECT cfgname FROM pg_ts_config WHERE cfgnamespace = 'pg_catalog'::regnamespace LOOP
    EXECUTE format('CREATE TEXT SEARCH CONFIGURATION %I (COPY = pg_catalog.%I)', 'stet_' || language, language);
    EXECUTE format('ALTER TEXT SEARCH CONFIGURATION %I ALTER MAPPING FOR hword, hword_part, word WITH unaccent, %s', 'stet_' || language,
      CASE WHEN language = 'simple' THEN 'simple' ELSE quote_ident(language || '_stem') END);
  END LOOP;
END $$;

-- BCP 47 → dictionary, by the primary language; one we have no dictionary for is searched word by word.
CREATE FUNCTION search_config(language text) RETURNS regconfig LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT ('stet_' || name)::regconfig FROM (VALUES
      ('ar', 'arabic'), ('hy', 'armenian'), ('eu', 'basque'), ('ca', 'catalan'), ('da', 'danish'), ('nl', 'dutch'), ('en', 'english'),
      ('et', 'estonian'), ('fi', 'finnish'), ('fr', 'french'), ('de', 'german'), ('el', 'greek'), ('hi', 'hindi'), ('hu', 'hungarian'),
      ('id', 'indonesian'), ('ga', 'irish'), ('it', 'italian'), ('lt', 'lithuanian'), ('ne', 'nepali'), ('no', 'norwegian'),
      ('nb', 'norwegian'), ('nn', 'norwegian'), ('pt', 'portuguese'), ('ro', 'romanian'), ('ru', 'russian'), ('sr', 'serbian'),
      ('es', 'spanish'), ('sv', 'swedish'), ('ta', 'tamil'), ('tr', 'turkish'), ('yi', 'yiddish')
    ) AS known (code, name)
    WHERE code = lower(split_part(language, '-', 1)) AND EXISTS (SELECT FROM pg_ts_config WHERE cfgname = 'stet_' || name)),
    'stet_simple'::regconfig)
$$;

-- One row for each published post.
CREATE TABLE post_search (
  website_id text COLLATE "C" NOT NULL,
  post_id text COLLATE "C" NOT NULL,
  -- Stems in the website's language, and the plain words of title and excerpt, so that a word typed half is found there.
  document tsvector NOT NULL,
  -- Title and excerpt alone. Ranking reads this of every match; the document, many times as large, is only looked up in the index.
  head tsvector NOT NULL,
  -- For typing errors: title and excerpt, folded.
  haystack text COLLATE "C" NOT NULL,
  PRIMARY KEY (website_id, post_id)
);
CREATE INDEX post_search_document ON post_search USING gin (website_id, document);
CREATE INDEX post_search_haystack ON post_search USING gin (website_id, haystack gin_trgm_ops);

-- Posts in whose title or excerpt every word is like one. The first word, best a long one, is looked up in the index; how alike
-- is alike is a setting of the extension, which holds inside this function.
CREATE FUNCTION search_alike(website text, words text[]) RETURNS TABLE (post_id text, likeness real) LANGUAGE sql STABLE
  SET pg_trgm.word_similarity_threshold = 0.45 AS $$
  SELECT found.post_id, compared.likeness
  FROM (SELECT post_search.post_id, haystack FROM post_search WHERE website_id = website AND haystack %> words[1]) AS found
  CROSS JOIN LATERAL (
    SELECT avg(word_similarity(word, haystack))::real AS likeness, bool_and(haystack %> word) AS is_alike FROM unnest(words) AS word
  ) AS compared
  WHERE is_alike
$$;

CREATE FUNCTION search_head(config regconfig, title text, excerpt text) RETURNS tsvector LANGUAGE sql STABLE AS $$
  SELECT setweight(to_tsvector(config, title) || to_tsvector('stet_simple', title), 'A')
    || setweight(to_tsvector(config, excerpt) || to_tsvector('stet_simple', excerpt), 'B')
$$;

CREATE FUNCTION search_document(config regconfig, head tsvector, body text) RETURNS tsvector LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN head
    -- The first 256 KB of a post. Its plain words are left out: they would double what publishing costs, for a word that is
    -- typed further than its stem and occurs in no title or excerpt.
    || setweight(to_tsvector(config, left(body, 262144)), 'D');
EXCEPTION WHEN program_limit_exceeded THEN
  -- A text of nothing but different words. A post must never fail to publish because of its index.
  RETURN head || setweight(to_tsvector('stet_simple', left(body, 32768)), 'D');
END $$;

CREATE FUNCTION index_post(post posts) RETURNS void LANGUAGE sql AS $$
  INSERT INTO post_search (website_id, post_id, document, head, haystack)
  SELECT post.website_id, post.id, search_document(config, head, post.live_text), head,
    lower(unaccent((post.live ->> 'title') || ' ' || (post.live ->> 'excerpt')))
  FROM search_config(coalesce((SELECT settings ->> 'language' FROM websites WHERE id = post.website_id), '')) AS config,
    search_head(config, post.live ->> 'title', post.live ->> 'excerpt') AS head
  ON CONFLICT (website_id, post_id) DO UPDATE SET document = excluded.document, head = excluded.head, haystack = excluded.haystack
$$;

CREATE FUNCTION follow_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR NEW.status <> 'published' THEN
    DELETE FROM post_search WHERE website_id = OLD.website_id AND post_id = OLD.id;
  ELSE
    PERFORM index_post(NEW);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER post_search_new AFTER INSERT ON posts
  FOR EACH ROW WHEN (NEW.status = 'published') EXECUTE FUNCTION follow_post();
-- An autosave changes neither of these, so it costs nothing here.
CREATE TRIGGER post_search_changed AFTER UPDATE ON posts
  FOR EACH ROW WHEN (OLD.status <> NEW.status OR OLD.live_updated_at IS DISTINCT FROM NEW.live_updated_at
    OR OLD.live_rendering_print IS DISTINCT FROM NEW.live_rendering_print) EXECUTE FUNCTION follow_post();
CREATE TRIGGER post_search_gone AFTER DELETE ON posts
  FOR EACH ROW WHEN (OLD.status = 'published') EXECUTE FUNCTION follow_post();

-- Websites whose language changed: their posts are indexed anew by the sweep, which goes on after the last one it did.
CREATE TABLE search_reindex (
  website_id text COLLATE "C" PRIMARY KEY,
  after_post_id text COLLATE "C" NOT NULL DEFAULT ''
);
CREATE FUNCTION website_language_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_reindex (website_id) VALUES (NEW.id) ON CONFLICT (website_id) DO UPDATE SET after_post_id = '';
  RETURN NULL;
END $$;
CREATE TRIGGER website_language_changed AFTER UPDATE OF settings ON websites
  FOR EACH ROW WHEN (OLD.settings ->> 'language' IS DISTINCT FROM NEW.settings ->> 'language')
  EXECUTE FUNCTION website_language_changed();
