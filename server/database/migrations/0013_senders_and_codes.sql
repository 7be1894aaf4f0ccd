-- Names that accounts want to send from, until the operator has answered; numbers are verified instead (migration 0006).
CREATE TABLE source_requests (
  account_id bigint NOT NULL,
  -- As in sources: in lower case.
  source text NOT NULL,
  -- As it was written.
  name text NOT NULL,
  note text NOT NULL,
  asked_at bigint NOT NULL,
  -- Null: waits. Who is approved has a row of sources instead.
  refused_at bigint,
  reason text NOT NULL DEFAULT '',
  CONSTRAINT source_requests_pkey PRIMARY KEY (account_id, source),
  CONSTRAINT source_requests_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)
);
CREATE INDEX source_requests_waiting ON source_requests (asked_at) WHERE refused_at IS NULL;

-- When somebody said of a prefix that it is not attacked: codes that were sent before (ids below since_id) are not held
-- against its numbers any more.
CREATE TABLE otp_lifts (
  account_id bigint NOT NULL,
  prefix text NOT NULL,
  since_id bigint NOT NULL,
  lifted_at bigint NOT NULL,
  CONSTRAINT otp_lifts_pkey PRIMARY KEY (account_id, prefix)
);
