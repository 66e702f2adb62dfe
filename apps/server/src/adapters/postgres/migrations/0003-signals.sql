-- What changed last, one row per website or workspace, so that nodes that keep answers and keys in memory can ask for
-- everything since they last looked. `xid` is the transaction that wrote it: a reader that goes on from the oldest transaction
-- still in flight can read a row twice, but never misses one that committed late.
CREATE TABLE signals (
  topic text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  xid xid8 NOT NULL,
  PRIMARY KEY (topic, id)
);
-- Crosses tenants by nature: it is read by nodes, not for anybody.
CREATE INDEX signals_by_xid ON signals (xid);

CREATE FUNCTION raise_signal(signal_topic text, signal_id text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO signals (topic, id, xid) VALUES (signal_topic, signal_id, pg_current_xact_id())
    ON CONFLICT (topic, id) DO UPDATE SET xid = excluded.xid;
  PERFORM pg_notify('stet_signals', signal_topic || ' ' || signal_id);
END $$;

CREATE FUNCTION signal_website() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM raise_signal('access', NEW.id);
  -- Titles and addresses of a website stand in its feeds.
  PERFORM raise_signal('content', NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER signal_website AFTER UPDATE ON websites FOR EACH ROW EXECUTE FUNCTION signal_website();

CREATE FUNCTION signal_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM raise_signal('access', NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER signal_workspace AFTER UPDATE ON workspaces FOR EACH ROW EXECUTE FUNCTION signal_workspace();

CREATE FUNCTION signal_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM raise_signal('access', NEW.website_id);
  RETURN NULL;
END $$;
-- Not when only the time of the last use is written.
CREATE TRIGGER signal_key AFTER UPDATE OF name, origins, monthly_cap, revoked_at ON api_keys FOR EACH ROW EXECUTE FUNCTION signal_key();

-- Counted requests of a key that has a cap of its own.
CREATE TABLE key_usage (
  website_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  month text COLLATE "C" NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (website_id, key_id, month)
);

-- Warnings that were given, so that each is given once.
CREATE TABLE usage_warnings (
  workspace_id text COLLATE "C" NOT NULL,
  month text COLLATE "C" NOT NULL,
  percent smallint NOT NULL,
  PRIMARY KEY (workspace_id, month, percent)
);
