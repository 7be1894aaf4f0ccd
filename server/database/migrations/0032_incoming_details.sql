-- The application ports of incoming SMS that have some in their user data header.
ALTER TABLE incoming ADD COLUMN source_port integer, ADD COLUMN destination_port integer;
ALTER TABLE incoming_parts ADD COLUMN source_port integer, ADD COLUMN destination_port integer;

-- What the platform says of who wrote a chat message: the name they have given themselves, and the id that stands for them
-- where their number is hidden (`client` has it then, too).
ALTER TABLE chat_incoming ADD COLUMN client_name text NOT NULL DEFAULT '',
  ADD COLUMN client_user_id text NOT NULL DEFAULT '';

-- Statuses without our reference that came before the platform's id of their message was stored.
CREATE TABLE chat_early_statuses (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  -- As the webhook said it, as JSON.
  fact text NOT NULL,
  next_at bigint NOT NULL,
  attempt smallint NOT NULL,
  CONSTRAINT chat_early_statuses_pkey PRIMARY KEY (account_id, id)
);
CREATE INDEX chat_early_statuses_next ON chat_early_statuses (next_at);
