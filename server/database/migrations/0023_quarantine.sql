-- Results of messages that could not be stored, taken out of their account's way (server/dispatch/quarantine.ts).
CREATE TABLE quarantine (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  reason text NOT NULL,
  -- The result as JSON, without the phone, which stands in the message.
  payload text NOT NULL,
  created_at bigint NOT NULL,
  -- When somebody asked to try again; null until then.
  retry_at bigint,
  CONSTRAINT quarantine_pkey PRIMARY KEY (account_id, id)
);
