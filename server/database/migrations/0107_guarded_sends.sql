-- Sends that outsiders can cause, beside one-time codes, for the fraud guard: automatic replies, questions to owners of numbers.
CREATE TABLE guarded_sends (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  kind text NOT NULL,
  phone text NOT NULL,
  prefix text NOT NULL,
  -- When the owner of the number answered, as for one-time codes: milliseconds since the epoch
  verified_at bigint,
  CONSTRAINT guarded_sends_pkey PRIMARY KEY (account_id, id)
);
CREATE INDEX guarded_sends_prefix ON guarded_sends (account_id, kind, prefix, id);
CREATE INDEX guarded_sends_phone ON guarded_sends (account_id, phone, id);

-- Sends that a rule stopped, by kind. An older version writes those of codes alone.
ALTER TABLE otp_blocks ADD COLUMN kind text NOT NULL DEFAULT 'code';
ALTER TABLE otp_blocks DROP CONSTRAINT otp_blocks_pkey;
ALTER TABLE otp_blocks ADD CONSTRAINT otp_blocks_pkey PRIMARY KEY (account_id, hour, rule, prefix, kind);
