-- What several nodes know of the limits together: nothing of it needs to survive a crash, so none of it is logged. A node notices
-- that the tables were emptied by the missing life.
CREATE UNLOGGED TABLE rate_nodes (
  id text COLLATE "C" PRIMARY KEY,
  -- Where the node borrows tokens: all nodes of an install must do so in the same place.
  ledger text NOT NULL,
  seen_at timestamptz(3) NOT NULL
);

CREATE UNLOGGED TABLE rate_ledger_life (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  life text NOT NULL
);

-- One row for each bucket of which a node has borrowed; one that is full again is the same as none. The columns of the last
-- question are kept because an upsert can read nothing else of it.
CREATE UNLOGGED TABLE rate_buckets (
  key text COLLATE "C" PRIMARY KEY,
  rate double precision NOT NULL,
  burst double precision NOT NULL,
  tokens double precision NOT NULL,
  -- When it was last filled up, in seconds of the database's clock.
  at double precision NOT NULL,
  asked_least double precision NOT NULL,
  asked_most double precision NOT NULL,
  at_most double precision NOT NULL,
  returned double precision NOT NULL,
  granted double precision NOT NULL
) WITH (fillfactor = 50);
