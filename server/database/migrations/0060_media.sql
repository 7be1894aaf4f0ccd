-- Files of chat messages: what clients sent, and what was uploaded to be sent. Their bytes are in the media store, by account
-- and id.
CREATE TABLE media (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  -- image, video, audio, document or sticker.
  kind text NOT NULL,
  -- 0 to be fetched, 1 stored, 2 could not be fetched, 3 being uploaded.
  state smallint NOT NULL,
  -- What was told of the file; of a stored one, what it is. Empty and null where nothing is known.
  mime_type text NOT NULL,
  file_name text NOT NULL,
  size bigint,
  -- Hexadecimal.
  sha256 text NOT NULL,
  -- Who has the file to be fetched, our number there, and its id there; empty for an upload.
  origin text NOT NULL,
  origin_number text NOT NULL,
  origin_id text NOT NULL,
  -- Why it could not be fetched, or what the last attempt met: a word for programs, and words for people.
  problem text NOT NULL,
  detail text NOT NULL,
  attempts integer NOT NULL,
  -- When the next attempt is due; null when there is none.
  due_at bigint,
  lease_owner text,
  lease_until bigint NOT NULL,
  CONSTRAINT media_pkey PRIMARY KEY (account_id, id)
);
CREATE INDEX media_due ON media (due_at) WHERE due_at IS NOT NULL;
-- The oldest are deleted first.
CREATE INDEX media_id ON media (id);
