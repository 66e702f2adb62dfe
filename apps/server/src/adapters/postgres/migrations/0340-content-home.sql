-- Where the content of each website lies: in the install's own store, or in the customer's database.
ALTER TABLE websites
  ADD home text COLLATE "C" NOT NULL DEFAULT 'managed' CHECK (home IN ('managed', 'own')),
  ADD store_epoch integer NOT NULL DEFAULT 0;
-- For sweeps, which go to each of those databases, and there are few.
CREATE INDEX websites_elsewhere ON websites (id) WHERE home = 'own';

-- The fence. The row that every write of a record passes first refuses to rise while the content is elsewhere, or while a
-- last part of it is copied. A pause ends by itself. Whoever moves the content passes by a setting of their transaction.
ALTER TABLE website_content
  ADD moved boolean NOT NULL DEFAULT false,
  ADD paused_until timestamptz(3);
CREATE INDEX website_content_moved ON website_content (website_id) WHERE moved;

CREATE FUNCTION refuse_fenced_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('stet.mover', true) = NEW.website_id THEN
    RETURN NEW;
  ELSIF OLD.moved THEN
    RAISE EXCEPTION 'the content of % has moved', NEW.website_id USING ERRCODE = 'ST001';
  ELSIF OLD.paused_until > clock_timestamp() THEN
    RAISE EXCEPTION 'the content of % is being moved', NEW.website_id USING ERRCODE = 'ST002';
  END IF;
  RETURN NEW;
END $$;
-- The condition is read without calling the function: websites that do not move pay nothing for it.
CREATE TRIGGER content_fenced BEFORE UPDATE OF change_seq ON website_content
  FOR EACH ROW WHEN (OLD.change_seq <> NEW.change_seq AND (OLD.moved OR OLD.paused_until IS NOT NULL))
  EXECUTE FUNCTION refuse_fenced_write();
