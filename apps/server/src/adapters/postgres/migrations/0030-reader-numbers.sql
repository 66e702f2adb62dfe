-- How often posts are read. Nobody's address is here: who looked is a keyed hash under a salt that is thrown away.

-- One salt a day, the same on every node. A day's hashes mean nothing once its row is gone.
CREATE TABLE reader_salts (
  day date PRIMARY KEY,
  salt text COLLATE "C" NOT NULL
);

-- When a visitor was last counted for a post: nobody is counted twice within half an hour. Rows are needed for an hour or two.
CREATE TABLE reader_visitors (
  website_id text COLLATE "C" NOT NULL,
  post_id text COLLATE "C" NOT NULL,
  visitor text COLLATE "C" NOT NULL,
  counted_at timestamptz(3) NOT NULL,
  PRIMARY KEY (website_id, post_id, visitor)
);
-- Exception: the sweep forgets the old ones of all tenants.
CREATE INDEX reader_visitors_old ON reader_visitors (counted_at);

CREATE TABLE reader_views (
  website_id text COLLATE "C" NOT NULL,
  post_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  views bigint NOT NULL,
  PRIMARY KEY (website_id, post_id, day)
);
-- What was read most since a day.
CREATE INDEX reader_views_by_day ON reader_views (website_id, day, post_id) INCLUDE (views);

-- All days of a post together: what was ever read most must not add up years.
CREATE TABLE reader_totals (
  website_id text COLLATE "C" NOT NULL,
  post_id text COLLATE "C" NOT NULL,
  views bigint NOT NULL,
  PRIMARY KEY (website_id, post_id)
);
CREATE INDEX reader_totals_most ON reader_totals (website_id, views DESC, post_id);

-- All posts of a day together. Whoever counts holds this row, so that the number of referrers below can be capped exactly.
CREATE TABLE reader_days (
  website_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  views bigint NOT NULL,
  PRIMARY KEY (website_id, day)
);

-- Hosts that led here. Those beyond the cap of a day are counted together as `other`.
CREATE TABLE reader_referrers (
  website_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  referrer text COLLATE "C" NOT NULL,
  views bigint NOT NULL,
  PRIMARY KEY (website_id, day, referrer)
);
