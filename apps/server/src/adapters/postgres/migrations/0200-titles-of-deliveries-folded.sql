-- Titles in the log of deliveries are searched without accents and capitals. Those that were there before the column had only been
-- put in lower case, and of that only the letters of the database's own locale, so that "über" did not find "ÜBER".
DO $$
DECLARE
  -- A server that was built without ICU knows the letters of its locale only.
  all_letters text := (SELECT 'COLLATE "und-x-icu"' FROM pg_collation WHERE collname = 'und-x-icu' LIMIT 1);
BEGIN
  EXECUTE format(
    'UPDATE webhook_deliveries
     SET title_key = lower(regexp_replace(normalize(title, NFKD), %L, '''', ''g'') %s)
     WHERE title IS NOT NULL AND title ~ ''[^\x01-\x7f]''',
    '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]', coalesce(all_letters, ''));
END $$;
