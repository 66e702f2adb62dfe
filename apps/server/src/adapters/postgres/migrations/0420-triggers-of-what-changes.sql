-- The condition of a trigger is read anew by every statement that may fire it. A save of the text names none of these columns, so that
-- none of these conditions is read; a post without facets has nothing to count.
CREATE OR REPLACE TRIGGER post_search_changed AFTER UPDATE OF status, live_updated_at, live_rendering_print ON posts
  FOR EACH ROW WHEN (OLD.status <> NEW.status OR OLD.live_updated_at IS DISTINCT FROM NEW.live_updated_at
    OR OLD.live_rendering_print IS DISTINCT FROM NEW.live_rendering_print) EXECUTE FUNCTION follow_post();
CREATE OR REPLACE TRIGGER facets_recounted AFTER UPDATE OF status, working_facets, live_facets ON posts
  FOR EACH ROW WHEN (OLD.status <> NEW.status OR OLD.working_facets <> NEW.working_facets OR OLD.live_facets <> NEW.live_facets)
  EXECUTE FUNCTION count_facets();
CREATE OR REPLACE TRIGGER facets_counted AFTER INSERT ON posts
  FOR EACH ROW WHEN (NEW.working_facets <> '{}' OR NEW.live_facets <> '{}') EXECUTE FUNCTION count_facets();
