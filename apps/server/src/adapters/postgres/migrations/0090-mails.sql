-- Notices that are to be mailed, and for a while those that were.
CREATE TABLE mails (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  -- What it is about and for whom: told twice, it is mailed once.
  key text COLLATE "C" NOT NULL,
  recipient text NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  made_at timestamptz(3) NOT NULL,
  due_at timestamptz(3) NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Sent or given up; kept for a while, so that the same notice is not mailed again.
  done_at timestamptz(3),
  PRIMARY KEY (workspace_id, key)
);
-- Exception: one worker serves all tenants, in the order things are due.
CREATE INDEX mails_due ON mails (due_at) WHERE done_at IS NULL;
-- Exception: the sweep forgets the old ones of all tenants.
CREATE INDEX mails_done ON mails (done_at) WHERE done_at IS NOT NULL;
