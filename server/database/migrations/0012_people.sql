-- Who uses the console. Small tables, the same on every node, but for the audit log.

CREATE TABLE people (
  id bigint NOT NULL,
  -- Null for the operator's people.
  account_id bigint,
  username text NOT NULL,
  name text NOT NULL,
  -- argon2id; null until the first password is chosen.
  password_hash text,
  role text NOT NULL,
  -- Null: as the browser has it.
  language text,
  theme text,
  -- Of the second factor; in force when enabled_at is set.
  totp_secret bytea,
  totp_enabled_at bigint,
  -- The last time step whose code was used: a code works once.
  totp_step bigint NOT NULL DEFAULT 0,
  suspended boolean NOT NULL DEFAULT false,
  created_at bigint NOT NULL,
  CONSTRAINT people_pkey PRIMARY KEY (id),
  CONSTRAINT people_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id),
  CONSTRAINT people_role_check CHECK (role IN ('viewer', 'sender', 'owner', 'operator')),
  CONSTRAINT people_operator_check CHECK ((role = 'operator') = (account_id IS NULL))
);
CREATE UNIQUE INDEX people_username_key ON people (lower(username));
CREATE INDEX people_account ON people (account_id, id);

CREATE TABLE sessions (
  id bigint NOT NULL,
  -- SHA-256 of the token in the cookie.
  digest bytea NOT NULL,
  person_id bigint NOT NULL,
  created_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  address text NOT NULL,
  agent text NOT NULL,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_digest_key UNIQUE (digest),
  CONSTRAINT sessions_person_fkey FOREIGN KEY (person_id) REFERENCES people (id)
);
CREATE INDEX sessions_person ON sessions (person_id);
CREATE INDEX sessions_created ON sessions (created_at);

-- Links that work once: to sign in, or to choose a password.
CREATE TABLE person_links (
  id bigint NOT NULL,
  digest bytea NOT NULL,
  person_id bigint NOT NULL,
  purpose text NOT NULL,
  -- Using it takes the second factor away, for who lost the phone.
  clears_second_factor boolean NOT NULL,
  expires_at bigint NOT NULL,
  CONSTRAINT person_links_pkey PRIMARY KEY (id),
  CONSTRAINT person_links_digest_key UNIQUE (digest),
  CONSTRAINT person_links_person_fkey FOREIGN KEY (person_id) REFERENCES people (id),
  CONSTRAINT person_links_purpose_check CHECK (purpose IN ('sign-in', 'password'))
);
CREATE INDEX person_links_person ON person_links (person_id);
CREATE INDEX person_links_expires ON person_links (expires_at);

-- For who has lost the second factor; a row goes when its code is used.
CREATE TABLE recovery_codes (
  person_id bigint NOT NULL,
  digest bytea NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (person_id, digest),
  CONSTRAINT recovery_codes_person_fkey FOREIGN KEY (person_id) REFERENCES people (id)
);

-- Attempts to sign in that failed, by user name and by address.
CREATE TABLE sign_in_attempts (
  -- `name:` with a digest of the user name (who mistypes may have typed the password there), or `address:`.
  key text NOT NULL,
  failures integer NOT NULL,
  -- No attempt is looked at before.
  until bigint NOT NULL,
  last_at bigint NOT NULL,
  CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (key)
);
CREATE INDEX sign_in_attempts_last ON sign_in_attempts (last_at);

-- Every change, by the account that it was for; 0 for what is the operator's alone.
CREATE TABLE audit_log (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  -- Who: a person (with the user name of that time), a token, or neither: the command line.
  person_id bigint,
  username text,
  token_id bigint,
  address text,
  -- What: `POST /v1/people`, or a command.
  action text NOT NULL,
  object_kind text,
  object_id text,
  -- HTTP status; a change that was refused is here, too.
  status smallint NOT NULL,
  before jsonb,
  after jsonb,
  CONSTRAINT audit_log_pkey PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX audit_log_person ON audit_log (account_id, person_id, id) WHERE person_id IS NOT NULL;
CREATE INDEX audit_log_object ON audit_log (account_id, object_kind, object_id, id) WHERE object_id IS NOT NULL;
