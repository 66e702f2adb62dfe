-- Nodes keep small files of images in memory. What readers may no longer see of a website is announced, whichever version of the service
-- changed it; which store a file lies in does not matter to them.
CREATE FUNCTION signal_media_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM raise_signal('files', OLD.website_id);
  RETURN NULL;
END $$;
CREATE TRIGGER signal_changed_file AFTER UPDATE ON media_files FOR EACH ROW
  WHEN (OLD.state = 'kept' AND (OLD.state, OLD.trashed, OLD.content_type, OLD.sha256)
    IS DISTINCT FROM (NEW.state, NEW.trashed, NEW.content_type, NEW.sha256))
  EXECUTE FUNCTION signal_media_file();
CREATE TRIGGER signal_removed_file AFTER DELETE ON media_files FOR EACH ROW
  WHEN (OLD.state = 'kept') EXECUTE FUNCTION signal_media_file();
