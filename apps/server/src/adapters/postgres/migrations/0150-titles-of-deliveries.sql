-- The log of deliveries names the post without reading it or its event: what it was called when it happened, and that folded for searching.
ALTER TABLE webhook_deliveries ADD COLUMN title text, ADD COLUMN title_key text COLLATE "C";
UPDATE webhook_deliveries d
SET title = e.event -> 'post' -> 'content' ->> 'title', title_key = lower(e.event -> 'post' -> 'content' ->> 'title')
FROM events e
WHERE e.website_id = d.website_id AND e.id = d.event_id;

-- Endpoints whose last delivery had failed for good were not looked at again, whatever was put in line for them afterwards.
UPDATE webhooks SET due_at = now() WHERE status = 'failing' AND due_at IS NULL;
