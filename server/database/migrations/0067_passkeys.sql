-- Passkeys (WebAuthn) of people, and what a second factor is demanded of. Small tables, the same on every node.

CREATE TABLE passkeys (
  id bigint NOT NULL,
  person_id bigint NOT NULL,
  -- What the authenticator calls it, and its public key (COSE).
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  -- Of the signatures that it has made; 0 for one that does not count.
  counter bigint NOT NULL,
  -- How it is reached: usb, nfc, internal, hybrid.
  transports text[] NOT NULL,
  -- Whether it is kept on several devices.
  synced boolean NOT NULL,
  name text NOT NULL,
  created_at bigint NOT NULL,
  used_at bigint,
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_credential_key UNIQUE (credential_id),
  CONSTRAINT passkeys_person_fkey FOREIGN KEY (person_id) REFERENCES people (id)
);
CREATE INDEX passkeys_person ON passkeys (person_id, id);

-- Challenges that authenticators sign; a row goes when its challenge comes back.
CREATE TABLE passkey_challenges (
  -- SHA-256 of the challenge.
  digest bytea NOT NULL,
  purpose text NOT NULL,
  -- Null for a sign-in: who it is comes with the answer.
  person_id bigint,
  expires_at bigint NOT NULL,
  CONSTRAINT passkey_challenges_pkey PRIMARY KEY (digest),
  CONSTRAINT passkey_challenges_purpose_check CHECK (purpose IN ('register', 'sign-in', 'second-factor'))
);
CREATE INDEX passkey_challenges_expires ON passkey_challenges (expires_at);

-- The operator demands a second factor of the people of this account, whatever its owners want.
ALTER TABLE people_rules ADD COLUMN second_factor_demanded boolean NOT NULL DEFAULT false;
-- In the row of the operator's people (0): the operator demands it of the people of every account.
ALTER TABLE people_rules ADD COLUMN second_factor_of_accounts boolean NOT NULL DEFAULT false;
