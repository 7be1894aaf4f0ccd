-- Who asked to send from a number, and has not shown yet, or has shown within the time, that it is his. Small, the same on
-- every node: a row lives for a day, and for a mobile costs an SMS.
CREATE TABLE phone_verifications (
  id bigint NOT NULL,
  account_id bigint NOT NULL,
  -- E.164 digits.
  phone text NOT NULL,
  -- SHA-256 of the token in the link; null for a landline, which no link reaches.
  digest bytea,
  expires_at bigint NOT NULL,
  confirmed_at bigint,
  CONSTRAINT phone_verifications_pkey PRIMARY KEY (id),
  CONSTRAINT phone_verifications_digest_key UNIQUE (digest),
  CONSTRAINT phone_verifications_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)
);
CREATE INDEX phone_verifications_account ON phone_verifications (account_id, phone);
CREATE INDEX phone_verifications_phone ON phone_verifications (phone);
