-- Sign-in by password: where subjects have signed in before, and passwords that are weak.

-- Small: some places for each person or account, and cleaned up.
CREATE TABLE known_sign_ins (
  -- `person:<id>` or `account:<id>`.
  subject text NOT NULL,
  -- `address:` with the network of a client, or `device:` with the digest of the token in a browser's cookie.
  place text NOT NULL,
  -- Of the last sign-in, a day behind at most.
  seen_at bigint NOT NULL,
  CONSTRAINT known_sign_ins_pkey PRIMARY KEY (subject, place)
);
CREATE INDEX known_sign_ins_seen ON known_sign_ins (seen_at);

-- Set by a sign-in with a password that would not be accepted as a new one.
ALTER TABLE accounts ADD COLUMN password_weak boolean NOT NULL DEFAULT false;
