-- What an incoming chat message says besides its body, the message that it is about (reacted to, edited, deleted; our id of
-- one that went out or came in), and the unique name that its client has chosen.
ALTER TABLE chat_incoming ADD COLUMN content jsonb, ADD COLUMN about_id bigint,
  ADD COLUMN client_username text NOT NULL DEFAULT '';

-- Our id of what came in, to find the message that a client edits or deletes. Null for what came before this.
ALTER TABLE chat_received ADD COLUMN message_id bigint;

-- Which number an id of the platform's stands for, of clients who have written with both.
CREATE TABLE chat_users (
  account_id bigint NOT NULL,
  user_id text NOT NULL,
  phone text NOT NULL,
  CONSTRAINT chat_users_pkey PRIMARY KEY (account_id, user_id)
);
