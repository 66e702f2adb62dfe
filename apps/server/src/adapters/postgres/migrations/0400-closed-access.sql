-- A node that cannot reach the database goes on with what it knows of a key, unless it has heard that the key, its website or its workspace
-- was closed. So that is announced apart from other changes of access, whichever version of the service made it, and before them: triggers
-- run in the order of their names, and what they announce is heard in that order.
CREATE FUNCTION signal_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM raise_signal('closed', NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER signal_closed AFTER UPDATE ON api_keys FOR EACH ROW
  WHEN ((OLD.revoked_at, OLD.origins) IS DISTINCT FROM (NEW.revoked_at, NEW.origins)) EXECUTE FUNCTION signal_closed();
CREATE TRIGGER signal_closed AFTER UPDATE ON websites FOR EACH ROW
  WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at) EXECUTE FUNCTION signal_closed();
CREATE TRIGGER signal_closed AFTER UPDATE ON workspaces FOR EACH ROW
  WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at) EXECUTE FUNCTION signal_closed();
