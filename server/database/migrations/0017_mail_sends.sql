-- Mails to lists. Each mail is a row of `messages` with channel 2: `phone` is the address it goes to, `source` the one it
-- comes from, `text` what is its own (server/mailing/mail-text.ts).

-- Sends to lists, and single mails (a test, a confirmation); the id is that of the shipment. The row is leased by the
-- process that makes its mails.
CREATE TABLE mail_campaigns (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  -- campaign, or single: made with its mails, and in no list of campaigns
  kind text NOT NULL,
  name text,
  -- scheduled, running, paused, cancelled, finished
  state text NOT NULL,
  route text NOT NULL,
  from_address text NOT NULL,
  -- What all its mails have in common (server/mailing/content.ts).
  content jsonb NOT NULL,
  list_ids bigint[] NOT NULL,
  -- Different active users that the lists had.
  total integer NOT NULL,
  -- Whether every recipient has his mail, and how far it is until then: the list, the user.
  expanded boolean NOT NULL DEFAULT false,
  list_index smallint NOT NULL DEFAULT 0,
  after_user bigint NOT NULL DEFAULT 0,
  -- What is still held of the wallet for recipients without a mail.
  held numeric(18,4) NOT NULL,
  due_at bigint NOT NULL,
  lease_owner text,
  lease_until bigint NOT NULL DEFAULT 0,
  turn_at bigint NOT NULL DEFAULT 0,
  created_at bigint NOT NULL,
  finished_at bigint,
  CONSTRAINT mail_campaigns_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT mail_campaigns_held_check CHECK (held >= 0),
  CONSTRAINT mail_campaigns_kind_check CHECK (kind IN ('campaign', 'single')),
  CONSTRAINT mail_campaigns_state_check CHECK (state IN ('scheduled', 'running', 'paused', 'cancelled', 'finished'))
);
CREATE INDEX mail_campaigns_open ON mail_campaigns (turn_at) WHERE state IN ('scheduled', 'running', 'paused');
CREATE INDEX mail_campaigns_shown ON mail_campaigns (account_id, id) WHERE kind = 'campaign';

-- What came back of a mail: one row of each kind, however often it was told. Dropped with the messages.
CREATE TABLE mail_returns (
  account_id bigint NOT NULL,
  message_id bigint NOT NULL,
  -- hard, soft, complaint
  kind text NOT NULL,
  shipment_id bigint NOT NULL,
  -- The user of the lists; null: the mail was to somebody who is in none.
  user_id bigint,
  -- The enhanced status code (RFC 3463) of a bounce, the feedback type of a complaint.
  code text NOT NULL,
  at bigint NOT NULL,
  CONSTRAINT mail_returns_pkey PRIMARY KEY (account_id, message_id, kind),
  CONSTRAINT mail_returns_kind_check CHECK (kind IN ('hard', 'soft', 'complaint'))
) PARTITION BY RANGE (message_id);
CREATE INDEX mail_returns_shipment ON mail_returns (account_id, shipment_id, kind);
CREATE INDEX mail_returns_user ON mail_returns (account_id, user_id, kind, at) WHERE user_id IS NOT NULL;
