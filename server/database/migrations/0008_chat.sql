-- Messages of every channel lie in one table: 0 SMS, 1 chat.
ALTER TABLE shipments ADD COLUMN channel smallint NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN channel smallint NOT NULL DEFAULT 0;
-- When the recipient has opened it, where the network tells.
ALTER TABLE messages ADD COLUMN read_at bigint;

-- Who sends by chat. Small, the same on every node.
CREATE TABLE chat_portfolios (
  id bigint NOT NULL,
  account_id bigint NOT NULL,
  name text NOT NULL,
  -- How many clients may be written to first within 24 hours.
  tier integer NOT NULL,
  -- The business account on the platform, and the token to act for it.
  platform_id text NOT NULL,
  access_token text NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT chat_portfolios_pkey PRIMARY KEY (id),
  CONSTRAINT chat_portfolios_platform_key UNIQUE (platform_id),
  CONSTRAINT chat_portfolios_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id),
  CONSTRAINT chat_portfolios_tier_check CHECK (tier IN (250, 2000, 10000, 100000, 1000000))
);

CREATE TABLE chat_numbers (
  -- E.164 digits.
  phone text NOT NULL,
  account_id bigint NOT NULL,
  portfolio_id bigint NOT NULL,
  name text NOT NULL,
  -- The number's id on the platform.
  platform_id text NOT NULL,
  messages_per_second integer NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT chat_numbers_pkey PRIMARY KEY (phone),
  CONSTRAINT chat_numbers_platform_key UNIQUE (platform_id),
  CONSTRAINT chat_numbers_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id),
  CONSTRAINT chat_numbers_portfolio_fkey FOREIGN KEY (portfolio_id) REFERENCES chat_portfolios (id)
);

CREATE TABLE chat_templates (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  -- Its id in the interface: `<number>_<business phone>_<suffix>`.
  template_id text NOT NULL,
  phone text NOT NULL,
  name text NOT NULL,
  -- The platform's language code, like `he` or `en_US`.
  language text NOT NULL,
  category text NOT NULL,
  -- Header, body, footer and buttons (server/carriers/chat-platform/templates.ts).
  content jsonb NOT NULL,
  -- 0 to 11 (interface, "Template status").
  status smallint NOT NULL,
  status_reason text NOT NULL DEFAULT '',
  status_at bigint NOT NULL,
  -- Its id on the platform; null until it was submitted.
  platform_id text,
  created_at bigint NOT NULL,
  CONSTRAINT chat_templates_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT chat_templates_template_key UNIQUE (account_id, template_id)
);
CREATE INDEX chat_templates_phone ON chat_templates (account_id, phone, id);
CREATE INDEX chat_templates_platform ON chat_templates (account_id, platform_id);

-- Every status that a template had.
CREATE TABLE chat_template_statuses (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  template_id bigint NOT NULL,
  status smallint NOT NULL,
  reason text NOT NULL,
  at bigint NOT NULL,
  CONSTRAINT chat_template_statuses_pkey PRIMARY KEY (account_id, id)
);
CREATE INDEX chat_template_statuses_template ON chat_template_statuses (account_id, template_id, id);

-- Between a business number and a client. The row is the lock under which a message to the client is decided on.
CREATE TABLE chat_windows (
  account_id bigint NOT NULL,
  number text NOT NULL,
  client text NOT NULL,
  -- The client's last message; null: he has never written.
  client_at bigint,
  -- When the conversation began that was opened last; null: none was.
  conversation_at bigint,
  -- Template messages since the client's last message, and the last of them.
  unanswered smallint NOT NULL DEFAULT 0,
  template_at bigint,
  CONSTRAINT chat_windows_pkey PRIMARY KEY (account_id, number, client)
);

