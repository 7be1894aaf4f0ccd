-- How the texts of an account stand in the database, where that is stricter than the installation's setting (docs/data.md).
ALTER TABLE retention ADD COLUMN text_mode text;
ALTER TABLE retention ADD CONSTRAINT retention_mode_check CHECK (text_mode IN ('plain', 'sealed', 'none'));

-- The file of a chat message, beside what the message says: that may be sealed, and is removed before the file is.
ALTER TABLE messages ADD COLUMN media_id bigint;
ALTER TABLE chat_incoming ADD COLUMN media_id bigint;
