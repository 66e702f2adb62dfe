-- Work on a website that must not be done twice at once, while a database is asked that may not answer: the holder is written
-- down instead of holding a row, so that nothing else of the workspace waits for it. A lease ends by itself.
CREATE TABLE website_leases (
  website_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  holder text COLLATE "C" NOT NULL,
  until timestamptz(3) NOT NULL,
  PRIMARY KEY (website_id, name)
);
