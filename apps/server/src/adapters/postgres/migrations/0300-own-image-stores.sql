-- Where a website keeps its images if not with the install: one store a website. Its address is sealed, because the key is in it.
CREATE TABLE own_image_stores (
  website_id text COLLATE "C" PRIMARY KEY,
  kind text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  -- Empty: the server secret that sealed it is lost, and it must be entered again.
  address text COLLATE "C" NOT NULL,
  -- Names the bucket or account, without anything secret: the same place is the same files.
  place text NOT NULL,
  -- What people are shown of the rest.
  shown json NOT NULL,
  public_base text,
  uses_public_base boolean NOT NULL,
  -- Why it did not answer the last time, in words; null while it does.
  error text,
  error_at timestamptz (3),
  connected_at timestamptz (3) NOT NULL,
  activated_at timestamptz (3)
);

-- What is being moved between the install and a store of the website's owner: the last move of each subject.
CREATE TABLE moves (
  website_id text COLLATE "C" NOT NULL,
  -- 'images' or 'content'.
  subject text COLLATE "C" NOT NULL,
  direction text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  -- Where the mover goes on; only it knows what is in there.
  position json NOT NULL,
  done bigint NOT NULL,
  total bigint NOT NULL,
  bytes_done bigint NOT NULL,
  bytes_total bigint NOT NULL,
  bytes_per_second double precision,
  failures integer NOT NULL,
  error text,
  started_at timestamptz (3) NOT NULL,
  changed_at timestamptz (3) NOT NULL,
  -- When it is next looked at: later than now while it rests, or while a node has it.
  look_at timestamptz (3) NOT NULL,
  holder text COLLATE "C",
  PRIMARY KEY (website_id, subject)
);
-- For the nodes that look for work, whosever it is.
CREATE INDEX moves_due ON moves (look_at) WHERE state = 'running';

-- Where readers get the originals of images, if the owner chose the store's own address; null: from this service.
ALTER TABLE websites ADD COLUMN image_base text;
