-- Sign-in by OpenID Connect. Small tables, the same on every node.

CREATE TABLE sign_in_providers (
  id bigint NOT NULL,
  -- Null: one of the operator's.
  account_id bigint,
  -- Of the direct link and of the redirect URI.
  slug text NOT NULL,
  name text NOT NULL,
  issuer text NOT NULL,
  client_id text NOT NULL,
  -- Sealed; null for a client without one.
  client_secret bytea,
  scopes text NOT NULL,
  -- [{claim, value, role, account_id}], the first that matches counts.
  rules jsonb NOT NULL,
  -- Whether people are made at their first sign-in, and found by a verified mail address that is their user name.
  makes_people boolean NOT NULL,
  links_by_email boolean NOT NULL,
  -- Values of acr and amr that say that a second factor was proven.
  second_factor_values text[] NOT NULL,
  -- Whether the sign-in page has a button for it.
  listed boolean NOT NULL,
  enabled boolean NOT NULL,
  created_at bigint NOT NULL,
  -- Why the last sign-in failed that did.
  last_failure text,
  last_failure_at bigint,
  CONSTRAINT sign_in_providers_pkey PRIMARY KEY (id),
  CONSTRAINT sign_in_providers_slug_key UNIQUE (slug),
  CONSTRAINT sign_in_providers_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)
);
CREATE INDEX sign_in_providers_account ON sign_in_providers (account_id, id);

-- Mail domains whose people are led to a provider from the sign-in page. Operators set them.
CREATE TABLE sign_in_domains (
  domain text NOT NULL,
  provider_id bigint NOT NULL,
  CONSTRAINT sign_in_domains_pkey PRIMARY KEY (domain),
  CONSTRAINT sign_in_domains_provider_fkey FOREIGN KEY (provider_id) REFERENCES sign_in_providers (id)
);
CREATE INDEX sign_in_domains_provider ON sign_in_domains (provider_id);

-- Who signs in by a provider, and by nothing else.
CREATE TABLE person_identities (
  person_id bigint NOT NULL,
  provider_id bigint NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT person_identities_pkey PRIMARY KEY (person_id),
  CONSTRAINT person_identities_subject_key UNIQUE (provider_id, issuer, subject),
  CONSTRAINT person_identities_person_fkey FOREIGN KEY (person_id) REFERENCES people (id),
  CONSTRAINT person_identities_provider_fkey FOREIGN KEY (provider_id) REFERENCES sign_in_providers (id)
);

-- Sign-ins that are under way at a provider; a row goes when the browser comes back.
CREATE TABLE sign_in_flows (
  -- SHA-256 of the token in the cookie, which state, nonce and PKCE verifier are made of.
  digest bytea NOT NULL,
  provider_id bigint NOT NULL,
  expires_at bigint NOT NULL,
  CONSTRAINT sign_in_flows_pkey PRIMARY KEY (digest)
);
CREATE INDEX sign_in_flows_expires ON sign_in_flows (expires_at);

-- The provider of a session, and its own session (sid).
ALTER TABLE sessions ADD COLUMN provider_id bigint;
ALTER TABLE sessions ADD COLUMN provider_session text;
-- The provider said that a second factor was proven.
ALTER TABLE sessions ADD COLUMN provider_second_factor boolean NOT NULL DEFAULT false;
-- The person has a second factor here that is still to be proven.
ALTER TABLE sessions ADD COLUMN second_factor_pending boolean NOT NULL DEFAULT false;
CREATE INDEX sessions_provider ON sessions (provider_id) WHERE provider_id IS NOT NULL;

-- The people of this account sign in by a provider alone.
ALTER TABLE people_rules ADD COLUMN provider_only boolean NOT NULL DEFAULT false;
