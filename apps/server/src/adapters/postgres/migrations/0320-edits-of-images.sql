-- How an image is shown: focal point, crop and rotation, with the number that stands in its addresses. Null: as it was uploaded.
ALTER TABLE media ADD COLUMN edit jsonb;
-- For the list of images without an alt text.
CREATE INDEX media_without_alt ON media (website_id, created_at, id) WHERE alt = '' AND deleted_at IS NULL;

-- Every such setting that an image had, so that an address answers the same pixels for ever, also while the database of the content is
-- away. A number is never used twice.
CREATE TABLE media_edits (
  website_id text COLLATE "C" NOT NULL,
  media_id text COLLATE "C" NOT NULL,
  revision integer NOT NULL,
  edit jsonb NOT NULL,
  PRIMARY KEY (website_id, media_id, revision)
);
