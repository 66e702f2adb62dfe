-- Records beside content: suggestions of connected tools, and what terms and images were before a change. The data is json and not
-- jsonb, so that it is given back as it was written.
CREATE TABLE records_beside (
  website_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  target_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  open boolean NOT NULL,
  at timestamptz (3) NOT NULL,
  data json NOT NULL,
  PRIMARY KEY (website_id, id)
);
CREATE INDEX records_beside_of_target ON records_beside (website_id, target_id, kind, at, id);
CREATE INDEX records_beside_open ON records_beside (website_id, kind, at, id) WHERE open;
-- Forgotten by age, whosever they are.
CREATE INDEX records_beside_old ON records_beside (at) WHERE NOT open;
