-- The epoch of the website's home once more, beside the content version: nodes that keep answers read both at once, and an
-- answer that was made from another store is never taken for a current one.
ALTER TABLE website_content ADD store_epoch integer NOT NULL DEFAULT 0;
