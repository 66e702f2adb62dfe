-- What the own database of a website said last when it did not answer, and whether it answers now: for its owner, on any node.
ALTER TABLE own_databases
  ADD COLUMN error text,
  ADD COLUMN error_at timestamptz (3),
  ADD COLUMN is_away boolean NOT NULL DEFAULT false;

-- How it did in each five minutes, summed up over all nodes; a day is kept.
CREATE TABLE own_database_health (
  website_id text COLLATE "C" NOT NULL,
  at timestamptz (3) NOT NULL,
  -- Works that it answered, and works that it did not.
  answered integer NOT NULL,
  failed integer NOT NULL,
  -- Questions that were timed, and how long all of them took together.
  timed integer NOT NULL,
  timed_millis integer NOT NULL,
  PRIMARY KEY (website_id, at)
);
