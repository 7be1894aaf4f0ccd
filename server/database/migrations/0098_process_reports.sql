-- What a process of the service says of itself every two seconds, by the clock of the database. `heartbeat_boot` is the run that
-- said it: the version before takes a number without touching these columns.
ALTER TABLE processes
  ADD COLUMN heartbeat_at bigint,
  ADD COLUMN heartbeat_boot text,
  ADD COLUMN started_at bigint,
  ADD COLUMN roles text[],
  ADD COLUMN host text,
  ADD COLUMN pid integer,
  ADD COLUMN version text,
  ADD COLUMN problems text[],
  ADD COLUMN errors bigint,
  ADD COLUMN last_error text,
  ADD COLUMN last_error_at bigint;
