-- Imports that are under way. What an import wrote stays when its process dies, so somebody else has to write down that it was there.
CREATE TABLE imports (
  website_id text COLLATE "C" NOT NULL REFERENCES websites (id) ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  -- What the activity log is to say of it, as far as it has come.
  line json NOT NULL,
  -- Moves on while it is under way, and with the lease of whoever settles it.
  look_at timestamptz(3) NOT NULL,
  PRIMARY KEY (website_id, id)
);
-- Exception: one worker serves all tenants.
CREATE INDEX imports_silent ON imports (look_at);
