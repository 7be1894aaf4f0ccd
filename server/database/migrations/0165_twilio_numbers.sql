-- Settings of incoming numbers at the interface of Twilio (docs/migrating.md).
CREATE TABLE twilio_numbers (
  account_id bigint NOT NULL,
  -- As in inbound_numbers. The row counts while the number belongs to the account.
  number text NOT NULL,
  friendly_name text,
  -- Address that gets the messages to the number, and the one that gets them when the first fails.
  sms_url text,
  sms_method text NOT NULL,
  sms_fallback_url text,
  sms_fallback_method text NOT NULL,
  -- The API token that set the addresses, sealed: it signs requests to them.
  secret bytea,
  author_token_id bigint,
  author_person_id bigint,
  -- Milliseconds since the epoch.
  changed_at bigint NOT NULL,
  CONSTRAINT twilio_numbers_pkey PRIMARY KEY (account_id, number)
);
