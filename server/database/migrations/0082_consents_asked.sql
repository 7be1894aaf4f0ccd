-- From which position of the log on the consents of a number or address stand: those before were erased, and do not come back
-- when the same person agrees to something anew.
ALTER TABLE consent_subjects ADD COLUMN since bigint NOT NULL DEFAULT 0;
