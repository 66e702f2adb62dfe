-- What connected tools published and took down lately, so that the limit per hour holds on all nodes together. A connection belongs to
-- a person, not to a tenant.
CREATE TABLE connection_spends (
  connection_id text COLLATE "C" NOT NULL,
  effect text COLLATE "C" NOT NULL,
  at timestamptz (3) NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (connection_id, effect, at, id)
);
CREATE INDEX connection_spends_old ON connection_spends (at);
