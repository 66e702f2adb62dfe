-- Endpoints that are told what happens to posts, and what they were told. Keys are led by the website.

-- How far the event log of a website has been handed out to its endpoints. The row exists once it ever had one.
CREATE TABLE webhook_feeds (
  website_id text COLLATE "C" PRIMARY KEY REFERENCES websites (id) ON DELETE CASCADE,
  sequence bigint NOT NULL,
  -- Since when there are events beyond it; null = none.
  behind_at timestamptz(3)
);
-- Exception: one worker serves all tenants, whoever waits longest first.
CREATE INDEX webhook_feeds_behind ON webhook_feeds (behind_at) WHERE behind_at IS NOT NULL;

-- An endpoint is also its own place in the queue: whoever holds its lease serves it, so its order needs no other lock.
CREATE TABLE webhooks (
  website_id text COLLATE "C" NOT NULL REFERENCES websites (id) ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  events text[] COLLATE "C" NOT NULL,
  debounce_seconds integer NOT NULL,
  status text COLLATE "C" NOT NULL,
  off_reason text COLLATE "C",
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz(3),
  -- Sealed under the server secret.
  secret text COLLATE "C" NOT NULL,
  previous_secret text COLLATE "C",
  previous_secret_until timestamptz(3),
  created_at timestamptz(3) NOT NULL,
  created_by text COLLATE "C",
  -- Events up to here happened before it was made.
  after_sequence bigint NOT NULL,
  last_delivery_id text COLLATE "C",
  last_attempt_at timestamptz(3),
  last_status integer,
  last_error text COLLATE "C",
  -- While failing: not before this.
  probe_at timestamptz(3),
  -- Served apart from the others, because it fails or takes long.
  slow_lane boolean NOT NULL DEFAULT false,
  -- When to look at it; with a holder, when its lease ends; null = nothing waits.
  due_at timestamptz(3),
  lease_holder text COLLATE "C",
  PRIMARY KEY (website_id, id)
);
-- Exception: one worker serves all tenants, in the order things are due. Endpoints that are off or idle are not in it.
CREATE INDEX webhooks_due ON webhooks (slow_lane, due_at) WHERE due_at IS NOT NULL;

CREATE TABLE webhook_deliveries (
  website_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  -- Its place in line: that of the event in the log; 0 for a test, which goes first.
  sequence bigint NOT NULL,
  event_type text COLLATE "C" NOT NULL,
  post_id text COLLATE "C",
  status text COLLATE "C" NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,
  ready_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  coalesced text[] COLLATE "C" NOT NULL DEFAULT '{}',
  body text,
  log json NOT NULL DEFAULT '[]',
  PRIMARY KEY (website_id, id),
  FOREIGN KEY (website_id, webhook_id) REFERENCES webhooks (website_id, id) ON DELETE CASCADE
);
-- One delivery per endpoint and event, however often the log is handed out.
CREATE UNIQUE INDEX webhook_deliveries_of_event ON webhook_deliveries (website_id, webhook_id, event_id);
CREATE INDEX webhook_deliveries_in_line ON webhook_deliveries (website_id, webhook_id, sequence, id) WHERE status = 'waiting';
CREATE INDEX webhook_deliveries_missed ON webhook_deliveries (website_id, webhook_id) WHERE status = 'missed';
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries (website_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries (website_id, webhook_id, created_at DESC, id DESC);
-- Exception: the sweep walks the old ones of all tenants. By block: it costs next to nothing while deliveries are made.
CREATE INDEX webhook_deliveries_old ON webhook_deliveries USING brin (created_at);

-- Part of the transaction that logs an event, so that no event is logged without its feed being behind.
CREATE FUNCTION feed_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  website text;
BEGIN
  FOR website IN SELECT DISTINCT website_id FROM logged ORDER BY website_id LOOP
    UPDATE webhook_feeds SET behind_at = coalesce(behind_at, now()) WHERE website_id = website;
    IF FOUND THEN
      PERFORM raise_signal('event', website);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER feed_webhooks AFTER INSERT ON events REFERENCING NEW TABLE AS logged FOR EACH STATEMENT EXECUTE FUNCTION feed_webhooks();
