-- Connected tools. A connection belongs to a person, not to a tenant: it can reach every workspace the person is in.
CREATE TABLE connections (
  user_id text COLLATE "C" NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  client_id text NOT NULL,
  client_name text NOT NULL,
  client_host text,
  redirect_host text,
  -- NULL: every workspace of the person.
  workspace_id text COLLATE "C",
  allow_delete boolean NOT NULL,
  publish_per_hour integer NOT NULL,
  created_at timestamptz (3) NOT NULL,
  last_used_at timestamptz (3),
  calls bigint NOT NULL DEFAULT 0,
  revoked_at timestamptz (3),
  PRIMARY KEY (user_id, id)
);
-- A token knows its connection, not the person.
CREATE UNIQUE INDEX connections_by_id ON connections (id);

CREATE TABLE tool_calls (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  at timestamptz (3) NOT NULL,
  id text COLLATE "C" NOT NULL,
  website_id text COLLATE "C",
  connection_id text COLLATE "C" NOT NULL,
  tool text COLLATE "C" NOT NULL,
  target_id text COLLATE "C",
  target_label text,
  refusal text COLLATE "C",
  before_version integer,
  after_version integer,
  PRIMARY KEY (workspace_id, at, id)
);
CREATE INDEX tool_calls_of_connection ON tool_calls (workspace_id, connection_id, at, id);
-- The budget is the connection's, in all workspaces together.
CREATE INDEX tool_calls_budget ON tool_calls (connection_id, tool, at) WHERE refusal IS NULL;
CREATE INDEX tool_calls_old ON tool_calls (at);

-- What the authorisation server remembers: the id of a token is the token, so only its hash is here.
CREATE TABLE oauth_records (
  model text COLLATE "C" NOT NULL,
  id_hash text COLLATE "C" NOT NULL,
  payload text NOT NULL,
  grant_id text COLLATE "C",
  user_code_hash text COLLATE "C",
  uid_hash text COLLATE "C",
  expires_at bigint,
  consumed_at bigint,
  PRIMARY KEY (model, id_hash)
);
CREATE INDEX oauth_records_of_grant ON oauth_records (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_records_by_user_code ON oauth_records (user_code_hash) WHERE user_code_hash IS NOT NULL;
CREATE INDEX oauth_records_by_uid ON oauth_records (uid_hash) WHERE uid_hash IS NOT NULL;
CREATE INDEX oauth_records_old ON oauth_records (expires_at) WHERE expires_at IS NOT NULL;
