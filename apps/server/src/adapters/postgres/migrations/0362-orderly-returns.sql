-- The epoch that began when content last came back to the install in order: everything was compared, and then it switched. The database that
-- was left may never have been told, because the node died, the move was stopped, or the database was away by then.
ALTER TABLE website_content ADD returned_epoch integer;
