-- How many posts show each term and image, kept as posts change: with a million posts the counts of one page of tags would be read from
-- millions of rows. A trigger keeps them, so that those of nodes of the version before are counted too.
CREATE TABLE facet_counts (
  website_id text COLLATE "C" NOT NULL,
  facet text COLLATE "C" NOT NULL,
  -- Published posts whose live copy shows it.
  live bigint NOT NULL,
  -- Posts, not in the trash, whose working copy or live copy shows it.
  shown bigint NOT NULL,
  PRIMARY KEY (website_id, facet)
) WITH (fillfactor = 50);

-- Websites with posts from before this table: a sweep counts them, a part at a time, in the order of their ids, and takes the row away at
-- the end. Until then nobody reads the counts of the website, and only what was counted already is kept up to date.
CREATE TABLE facet_counting (
  website_id text COLLATE "C" PRIMARY KEY,
  after_post_id text COLLATE "C" NOT NULL DEFAULT ''
);

-- What a post adds to the counts.
CREATE FUNCTION counted_facets(its_status text, its_working text[], its_live text[]) RETURNS TABLE (facet text, live integer, shown integer)
LANGUAGE sql IMMUTABLE AS $$
  SELECT each.facet, max(each.live), max(each.shown)
  FROM (
    SELECT unnest(its_live), 1, (its_status <> 'deleted')::integer
    UNION ALL
    SELECT unnest(its_working), 0, (its_status <> 'deleted')::integer
  ) AS each (facet, live, shown)
  GROUP BY each.facet
$$;

-- Every write holds the website's row of website_content already, and so does the sweep: none of them waits for another here, and each
-- sees how far the sweep has come.
CREATE FUNCTION count_facets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM facet_counting WHERE website_id = NEW.website_id AND NEW.id > after_post_id) THEN
    RETURN NULL;
  END IF;
  INSERT INTO facet_counts AS kept (website_id, facet, live, shown)
  SELECT NEW.website_id, facet, sum(live), sum(shown)
  FROM (
    SELECT * FROM counted_facets(NEW.status, NEW.working_facets, NEW.live_facets)
    UNION ALL
    SELECT facet, -live, -shown FROM counted_facets(OLD.status, OLD.working_facets, OLD.live_facets) WHERE TG_OP = 'UPDATE'
  ) AS changed
  GROUP BY facet HAVING sum(live) <> 0 OR sum(shown) <> 0
  ON CONFLICT (website_id, facet) DO UPDATE SET live = kept.live + excluded.live, shown = kept.shown + excluded.shown;
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM facet_counts
    WHERE website_id = NEW.website_id AND facet = ANY (OLD.working_facets || OLD.live_facets) AND live = 0 AND shown = 0;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER facets_counted AFTER INSERT ON posts FOR EACH ROW EXECUTE FUNCTION count_facets();
-- Most autosaves change none of these, and cost nothing here.
CREATE TRIGGER facets_recounted AFTER UPDATE ON posts
  FOR EACH ROW WHEN (OLD.status <> NEW.status OR OLD.working_facets <> NEW.working_facets OR OLD.live_facets <> NEW.live_facets)
  EXECUTE FUNCTION count_facets();

-- A thousand posts are erased at once, so that each count is changed once for all of them.
CREATE FUNCTION uncount_facets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE facet_counts AS kept SET live = kept.live - gone.live, shown = kept.shown - gone.shown
  FROM (
    SELECT old_posts.website_id, facet, sum(counted.live) AS live, sum(counted.shown) AS shown
    FROM old_posts, counted_facets(old_posts.status, old_posts.working_facets, old_posts.live_facets) AS counted
    WHERE NOT EXISTS (
      SELECT FROM facet_counting WHERE facet_counting.website_id = old_posts.website_id AND old_posts.id > after_post_id
    )
    GROUP BY old_posts.website_id, facet
  ) AS gone
  WHERE kept.website_id = gone.website_id AND kept.facet = gone.facet;
  DELETE FROM facet_counts AS kept USING (
    SELECT DISTINCT website_id, unnest(working_facets || live_facets) AS facet FROM old_posts
  ) AS gone
  WHERE kept.website_id = gone.website_id AND kept.facet = gone.facet AND kept.live = 0 AND kept.shown = 0;
  RETURN NULL;
END $$;
CREATE TRIGGER facets_uncounted AFTER DELETE ON posts REFERENCING OLD TABLE AS old_posts
  FOR EACH STATEMENT EXECUTE FUNCTION uncount_facets();

-- After the triggers, which wait for the writes that are under way: what they wrote is there to be counted.
INSERT INTO facet_counting (website_id) SELECT website_id FROM website_content;
