-- A secret that is rolled twice within a day leaves two behind, and each of them still signs.
ALTER TABLE webhooks ADD COLUMN previous_secrets json NOT NULL DEFAULT '[]';
UPDATE webhooks
SET previous_secrets = json_build_array(json_build_object(
  'secret', previous_secret,
  'until', to_char(previous_secret_until AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
WHERE previous_secret IS NOT NULL AND previous_secret_until IS NOT NULL;
ALTER TABLE webhooks DROP COLUMN previous_secret, DROP COLUMN previous_secret_until;
