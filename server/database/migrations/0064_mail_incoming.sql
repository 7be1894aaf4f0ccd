-- Mails that people have answered to an inbound address of ours.
CREATE TABLE mail_incoming (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  -- The address that our mail came from, and to whom it went: the conversation.
  sender text NOT NULL,
  client text NOT NULL,
  -- Who the answer says that it is from: an address and a name, which may be empty.
  from_address text NOT NULL,
  from_name text NOT NULL,
  subject text NOT NULL,
  -- What was written, without the mail that it quotes; and the whole as text and HTML, null where it has none.
  body text NOT NULL,
  text text,
  html text,
  -- Names of attachments, which are not kept.
  attachments jsonb NOT NULL,
  -- Its Message-ID, which an answer to it names; empty for none.
  mail_id text NOT NULL,
  -- The mail that was answered, and its shipment.
  message_id bigint NOT NULL,
  shipment_id bigint NOT NULL,
  -- Why it is taken for written by a program (`auto-submitted`, `precedence`, …); null: a person wrote it.
  automatic text,
  -- What could not be read, as it came; else null.
  raw bytea,
  CONSTRAINT mail_incoming_pkey PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX mail_incoming_client ON mail_incoming (account_id, client, id);

-- What came in, so that a mail that is brought twice is taken once; kept a month.
CREATE TABLE mail_received (
  account_id bigint NOT NULL,
  key text NOT NULL,
  at bigint NOT NULL,
  CONSTRAINT mail_received_pkey PRIMARY KEY (account_id, key)
);
CREATE INDEX mail_received_at ON mail_received (at);
