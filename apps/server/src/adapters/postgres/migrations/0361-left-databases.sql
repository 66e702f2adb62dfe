-- A database that a website left without copying back. What it has can be fetched once it answers and is connected again; its address was
-- forgotten, and is entered anew.
CREATE TABLE left_databases (
  website_id text COLLATE "C" PRIMARY KEY,
  shown text NOT NULL,
  left_at timestamptz (3) NOT NULL,
  fetched_at timestamptz (3)
);
