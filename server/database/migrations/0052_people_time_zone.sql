-- The zone in which somebody sees times in the console; null: that of the account.
ALTER TABLE people ADD COLUMN time_zone text;
