-- Imports took any version that PostgreSQL has a number for; the save after the largest failed. What stands too near to it goes on from a
-- version that leaves room for a billion saves. Imports now refuse larger ones.
UPDATE posts SET version = 1000000000, pending_revision_version = least(pending_revision_version, 1000000000) WHERE version > 1000000000;
UPDATE terms SET version = 1000000000 WHERE version > 1000000000;
UPDATE media SET version = 1000000000 WHERE version > 1000000000;
