-- Sweeps read what there is to do, however much lies beside it.

-- A revision that thinning left for good is marked, and not looked at again.
ALTER TABLE revisions ADD kept boolean NOT NULL DEFAULT false;
CREATE INDEX revisions_to_thin ON revisions (website_id, post_id, id) INCLUDE (at) WHERE NOT was_live AND NOT kept;

-- Since when a claim may have lost its reason: from the moment it is taken, and again when its owner drops the slug. Null: its owner was seen
-- with it. Claims from before were looked at every hour, so they begin without doubt.
ALTER TABLE slug_claims ADD doubted_at timestamptz(3);
ALTER TABLE slug_claims ALTER doubted_at SET DEFAULT clock_timestamp();
CREATE INDEX slug_claims_doubted ON slug_claims (website_id, space, slug) WHERE doubted_at IS NOT NULL;

CREATE FUNCTION doubt_claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.doubted_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER claim_renewed BEFORE UPDATE ON slug_claims
  FOR EACH ROW WHEN (OLD.claimed_at <> NEW.claimed_at OR OLD.owner_id <> NEW.owner_id) EXECUTE FUNCTION doubt_claim();

-- A slug that was live stays among the past ones, so these two columns say when one is dropped.
CREATE FUNCTION doubt_post_claims() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE slug_claims SET doubted_at = clock_timestamp()
  WHERE website_id = OLD.website_id AND space = 'post' AND slug = ANY (ARRAY[OLD.slug, OLD.live ->> 'slug'] || OLD.past_slugs) AND owner_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER post_slugs_dropped AFTER UPDATE ON posts
  FOR EACH ROW WHEN (OLD.slug <> NEW.slug OR OLD.past_slugs <> NEW.past_slugs) EXECUTE FUNCTION doubt_post_claims();
CREATE TRIGGER post_slugs_gone AFTER DELETE ON posts FOR EACH ROW EXECUTE FUNCTION doubt_post_claims();

CREATE FUNCTION doubt_term_claims() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE slug_claims SET doubted_at = clock_timestamp()
  WHERE website_id = OLD.website_id AND space = OLD.kind AND slug = ANY (OLD.slug || OLD.past_slugs) AND owner_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER term_slugs_dropped AFTER UPDATE ON terms
  FOR EACH ROW WHEN (OLD.slug <> NEW.slug OR OLD.past_slugs <> NEW.past_slugs) EXECUTE FUNCTION doubt_term_claims();
CREATE TRIGGER term_slugs_gone AFTER DELETE ON terms FOR EACH ROW EXECUTE FUNCTION doubt_term_claims();
