-- Questions that asked the owner of an address or a number to confirm something, of all accounts
-- (server/budgets/questions.ts): one row for each recipient, for a day. The digest is keyed, so that the row names nobody.
CREATE TABLE asked_recipients (
  digest bytea NOT NULL,
  -- Questions since `began_at` (milliseconds since the epoch).
  count integer NOT NULL,
  began_at bigint NOT NULL,
  CONSTRAINT asked_recipients_pkey PRIMARY KEY (digest)
);
CREATE INDEX asked_recipients_began ON asked_recipients (began_at);
