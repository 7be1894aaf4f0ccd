-- How long an account keeps what (server/retention/): days by kind. `asked` is what the account wants, `limits` what the
-- operator allows it; a kind that is in neither has the limit of the installation's settings.
CREATE TABLE retention (
  account_id bigint NOT NULL,
  asked jsonb NOT NULL DEFAULT '{}',
  limits jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT retention_pkey PRIMARY KEY (account_id),
  CONSTRAINT retention_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)
);

-- Up to which id (exclusive) the texts of an account are removed.
CREATE TABLE text_removals (
  account_id bigint NOT NULL,
  up_to bigint NOT NULL,
  CONSTRAINT text_removals_pkey PRIMARY KEY (account_id)
);

-- That a text was there and is removed. Null is as false, so that no row is rewritten.
ALTER TABLE messages ADD COLUMN text_removed boolean;
ALTER TABLE shipments ADD COLUMN text_removed boolean;
ALTER TABLE incoming ADD COLUMN text_removed boolean;
ALTER TABLE chat_incoming ADD COLUMN text_removed boolean;
ALTER TABLE mail_incoming ADD COLUMN text_removed boolean;
