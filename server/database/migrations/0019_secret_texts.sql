-- Texts that carry a secret (server/messages/secret-text.ts): `text` has what anyone may read, `secret_text` what is sent.
-- The dispatch loader alone reads it. The constraint makes whatever ends a message erase it in the same statement.
ALTER TABLE messages ADD COLUMN secret_text bytea;
ALTER TABLE messages ADD CONSTRAINT messages_secret_check
  CHECK (secret_text IS NULL OR (handed_at IS NULL AND final_at IS NULL)) NOT VALID;
-- For a rotation of keys; ordinary messages are not in it.
CREATE INDEX messages_secrets ON messages (account_id, id) WHERE secret_text IS NOT NULL;

-- The SMS of earlier versions have their links in readable texts: whoever waits asks again.
DELETE FROM phone_verifications WHERE confirmed_at IS NULL AND digest IS NOT NULL;

-- A landline is verified by a code that a call to it speaks. `code_digest` is of the last call's, `tries_left` how often it
-- may still be entered wrongly, `calls` how many calls this request has caused, `called_at` when the last one was made.
ALTER TABLE phone_verifications
  ADD COLUMN landline boolean NOT NULL DEFAULT false,
  ADD COLUMN code_digest bytea,
  ADD COLUMN tries_left smallint NOT NULL DEFAULT 0,
  ADD COLUMN calls smallint NOT NULL DEFAULT 0,
  ADD COLUMN called_at bigint,
  ADD CONSTRAINT phone_verifications_tries_check CHECK (tries_left >= 0);
UPDATE phone_verifications SET landline = true WHERE digest IS NULL;
