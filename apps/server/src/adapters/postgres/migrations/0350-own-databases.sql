-- Which install this is: it stands in the marker that is left in a customer's database. A copy of this database has the same id, and is
-- told apart by its address.
CREATE TABLE install (id text COLLATE "C" PRIMARY KEY);
INSERT INTO install (id) VALUES (gen_random_uuid()::text);

-- The database in which a website keeps its content if not with the install, or will: one a website.
CREATE TABLE own_databases (
  website_id text COLLATE "C" PRIMARY KEY,
  -- Address and certificates, sealed. Empty: the server secret that sealed them is lost, and they must be entered again.
  connection text COLLATE "C" NOT NULL,
  -- Hosts and database, without anything secret: the same place is the same content.
  shown text NOT NULL,
  server_version text NOT NULL,
  -- The content moves there as soon as everything was copied and compared.
  switches boolean NOT NULL,
  connected_at timestamptz (3) NOT NULL,
  activated_at timestamptz (3)
);

-- Writes that are on their way to a customer's database, which has no row that every write passes. Content moves back when there are none.
-- A ticket ends by itself, so that a node which died delays that by a minute at most.
CREATE TABLE write_tickets (
  website_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  until timestamptz (3) NOT NULL,
  PRIMARY KEY (website_id, id)
);
