-- A secret that was replaced signs beside the new one for a day, so that receivers can be changed in their own time.
ALTER TABLE event_endpoints
  ADD COLUMN old_secret text,
  ADD COLUMN old_secret_until bigint;
