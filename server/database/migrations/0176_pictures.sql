-- Pictures in emails, and logos of accounts. Everybody with the address of one can read it.
CREATE TABLE pictures (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  -- The end of its address.
  code text NOT NULL,
  name text NOT NULL,
  -- Empty until the upload has ended.
  mime_type text NOT NULL DEFAULT '',
  -- Bytes; of an upload in progress, the largest possible.
  size integer NOT NULL,
  -- Hexadecimal; empty until the upload has ended.
  sha256 text NOT NULL DEFAULT '',
  stored boolean NOT NULL DEFAULT false,
  CONSTRAINT pictures_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT pictures_code_key UNIQUE (code)
);

-- Code of the picture that public pages show with the name of the account; null for none.
ALTER TABLE accounts ADD COLUMN logo text;
