-- What was asked of the service under a token or a password, as developers look it up. No bodies, texts or tokens.
-- Written in groups after the answers; when a request came is in its id.
CREATE TABLE request_log (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  -- sms, chat, v1
  door text NOT NULL,
  operation text NOT NULL,
  -- What the answer says: a status of the SMS family, a reason of the chat API, a word of /v1.
  status text NOT NULL,
  refused boolean NOT NULL,
  http_status smallint NOT NULL,
  -- Microseconds.
  duration integer NOT NULL,
  address text NOT NULL,
  request_id text NOT NULL,
  CONSTRAINT request_log_pkey PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);

-- Some seconds behind.
ALTER TABLE tokens ADD COLUMN last_used_at bigint;

-- An account may stop its subscribers; it cannot lift what the operator stopped.
ALTER TABLE accounts ADD COLUMN suspended_by_parent boolean NOT NULL DEFAULT false;

-- What the process that holds a link says of it every second or so, for those that do not hold it.
ALTER TABLE links
  ADD COLUMN up boolean NOT NULL DEFAULT false,
  -- Messages that were handed over and whose outcome is not stored, and how many there may be.
  ADD COLUMN in_flight integer NOT NULL DEFAULT 0,
  ADD COLUMN send_window integer NOT NULL DEFAULT 0,
  -- Messages that the link took: all since it is held, and of them in a second lately.
  ADD COLUMN taken bigint NOT NULL DEFAULT 0,
  ADD COLUMN rate real NOT NULL DEFAULT 0,
  ADD COLUMN told_at bigint NOT NULL DEFAULT 0;

-- Charges are most of a ledger, and the others are what is looked for.
CREATE INDEX ledger_others ON ledger (account_id, id) WHERE kind <> 'charge';
