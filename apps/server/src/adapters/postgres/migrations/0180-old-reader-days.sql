-- Exception: the sweep forgets days long past of all tenants. Such a row leads it to what was read and whence, by website and day.
CREATE INDEX reader_days_old ON reader_days (day);
