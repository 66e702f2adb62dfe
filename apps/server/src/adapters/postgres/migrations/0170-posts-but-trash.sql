-- What every writer and every tool opens first: all posts but the trash, last edited first. By state it is four lists to merge.
CREATE INDEX posts_kept_by_edited ON posts (website_id, edited_at, id) WHERE status <> 'deleted';
