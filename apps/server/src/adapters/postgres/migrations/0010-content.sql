-- Content of websites (ports/content-store). Every key and index is led by the website, so that the tables can be
-- distributed by it; only the indexes of sweeps, which cross websites by nature, are not.
-- Text is ordered by code point whatever the server's locale: COLLATE "C". Times are kept to the millisecond, as cursors carry them.
-- Documents are `json`, not `jsonb`: they are read whole, and come back letter for letter.

-- The first row every write of a website locks, until it commits. So the writes of one website commit in the order of
-- `change_seq`, which lets the change feed go on from a number without ever passing a write still in flight; and since
-- every other row is locked after this one, two writes cannot wait for each other.
CREATE TABLE website_content (
  website_id text COLLATE "C" PRIMARY KEY,
  -- Raised by writes that change what a key can see. Caches depend on it.
  content_version bigint NOT NULL DEFAULT 0,
  -- Raised by every write, once for each record it writes.
  change_seq bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- Whoever raises the content version, nodes hear of it when it commits.
CREATE FUNCTION tell_content_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM raise_signal('content', NEW.website_id);
  RETURN NULL;
END $$;
CREATE TRIGGER content_version_raised AFTER UPDATE OF content_version ON website_content
  FOR EACH ROW WHEN (OLD.content_version <> NEW.content_version) EXECUTE FUNCTION tell_content_version();
CREATE TRIGGER content_version_begun AFTER INSERT ON website_content
  FOR EACH ROW WHEN (NEW.content_version > 0) EXECUTE FUNCTION tell_content_version();

-- The change feed: the last write of each record. What was removed stays as a row of its own.
CREATE TABLE content_changes (
  website_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  -- Of a revision: its post. Otherwise empty.
  post_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  change_seq bigint NOT NULL,
  removed boolean NOT NULL,
  PRIMARY KEY (website_id, kind, post_id, id)
);
CREATE UNIQUE INDEX content_changes_feed ON content_changes (website_id, change_seq);

-- One post, one row. The big texts are columns of their own: an update that leaves them alone does not rewrite them.
-- Each has a fingerprint beside it, so that "unchanged" is known without reading them.
CREATE TABLE posts (
  website_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  status text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C",
  created_at timestamptz(3) NOT NULL,
  edited_at timestamptz(3) NOT NULL,
  edited_by json NOT NULL,
  edited_by_tool boolean NOT NULL,
  scheduled_at timestamptz(3),
  deleted_at timestamptz(3),
  review json,
  slug_follows_title boolean NOT NULL,
  has_unpublished_changes boolean NOT NULL,
  past_slugs text[] NOT NULL,

  title_key text COLLATE "C" NOT NULL,
  working json NOT NULL,
  working_media_ids text[] NOT NULL,
  working_facets text[] COLLATE "C" NOT NULL,
  working_body text NOT NULL,
  working_body_print text COLLATE "C" NOT NULL,

  -- All null until it was live once.
  live json,
  live_media_ids text[],
  live_published_at timestamptz(3),
  live_updated_at timestamptz(3),
  live_title_key text COLLATE "C",
  live_word_count integer,
  live_reading_minutes integer,
  live_renderer_version integer,
  live_headings json,
  live_body text,
  live_body_print text COLLATE "C",
  live_html text,
  live_text text,
  live_rendering_print text COLLATE "C",
  -- What stands in the table live_facets for it: empty unless published.
  live_facets text[] COLLATE "C" NOT NULL,

  pending_events json[] NOT NULL,
  pending_event_ids text[] COLLATE "C" NOT NULL,
  pending_revision json,
  pending_revision_id text COLLATE "C",
  pending_revision_version integer,
  PRIMARY KEY (website_id, id)
);
-- Lists read these two of every row: they stay in the row, and the bodies move out.
ALTER TABLE posts ALTER working SET STORAGE MAIN, ALTER live SET STORAGE MAIN;
-- For people: each status is a list of its own in every order, so a page of the trash does not read past every post.
CREATE INDEX posts_by_edited ON posts (website_id, status, edited_at, id);
CREATE INDEX posts_by_created ON posts (website_id, status, created_at, id);
CREATE INDEX posts_by_title ON posts (website_id, status, title_key, id);
-- For keys: published posts by the orders of the live copy (by creation: the index above).
CREATE INDEX posts_live_by_published ON posts (website_id, live_published_at, id) WHERE status = 'published';
CREATE INDEX posts_live_by_updated ON posts (website_id, live_updated_at, id) WHERE status = 'published';
CREATE INDEX posts_live_by_title ON posts (website_id, live_title_key, id) WHERE status = 'published';
-- For sweeps.
CREATE INDEX posts_pending ON posts (edited_at, website_id, id) WHERE pending_event_ids <> '{}' OR pending_revision_id IS NOT NULL;
CREATE INDEX posts_trashed ON posts (deleted_at, website_id, id) WHERE status = 'deleted';
CREATE INDEX posts_rendered ON posts (live_renderer_version, website_id, id) WHERE live_renderer_version IS NOT NULL;

-- What published posts can be narrowed by. Holds the sort values too, so that a narrowed list is an index scan at any depth.
CREATE TABLE live_facets (
  website_id text COLLATE "C" NOT NULL,
  facet text COLLATE "C" NOT NULL,
  post_id text COLLATE "C" NOT NULL,
  published_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  title_key text COLLATE "C" NOT NULL,
  PRIMARY KEY (website_id, facet, post_id)
);
CREATE INDEX live_facets_by_published ON live_facets (website_id, facet, published_at, post_id);
CREATE INDEX live_facets_by_created ON live_facets (website_id, facet, created_at, post_id);
CREATE INDEX live_facets_by_updated ON live_facets (website_id, facet, updated_at, post_id);
CREATE INDEX live_facets_by_title ON live_facets (website_id, facet, title_key, post_id);

-- What working copies show, in every status: the dashboard's filters and where-used.
CREATE TABLE working_facets (
  website_id text COLLATE "C" NOT NULL,
  facet text COLLATE "C" NOT NULL,
  post_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (website_id, facet, post_id)
);

CREATE TABLE revisions (
  website_id text COLLATE "C" NOT NULL,
  post_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  author json NOT NULL,
  started_at timestamptz(3) NOT NULL,
  at timestamptz(3) NOT NULL,
  was_live boolean NOT NULL,
  content json NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (website_id, post_id, id)
);
CREATE INDEX revisions_newest ON revisions (website_id, post_id, at, id);

CREATE TABLE terms (
  website_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  slug text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  description text NOT NULL,
  profile json,
  past_slugs text[] NOT NULL,
  merged_into text COLLATE "C",
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  PRIMARY KEY (website_id, id)
);
CREATE INDEX terms_by_name ON terms (website_id, kind, name_key, id) WHERE merged_into IS NULL;
CREATE INDEX terms_merged ON terms (website_id, merged_into, id) WHERE merged_into IS NOT NULL;

CREATE TABLE media (
  website_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  storage_key text NOT NULL,
  url text NOT NULL,
  filename text NOT NULL,
  filename_key text COLLATE "C" NOT NULL,
  content_type text NOT NULL,
  bytes bigint NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  blurhash text,
  alt text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  created_by json NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3),
  PRIMARY KEY (website_id, id)
);
CREATE INDEX media_newest ON media (website_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX media_trash ON media (website_id, created_at, id) WHERE deleted_at IS NOT NULL;
-- For the sweep.
CREATE INDEX media_trashed ON media (deleted_at, website_id, id) WHERE deleted_at IS NOT NULL;

CREATE TABLE slug_claims (
  website_id text COLLATE "C" NOT NULL,
  space text COLLATE "C" NOT NULL,
  slug text COLLATE "C" NOT NULL,
  owner_id text COLLATE "C" NOT NULL,
  claimed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (website_id, space, slug)
);