-- Who was written to first, by portfolio: the minute (since the epoch) of the last such message to each client, and how
-- many clients have theirs in each minute. The tier is compared with the sum of the last 1,440 minutes.
CREATE TABLE chat_reached (
  account_id bigint NOT NULL,
  portfolio_id bigint NOT NULL,
  client text NOT NULL,
  minute integer NOT NULL,
  CONSTRAINT chat_reached_pkey PRIMARY KEY (account_id, portfolio_id, client)
);
CREATE TABLE chat_reach (
  account_id bigint NOT NULL,
  portfolio_id bigint NOT NULL,
  minute integer NOT NULL,
  clients integer NOT NULL,
  CONSTRAINT chat_reach_pkey PRIMARY KEY (account_id, portfolio_id, minute)
);

-- Button and carousel messages of an account in a calendar month of its time zone (year × 12 + month).
CREATE TABLE chat_months (
  account_id bigint NOT NULL,
  month integer NOT NULL,
  messages integer NOT NULL,
  CONSTRAINT chat_months_pkey PRIMARY KEY (account_id, month)
);

-- What clients wrote and pressed.
CREATE TABLE chat_incoming (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  number text NOT NULL,
  client text NOT NULL,
  -- text, button, image, video, document, audio, location, contacts, other
  type text NOT NULL,
  body text NOT NULL,
  -- Of a pressed button: its id, and the card that it was on.
  button_id text,
  card smallint,
  -- Our id of the message that was answered or whose button was pressed, where it is known.
  reply_to bigint,
  platform_id text NOT NULL,
  CONSTRAINT chat_incoming_pkey PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX chat_incoming_client ON chat_incoming (account_id, client, id);

-- The platform's ids of what came in, so that what it brings twice is taken once; kept a month.
CREATE TABLE chat_received (
  account_id bigint NOT NULL,
  platform_id text NOT NULL,
  at bigint NOT NULL,
  CONSTRAINT chat_received_pkey PRIMARY KEY (account_id, platform_id)
);
CREATE INDEX chat_received_at ON chat_received (at);

-- Template campaigns; the id is that of the shipment. The row is leased by the process that makes its messages.
CREATE TABLE chat_campaigns (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  name text,
  number text NOT NULL,
  -- The row of chat_templates.
  template_id bigint NOT NULL,
  -- scheduled, running, paused, cancelled, finished
  state text NOT NULL,
  -- What each message is made of (server/chat/campaign-request.ts).
  request jsonb NOT NULL,
  list_ids bigint[] NOT NULL,
  -- Unique numbers that were asked for.
  total integer NOT NULL,
  -- Whether every recipient has his message, and how far it is until then: the chunk of phones, the list, the contact.
  expanded boolean NOT NULL DEFAULT false,
  phones_chunk integer NOT NULL DEFAULT 0,
  list_index smallint NOT NULL DEFAULT 0,
  after_phone text NOT NULL DEFAULT '',
  -- What is still held of the wallet for recipients without a message.
  held numeric(18,4) NOT NULL,
  due_at bigint NOT NULL,
  lease_owner text,
  lease_until bigint NOT NULL DEFAULT 0,
  turn_at bigint NOT NULL DEFAULT 0,
  created_at bigint NOT NULL,
  finished_at bigint,
  CONSTRAINT chat_campaigns_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT chat_campaigns_held_check CHECK (held >= 0),
  CONSTRAINT chat_campaigns_state_check CHECK (state IN ('scheduled', 'running', 'paused', 'cancelled', 'finished'))
);
CREATE INDEX chat_campaigns_open ON chat_campaigns (turn_at) WHERE state IN ('scheduled', 'running', 'paused');

-- Single numbers of a campaign, in chunks, until they have their messages.
CREATE TABLE chat_campaign_phones (
  account_id bigint NOT NULL,
  campaign_id bigint NOT NULL,
  chunk integer NOT NULL,
  phones text[] NOT NULL,
  CONSTRAINT chat_campaign_phones_pkey PRIMARY KEY (account_id, campaign_id, chunk)
);
