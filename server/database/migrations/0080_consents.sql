-- Who agreed to what, when, and by what; and who withdrew it. Rows are added and never changed: the digest of each is made of the
-- row and of the digest of the one before, so that a later change of any shows.
CREATE TABLE consents (
  account_id bigint NOT NULL,
  -- 1, 2, 3, … within the account.
  position bigint NOT NULL,
  -- A keyed digest of the number or address. Which it is stands in consent_subjects, until it is erased.
  subject_digest bytea NOT NULL,
  -- sms, voice, chat, mail or any
  channel text NOT NULL,
  purpose text NOT NULL,
  action text NOT NULL,
  -- When the person said so, and when it was written down.
  at bigint NOT NULL,
  recorded_at bigint NOT NULL,
  source text NOT NULL,
  -- JSON as it was digested: form, version, text, language, address, page, file, who recorded it.
  evidence text NOT NULL,
  previous bytea NOT NULL,
  digest bytea NOT NULL,
  CONSTRAINT consents_pkey PRIMARY KEY (account_id, position),
  CONSTRAINT consents_action_check CHECK (action IN ('given', 'withdrawn'))
);
CREATE INDEX consents_subject ON consents (account_id, subject_digest, position);

-- The end of the chain of an account; its row is the lock.
CREATE TABLE consent_heads (
  account_id bigint NOT NULL,
  position bigint NOT NULL,
  digest bytea NOT NULL,
  CONSTRAINT consent_heads_pkey PRIMARY KEY (account_id)
);

-- Whose the digests are. Beside the chain, so that an erasure takes a number or an address away and every row stays as it is.
CREATE TABLE consent_subjects (
  account_id bigint NOT NULL,
  digest bytea NOT NULL,
  subject text NOT NULL,
  CONSTRAINT consent_subjects_pkey PRIMARY KEY (account_id, digest)
);
