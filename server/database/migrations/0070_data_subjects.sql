-- What owners have asked for about the data of one person: an export, or an erasure. The row stays as the proof of what was
-- done; the person stands in it sealed, and only until it is done.
CREATE TABLE data_subject_requests (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  kind text NOT NULL,
  state text NOT NULL DEFAULT 'waiting',
  -- The identifiers and the key of the pseudonyms; null when the work is over.
  sealed bytea,
  -- Keyed digests of the identifiers, by which a later request finds this one.
  digests text[] NOT NULL,
  -- What the caller calls the request, without personal data.
  reference text NOT NULL,
  -- How many of each kind were exported or erased.
  counts jsonb NOT NULL,
  -- Of an archive: bytes and chunks.
  bytes bigint NOT NULL DEFAULT 0,
  chunks integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  problem text NOT NULL DEFAULT '',
  person_id bigint,
  username text,
  created_at bigint NOT NULL,
  -- When the first pass of an erasure had ended; and when all was over.
  erased_at bigint,
  finished_at bigint,
  -- When the file of an export is deleted.
  expires_at bigint,
  due_at bigint,
  lease_owner text,
  lease_until bigint NOT NULL DEFAULT 0,
  CONSTRAINT data_subject_requests_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT data_subject_requests_kind_check CHECK (kind IN ('export', 'erasure')),
  CONSTRAINT data_subject_requests_state_check
    CHECK (state IN ('waiting', 'running', 'rechecking', 'done', 'failed', 'deleted'))
);
CREATE INDEX data_subject_requests_due ON data_subject_requests (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX data_subject_requests_expires ON data_subject_requests (expires_at) WHERE expires_at IS NOT NULL;

-- The archive of an export, piece by piece.
CREATE TABLE data_subject_chunks (
  account_id bigint NOT NULL,
  request_id bigint NOT NULL,
  sequence integer NOT NULL,
  data bytea NOT NULL,
  CONSTRAINT data_subject_chunks_pkey PRIMARY KEY (account_id, request_id, sequence)
);

-- People whose data was erased and who had asked for no more messages: a keyed digest in place of their number or address.
CREATE TABLE suppressions (
  account_id bigint NOT NULL,
  digest bytea NOT NULL,
  request_id bigint NOT NULL,
  at bigint NOT NULL,
  CONSTRAINT suppressions_pkey PRIMARY KEY (account_id, digest)
);
