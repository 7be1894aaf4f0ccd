-- Secrets are sealed (server/secrets/secret-box.ts). The key is not known to the database, so what was plain becomes bytes
-- with a zero in front, and is sealed when the program starts; the row `secrets-plain` of state says that this is to be done.

-- Keys that this installation made for itself, as for the digests of one-time codes.
CREATE TABLE installation_keys (
  purpose text NOT NULL,
  sealed bytea NOT NULL,
  CONSTRAINT installation_keys_pkey PRIMARY KEY (purpose)
);

INSERT INTO state (key, value)
  SELECT 'secrets-plain', 'true'
  WHERE EXISTS (SELECT FROM state WHERE key LIKE 'secret-key.%')
    OR EXISTS (SELECT FROM people WHERE totp_secret IS NOT NULL)
    OR EXISTS (SELECT FROM event_endpoints WHERE secret IS NOT NULL)
    OR EXISTS (SELECT FROM chat_portfolios);

INSERT INTO installation_keys (purpose, sealed)
  SELECT substr(key, length('secret-key.') + 1), '\x00'::bytea || decode(value #>> '{}', 'base64')
  FROM state WHERE key LIKE 'secret-key.%';
DELETE FROM state WHERE key LIKE 'secret-key.%';

UPDATE people SET totp_secret = '\x00'::bytea || totp_secret WHERE totp_secret IS NOT NULL;

ALTER TABLE event_endpoints
  ALTER COLUMN secret TYPE bytea USING '\x00'::bytea || convert_to(secret, 'UTF8'),
  ALTER COLUMN old_secret TYPE bytea USING '\x00'::bytea || convert_to(old_secret, 'UTF8');

ALTER TABLE chat_portfolios
  ALTER COLUMN access_token TYPE bytea USING '\x00'::bytea || convert_to(access_token, 'UTF8');

-- The ids of the keys that a process has; the first one is what it seals with.
ALTER TABLE processes ADD COLUMN key_ids text[] NOT NULL DEFAULT '{}';
