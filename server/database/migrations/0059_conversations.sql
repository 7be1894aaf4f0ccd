-- A conversation is a client and a sender of ours, over every channel. It begins with the first message of the client, or when
-- somebody writes to them from the console; campaigns begin none.
CREATE TABLE conversations (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  -- Our number (E.164 digits) or address; and the client's, or the id that the chat platform gives one who hides the number.
  sender text NOT NULL,
  client text COLLATE "C" NOT NULL,
  client_name text NOT NULL DEFAULT '',
  -- Over which the client wrote last: a reply goes there.
  channel smallint NOT NULL,
  -- 0 open, 1 closed
  state smallint NOT NULL,
  -- Of people; null: nobody.
  assignee_id bigint,
  -- Messages of the client that nobody has read.
  unread integer NOT NULL,
  label_ids bigint[] NOT NULL DEFAULT '{}',
  -- The last message, or what began the conversation; lists are in its order.
  last_id bigint NOT NULL,
  -- As events say what a message is: text, image, template, …
  last_type text NOT NULL DEFAULT 'text',
  last_text text NOT NULL,
  last_from_client boolean NOT NULL,
  -- When the client wrote last (milliseconds since the epoch); null: never.
  client_at bigint,
  -- The message that opened it, or opened it again.
  opened_id bigint NOT NULL,
  -- Who is writing an answer, and until when that holds.
  writer_id bigint,
  writer_name text,
  writing_until bigint NOT NULL DEFAULT 0,
  changed_at bigint NOT NULL,
  CONSTRAINT conversations_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT conversations_client_key UNIQUE (account_id, client, sender)
);
CREATE INDEX conversations_list ON conversations (account_id, state, last_id);
CREATE INDEX conversations_assignee ON conversations (account_id, assignee_id, last_id) WHERE state = 0;
CREATE INDEX conversations_unread ON conversations (account_id, last_id) WHERE unread > 0;
CREATE INDEX conversations_labels ON conversations USING gin (label_ids) WHERE label_ids <> '{}';
CREATE INDEX conversations_name ON conversations (account_id, lower(client_name) text_pattern_ops)
  WHERE client_name <> '';
CREATE INDEX conversations_changed ON conversations (account_id, changed_at);

-- What people and rules did in a conversation, and their notes. A reply has the id of its message.
CREATE TABLE conversation_entries (
  account_id bigint NOT NULL,
  conversation_id bigint NOT NULL,
  id bigint NOT NULL,
  -- note, reply, opened, closed, assigned, unassigned, labels, rule
  kind text NOT NULL,
  -- Who did it: a person; null: a token, a rule, or nobody.
  person_id bigint,
  person_name text,
  rule_id bigint,
  -- Of a note.
  text text,
  details jsonb,
  CONSTRAINT conversation_entries_pkey PRIMARY KEY (account_id, conversation_id, id)
);

CREATE TABLE conversation_labels (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  name text NOT NULL,
  color text NOT NULL,
  CONSTRAINT conversation_labels_pkey PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX conversation_labels_name ON conversation_labels (account_id, lower(name));

-- Automatic replies that are to be sent, each with the send key of its id.
CREATE TABLE conversation_tasks (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  conversation_id bigint NOT NULL,
  -- Null: the away message.
  rule_id bigint,
  text text NOT NULL,
  due_at bigint NOT NULL,
  attempt smallint NOT NULL DEFAULT 0,
  CONSTRAINT conversation_tasks_pkey PRIMARY KEY (account_id, id)
);
CREATE INDEX conversation_tasks_due ON conversation_tasks (due_at);

CREATE INDEX incoming_source ON incoming (account_id, source, id);

-- Who has written before has a conversation, which is closed: it is found, and opened by their next message.
INSERT INTO conversations (account_id, id, sender, client, client_name, channel, state, unread, last_id, last_text,
  last_from_client, client_at, opened_id, changed_at)
SELECT account_id, first_id, sender, client, '', channel, 1, 0, last_id, '', true,
  1735689600000 + last_id / 4096, first_id, 0
FROM (
  SELECT account_id, sender, client, min(first_id) AS first_id, max(last_id) AS last_id,
    (array_agg(channel ORDER BY last_id DESC))[1] AS channel
  FROM (
    SELECT account_id, destination AS sender, source AS client, 0::smallint AS channel, min(id) AS first_id,
      max(id) AS last_id
    FROM incoming WHERE account_id <> 0 GROUP BY account_id, destination, source
    UNION ALL
    SELECT account_id, number, client, 1::smallint, min(id), max(id)
    FROM chat_incoming WHERE NOT is_echo GROUP BY account_id, number, client
  ) AS ways
  GROUP BY account_id, sender, client
) AS found;
UPDATE conversations c SET last_text = left(i.text, 200) FROM incoming i
WHERE i.account_id = c.account_id AND i.id = c.last_id;
UPDATE conversations c SET last_type = i.type, last_text = left(i.body, 200), client_name = i.client_name FROM chat_incoming i
WHERE i.account_id = c.account_id AND i.id = c.last_id;
