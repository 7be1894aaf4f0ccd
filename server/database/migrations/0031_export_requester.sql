-- Who asked for an export, so that the audit log can name them when the export has ended. Null in jobs of earlier versions.
ALTER TABLE csv_jobs
  ADD COLUMN person_id bigint,
  ADD COLUMN username text,
  ADD COLUMN token_id bigint;
