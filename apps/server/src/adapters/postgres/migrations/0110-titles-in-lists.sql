-- A word of a title is looked for in the order of the list, without reading the posts that do not have it.
DROP INDEX posts_by_edited;
CREATE INDEX posts_by_edited ON posts (website_id, status, edited_at, id) INCLUDE (title_key);
