-- Every code that was sent. The newest one of an account to a phone in an application is the one that counts, so that
-- a send that comes to nothing is undone by deleting its row. Limits, brake and reports count these rows.
CREATE TABLE otp_sends (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  phone text NOT NULL,
  prefix text NOT NULL,
  app_id integer NOT NULL,
  -- HMAC-SHA256 under a key of this installation; the code itself is kept nowhere but in the message.
  digest bytea NOT NULL,
  expires_at bigint NOT NULL,
  -- 0: used, or guessed at too often.
  tries_left smallint NOT NULL,
  verified_at bigint,
  CONSTRAINT otp_sends_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT otp_sends_tries_check CHECK (tries_left >= 0)
) PARTITION BY RANGE (id);
CREATE INDEX otp_sends_phone ON otp_sends (account_id, phone, id);
CREATE INDEX otp_sends_prefix ON otp_sends (account_id, prefix, id);

-- What an account has spent on codes since its day began, which is with the first send after the last day's end.
-- Also the lock under which an account's sends are counted.
CREATE TABLE otp_spending (
  account_id bigint NOT NULL,
  since bigint NOT NULL,
  spent numeric(18,4) NOT NULL,
  CONSTRAINT otp_spending_pkey PRIMARY KEY (account_id)
);

-- What was stopped. A row counts an hour's sends of one account to one prefix that one rule stopped, so that an attack
-- of a million requests does not become a million rows.
CREATE TABLE otp_blocks (
  account_id bigint NOT NULL,
  hour bigint NOT NULL,
  rule text NOT NULL,
  prefix text NOT NULL,
  count integer NOT NULL,
  -- The last phone, and the first and last time.
  phone text NOT NULL,
  first_at bigint NOT NULL,
  last_at bigint NOT NULL,
  CONSTRAINT otp_blocks_pkey PRIMARY KEY (account_id, hour, rule, prefix)
);
