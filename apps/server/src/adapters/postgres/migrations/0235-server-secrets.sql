-- One row for each server secret that this database is used with. The canary is a known text sealed under it: a node whose
-- secrets do not open it would refuse every key, so it does not start. The secret chosen last is the one that everything moves to.
CREATE TABLE server_secrets (
  id text COLLATE "C" PRIMARY KEY,
  canary text COLLATE "C" NOT NULL,
  chosen_at timestamptz(3) NOT NULL
);

-- Which server secret the hash of the link was made under. NULL: made before this was kept.
ALTER TABLE invitations ADD COLUMN secret_id text COLLATE "C";

-- The time step of the last code that was taken: a code signs in once (RFC 6238, 5.2).
ALTER TABLE "twoFactor" ADD COLUMN "lastStep" bigint;
