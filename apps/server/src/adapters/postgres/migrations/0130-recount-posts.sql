-- Counted once more, while nobody writes: what a node of the version before changed between the first counting and its trigger
-- was in neither, and a count that is wrong once stays wrong.
LOCK TABLE posts IN SHARE ROW EXCLUSIVE MODE;
DELETE FROM post_counts;
INSERT INTO post_counts (website_id, status, posts) SELECT website_id, status, count(*) FROM posts GROUP BY website_id, status;
