-- What the dashboard asks on every page, so that none of it grows with the number of posts.

-- How many posts each status holds, kept as they change: counting 50,000 of them for the tabs of every page would be felt.
CREATE TABLE post_counts (
  website_id text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  posts bigint NOT NULL,
  PRIMARY KEY (website_id, status)
) WITH (fillfactor = 50);
INSERT INTO post_counts (website_id, status, posts) SELECT website_id, status, count(*) FROM posts GROUP BY website_id, status;

-- The write holds the website's row of website_content already, so two of these never wait for each other.
CREATE FUNCTION count_post() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE post_counts SET posts = posts - 1 WHERE website_id = OLD.website_id AND status = OLD.status;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO post_counts (website_id, status, posts) VALUES (NEW.website_id, NEW.status, 1)
    ON CONFLICT (website_id, status) DO UPDATE SET posts = post_counts.posts + 1;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER post_counted AFTER INSERT OR DELETE ON posts FOR EACH ROW EXECUTE FUNCTION count_post();
CREATE TRIGGER post_recounted AFTER UPDATE OF status ON posts
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION count_post();

-- One's own posts, what waits for a review, what was changed since it went live, and what is planned.
CREATE INDEX posts_by_owner ON posts (website_id, owner_id, status, edited_at, id);
CREATE INDEX posts_in_review ON posts (website_id, status, edited_at, id) WHERE review IS NOT NULL;
CREATE INDEX posts_changed ON posts (website_id, status, edited_at, id) WHERE has_unpublished_changes;
CREATE INDEX posts_scheduled ON posts (website_id, scheduled_at, id) WHERE status = 'scheduled';

-- What one person did; and whether a person ever did anything here.
CREATE INDEX activity_of_person ON activity (workspace_id, actor_user_id, at DESC, id DESC);
