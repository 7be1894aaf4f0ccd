-- The keys of calls that send or pay, each with the answer that it got, for 24 hours (server/send-keys). Written in the
-- transaction that does the work, so that key and work are there together or not at all.
CREATE TABLE send_keys (
  account_id bigint NOT NULL,
  -- As the client gave it; one of an operator begins with a line break, which a client's key cannot have.
  key text COLLATE "C" NOT NULL,
  -- Of the operation and what it was asked for: the first half of an HMAC-SHA256.
  fingerprint bytea NOT NULL,
  -- JSON. One of the two: sealed when it may hold what only the caller is to read.
  answer text,
  sealed_answer bytea,
  -- By the clock of the database, with what the sandbox's was moved on by.
  created_at bigint NOT NULL,
  CONSTRAINT send_keys_pkey PRIMARY KEY (account_id, key)
);
CREATE INDEX send_keys_created ON send_keys (created_at);

-- Whether the answer was that of an earlier request with the same key.
ALTER TABLE request_log ADD COLUMN repeated boolean NOT NULL DEFAULT false;
