-- Whether the file of an image still says more than its pixels, such as where a photo was taken. Files that nodes of the version before
-- take in meanwhile are 'unchecked' too.
ALTER TABLE media ADD COLUMN metadata text COLLATE "C" NOT NULL DEFAULT 'unchecked';
-- For the sweep, and for whoever asks how far it is.
CREATE INDEX media_not_stripped ON media (website_id, id) WHERE metadata <> 'stripped';
