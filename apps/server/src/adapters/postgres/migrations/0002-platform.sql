-- Everything that is not content. Every key and index is led by the workspace or the website, so that the tables can be
-- spread over machines without a rewrite; what must be found without knowing the tenant is marked "exception". Foreign keys
-- exist only where both sides are led by the same id. Documents are `json`, not `jsonb`: they are read whole, and jsonb
-- refuses some text that a writer can type.

CREATE TABLE workspaces (
  id text COLLATE "C" PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  plan text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3)
);
-- Exception: the sweep walks the deleted ones of all tenants.
CREATE INDEX workspaces_deleted ON workspaces (deleted_at, id) WHERE deleted_at IS NOT NULL;

CREATE TABLE websites (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  settings json NOT NULL,
  field_definitions json NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3)
);
CREATE INDEX websites_of_workspace ON websites (workspace_id, created_at, id);
-- Exception: the sweep walks the deleted ones of all tenants.
CREATE INDEX websites_deleted ON websites (deleted_at, id) WHERE deleted_at IS NOT NULL;

-- What exists for everyone but the sweep. A website of a deleted workspace is gone with it.
CREATE VIEW live_workspaces AS SELECT id FROM workspaces WHERE deleted_at IS NULL;
CREATE VIEW live_websites AS
  SELECT websites.id, websites.workspace_id
  FROM websites JOIN live_workspaces ON live_workspaces.id = websites.workspace_id
  WHERE websites.deleted_at IS NULL;

CREATE TABLE members (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  user_id text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  joined_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
);
-- Exception: which workspaces a person is in, asked when they sign in.
CREATE INDEX members_of_user ON members (user_id, workspace_id);

CREATE TABLE invitations (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  email text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL,
  invited_by text COLLATE "C" NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  accepted_at timestamptz(3),
  PRIMARY KEY (workspace_id, id)
);
-- Exception: whoever follows the link brings nothing but the token.
CREATE UNIQUE INDEX invitations_by_token ON invitations (token_hash);

CREATE TABLE api_keys (
  website_id text COLLATE "C" NOT NULL REFERENCES websites (id) ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  masked text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  -- Which server secret the hash was made under.
  secret_id text COLLATE "C" NOT NULL,
  origins text[] COLLATE "C" NOT NULL,
  monthly_cap bigint,
  created_at timestamptz(3) NOT NULL,
  created_by text COLLATE "C",
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  PRIMARY KEY (website_id, id)
);
-- Exception: a request brings nothing but the key.
CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (hash);

CREATE TABLE activity (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  website_id text COLLATE "C",
  at timestamptz(3) NOT NULL,
  actor_type text COLLATE "C" NOT NULL,
  actor_id text COLLATE "C" NOT NULL,
  actor_user_id text COLLATE "C",
  action text COLLATE "C" NOT NULL,
  target_id text COLLATE "C",
  target_label text COLLATE "C",
  details json NOT NULL,
  count integer NOT NULL,
  fold_key text COLLATE "C",
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX activity_newest ON activity (workspace_id, at DESC, id DESC);
CREATE INDEX activity_of_website ON activity (workspace_id, website_id, at DESC, id DESC);
CREATE INDEX activity_of_target ON activity (workspace_id, target_id, at DESC, id DESC);
CREATE UNIQUE INDEX activity_folded ON activity (workspace_id, fold_key);

-- When to look at which post. `at` is part of what it is; `look_at` moves with leases and retries.
CREATE TABLE schedules (
  website_id text COLLATE "C" NOT NULL,
  post_id text COLLATE "C" NOT NULL,
  at timestamptz(3) NOT NULL,
  look_at timestamptz(3) NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  PRIMARY KEY (website_id, post_id, at)
);
-- Exception: one worker serves all tenants, in the order things are due.
CREATE INDEX schedules_due ON schedules (look_at, website_id, post_id, at);

-- The last sequence given out per website. The row is locked while events are written, so that sequence and commit order agree.
CREATE TABLE event_sequences (
  website_id text COLLATE "C" PRIMARY KEY,
  last bigint NOT NULL,
  -- Raised when content came or went without events (an import, another store): whoever follows them must start anew.
  history integer NOT NULL DEFAULT 0
);
CREATE TABLE events (
  website_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  at timestamptz(3) NOT NULL,
  event json NOT NULL,
  PRIMARY KEY (website_id, sequence)
);
CREATE UNIQUE INDEX events_by_id ON events (website_id, id);
-- Exception: the sweep forgets old ones of all tenants.
CREATE INDEX events_by_time ON events (at);

-- Requests a month, as counted against the plan. `month` is UTC, such as 2026-11.
CREATE TABLE workspace_usage (
  workspace_id text COLLATE "C" NOT NULL,
  month text COLLATE "C" NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (workspace_id, month)
);
-- Traffic per endpoint. `route` is a pattern, never an address with values in it; `status_class` is 2 for 2xx and so on.
CREATE TABLE website_usage (
  website_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  route text COLLATE "C" NOT NULL,
  status_class smallint NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (website_id, day, route, status_class)
);
