-- How whoever copies content back passes the fence: only while the content lies elsewhere since the switch that they know of. A node that
-- was stopped while it copied, and goes on after another one has switched, would otherwise write its old copy over what people saved since.
-- The row is held as every write holds it, so the switch comes wholly before this transaction, or wholly after.
CREATE FUNCTION pass_fence(website text, epoch integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM website_content WHERE website_id = website AND moved AND store_epoch = epoch FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the content of % has moved', website USING ERRCODE = 'ST001';
  END IF;
  PERFORM set_config('stet.mover', website, true);
END $$;
