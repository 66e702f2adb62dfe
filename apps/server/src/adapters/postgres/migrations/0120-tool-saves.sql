-- What a post was before a connected tool saved it, so that it can be set back. No content: that is in the revisions, in the
-- content store, which may be the customer's own. The fingerprints find it there.
CREATE TABLE tool_saves (
  website_id text COLLATE "C" NOT NULL REFERENCES websites (id) ON DELETE CASCADE,
  post_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  -- The post's version before; 0: the save created it.
  version integer NOT NULL,
  -- Who saved: the connection itself, or the person who set its changes back.
  actor_id text COLLATE "C" NOT NULL,
  at timestamptz (3) NOT NULL,
  -- Written before the save, so that none is missing; true once the save is known to have been made.
  saved boolean NOT NULL,
  state text,
  PRIMARY KEY (website_id, post_id, connection_id, version)
);
CREATE INDEX tool_saves_of_connection ON tool_saves (website_id, connection_id, at, post_id);
-- Forgotten by age, whosever they are.
CREATE INDEX tool_saves_old ON tool_saves (at);
