-- When and how often an account sends: a row for those that have set something.
CREATE TABLE sending_policies (
  account_id bigint NOT NULL,
  -- SendingPolicy (server/sending-policy/policy.ts).
  policy jsonb NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT sending_policies_pkey PRIMARY KEY (account_id)
);

-- Hours of a send of its own, or that no policy holds it (server/sending-policy/policy.ts, SendingRule); null: the policy alone.
ALTER TABLE shipments ADD COLUMN sending_rule jsonb;

-- Messages that count towards the frequency caps of their account, from when they were let through.
CREATE TABLE recipient_sends (
  account_id bigint NOT NULL,
  -- As messages have it: E.164 digits, an address.
  recipient text NOT NULL,
  message_id bigint NOT NULL,
  channel smallint NOT NULL,
  at bigint NOT NULL,
  CONSTRAINT recipient_sends_pkey PRIMARY KEY (account_id, recipient, message_id)
);
-- What is too old to count is deleted.
CREATE INDEX recipient_sends_at ON recipient_sends (at);
