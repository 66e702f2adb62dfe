-- When the last of the saves that a line stands for was made. `at` stands in five indexes, and follows every ten seconds.
ALTER TABLE activity ADD last_at timestamptz(3);
