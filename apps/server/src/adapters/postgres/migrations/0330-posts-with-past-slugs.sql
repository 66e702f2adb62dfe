-- The published posts of a website that were renamed, so that the list of redirects reads those alone.
CREATE INDEX posts_with_past_slugs ON posts (website_id, id) WHERE status = 'published' AND past_slugs <> '{}';
