-- When the last of the saves that a line stands for was made. `at` is its place in the list, which stands in four
-- indexes and follows every ten seconds.
ALTER TABLE activity ADD last_at timestamptz(3);
