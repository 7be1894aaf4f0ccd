-- How many consents an import has recorded.
ALTER TABLE csv_jobs ADD COLUMN consents integer NOT NULL DEFAULT 0;
