-- The service's own list of the files of images. It is on record before the bytes are and until after they are gone.
CREATE TABLE media_files (
  website_id text COLLATE "C" NOT NULL,
  media_id text COLLATE "C" NOT NULL,
  content_type text COLLATE "C" NOT NULL,
  bytes bigint NOT NULL,
  -- Hexadecimal; null until the file has been read.
  sha256 text COLLATE "C",
  store text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  trashed boolean NOT NULL,
  changed_at timestamptz (3) NOT NULL,
  PRIMARY KEY (website_id, media_id)
);
CREATE INDEX media_files_by_hash ON media_files (website_id, sha256);
-- For the sweep that finishes what a crash left, whosever it is.
CREATE INDEX media_files_unsettled ON media_files (changed_at) WHERE state <> 'kept';

-- What is there, so that plans count it from the first moment. A walk reads the files (worker/record-files.ts), and finds those of content
-- that lies in another database, and those that nodes of the version before still take in.
INSERT INTO media_files (website_id, media_id, content_type, bytes, store, state, trashed, changed_at)
SELECT website_id, id, content_type, bytes, 'disk', 'kept', deleted_at IS NOT NULL, updated_at FROM media;
