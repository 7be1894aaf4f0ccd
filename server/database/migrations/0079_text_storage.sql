-- How the texts of an account stand in the database, where that is stricter than the installation's setting (docs/data.md).
ALTER TABLE retention ADD COLUMN text_mode text;
ALTER TABLE retention ADD CONSTRAINT retention_mode_check CHECK (text_mode IN ('plain', 'sealed', 'none'));
