-- Exception: the sweep forgets the traffic of days long past of all tenants.
CREATE INDEX website_usage_old ON website_usage (day);
