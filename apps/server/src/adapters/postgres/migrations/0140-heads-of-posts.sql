-- What a line of a list shows, in columns of its own: to take it out of each document costs more than reading the page.
ALTER TABLE posts
  ADD COLUMN title text GENERATED ALWAYS AS (working ->> 'title') STORED,
  ADD COLUMN slug text GENERATED ALWAYS AS (working ->> 'slug') STORED;
