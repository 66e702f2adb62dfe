-- Counters that a node stored, so that a batch whose answer was lost on the way is not counted twice when it is sent again.
CREATE TABLE usage_batches (
  id text COLLATE "C" PRIMARY KEY,
  stored_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX usage_batches_old ON usage_batches (stored_at);
