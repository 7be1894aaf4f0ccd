-- Rules that every table here keeps, so that the same statements also run distributed by account_id (docs/architecture.md,
-- "Distributed by account"): the primary key of a big table starts with account_id, constraints are named, no triggers, no
-- sequences, no unique key without the account but in small tables. Times are milliseconds since the epoch; ids are made
-- by the program (server/ids.ts) and grow with time, which is what the partitions are cut by.

-- Small tables, the same on every node ---------------------------------------------------------------------------------

CREATE TABLE accounts (
  id bigint NOT NULL,
  parent_id bigint,
  username text NOT NULL,
  name text NOT NULL,
  suspended boolean NOT NULL DEFAULT false,
  password_hash text,
  -- Whether user.password is taken in the place of a token.
  password_sign_in boolean NOT NULL DEFAULT false,
  default_source text,
  otp_phone text,
  time_zone text,
  -- CIDR blocks that calls may come from; empty is anywhere.
  addresses text[] NOT NULL DEFAULT '{}',
  created_at bigint NOT NULL,
  CONSTRAINT accounts_pkey PRIMARY KEY (id),
  CONSTRAINT accounts_parent_fkey FOREIGN KEY (parent_id) REFERENCES accounts (id)
);
CREATE UNIQUE INDEX accounts_username_key ON accounts (lower(username));
CREATE INDEX accounts_parent ON accounts (parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLE tokens (
  id bigint NOT NULL,
  -- SHA-256 of the token; the token itself is shown once and kept nowhere.
  digest bytea NOT NULL,
  account_id bigint NOT NULL,
  label text NOT NULL DEFAULT '',
  created_at bigint NOT NULL,
  expires_at bigint,
  revoked_at bigint,
  CONSTRAINT tokens_pkey PRIMARY KEY (id),
  CONSTRAINT tokens_digest_key UNIQUE (digest),
  CONSTRAINT tokens_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)
);
CREATE INDEX tokens_account ON tokens (account_id);

-- The price of one part to a destination prefix; account 0 is everyone's.
CREATE TABLE prices (
  account_id bigint NOT NULL,
  channel text NOT NULL,
  prefix text NOT NULL,
  price numeric(12,4) NOT NULL CONSTRAINT prices_price_check CHECK (price >= 0),
  CONSTRAINT prices_pkey PRIMARY KEY (account_id, channel, prefix)
);

-- Which account an incoming message belongs to, by the number it was sent to.
CREATE TABLE inbound_numbers (
  number text NOT NULL,
  account_id bigint NOT NULL,
  CONSTRAINT inbound_numbers_pkey PRIMARY KEY (number),
  CONSTRAINT inbound_numbers_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)
);

-- Who is running; the number is part of the ids that the process makes.
CREATE TABLE processes (
  number smallint NOT NULL,
  boot text NOT NULL,
  seen_at bigint NOT NULL,
  CONSTRAINT processes_pkey PRIMARY KEY (number)
);

-- Links to carriers: who holds them, and what was learned about them.
CREATE TABLE links (
  name text NOT NULL,
  lease_owner text,
  lease_until bigint NOT NULL DEFAULT 0,
  -- How the message ids of receipts relate to those of submit answers, once a receipt has shown it.
  id_form text,
  CONSTRAINT links_pkey PRIMARY KEY (name)
);

CREATE TABLE state (
  key text NOT NULL,
  value jsonb NOT NULL,
  CONSTRAINT state_pkey PRIMARY KEY (key)
);

-- Tables by account ----------------------------------------------------------------------------------------------------

CREATE TABLE wallets (
  account_id bigint NOT NULL,
  balance numeric(18,4) NOT NULL DEFAULT 0,
  CONSTRAINT wallets_pkey PRIMARY KEY (account_id),
  CONSTRAINT wallets_balance_check CHECK (balance >= 0)
);

-- Every movement of a wallet; the sum of an account's rows is its balance. Not dropped with time: it is its proof.
CREATE TABLE ledger (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  kind text NOT NULL,
  amount numeric(18,4) NOT NULL,
  shipment_id bigint,
  peer_id bigint,
  note text NOT NULL DEFAULT '',
  at bigint NOT NULL,
  CONSTRAINT ledger_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT ledger_kind_check CHECK (kind IN ('topup', 'hold', 'release', 'charge', 'refund', 'transfer'))
);

CREATE TABLE sources (
  account_id bigint NOT NULL,
  -- Digits of a number (E.164) or a sender name in lower case.
  source text NOT NULL,
  assigned_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT sources_pkey PRIMARY KEY (account_id, source)
);

CREATE TABLE blacklist (
  account_id bigint NOT NULL,
  phone text NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT blacklist_pkey PRIMARY KEY (account_id, phone)
);
CREATE INDEX blacklist_created ON blacklist (account_id, created_at);

-- Who was taken off the blacklist and why: the reason is asked for, so it is kept.
CREATE TABLE blacklist_removals (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  phones text[] NOT NULL,
  reason text NOT NULL,
  at bigint NOT NULL,
  CONSTRAINT blacklist_removals_pkey PRIMARY KEY (account_id, id)
);

CREATE TABLE shipments (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  lane smallint NOT NULL,
  -- 0 scheduled (its cost is held), 1 running, 2 cancelled
  state smallint NOT NULL,
  campaign_name text,
  -- What its messages have where they have no text of their own.
  text text,
  message_count integer NOT NULL,
  cost numeric(18,4) NOT NULL,
  first_id bigint NOT NULL,
  last_id bigint NOT NULL,
  due_at bigint NOT NULL,
  valid_until bigint NOT NULL,
  CONSTRAINT shipments_pkey PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX shipments_campaign ON shipments (account_id, campaign_name, id) WHERE campaign_name IS NOT NULL;

CREATE TABLE messages (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  shipment_id bigint NOT NULL,
  batch_id bigint NOT NULL,
  phone text NOT NULL,
  source text NOT NULL,
  text text,
  external_id text,
  parts smallint NOT NULL,
  price numeric(12,4) NOT NULL,
  status smallint NOT NULL DEFAULT -1,
  handed_at bigint,
  final_at bigint,
  link text,
  -- The network's own word for the last thing that happened.
  code text,
  -- One bit for each part that was reported delivered.
  delivered_parts integer NOT NULL DEFAULT 0,
  CONSTRAINT messages_pkey PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX messages_phone ON messages (account_id, phone, id);
CREATE INDEX messages_external ON messages (account_id, external_id, id) WHERE external_id IS NOT NULL;

-- Work to do. A row stands for up to 500 messages of one lane and route: those between first_id and last_id that carry its
-- id, or for a later attempt those listed in message_ids. It is leased whole, and gone when all its messages have a result.
CREATE TABLE dispatch_batches (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  lane smallint NOT NULL,
  route text NOT NULL,
  due_at bigint NOT NULL,
  lease_owner text,
  lease_until bigint NOT NULL DEFAULT 0,
  attempt smallint NOT NULL DEFAULT 0,
  first_id bigint NOT NULL,
  last_id bigint NOT NULL,
  message_ids bigint[],
  count integer NOT NULL,
  -- Set while the cost of a scheduled shipment is held.
  held_shipment_id bigint,
  CONSTRAINT dispatch_batches_pkey PRIMARY KEY (account_id, id)
);
CREATE INDEX dispatch_batches_due ON dispatch_batches (lane, account_id, due_at);

CREATE TABLE incoming (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  source text NOT NULL,
  destination text NOT NULL,
  text text NOT NULL,
  CONSTRAINT incoming_pkey PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);

-- Tables by carrier ----------------------------------------------------------------------------------------------------

-- Which message a carrier's id means. Appended with the result of submit, read by receipts, dropped by time.
CREATE TABLE carrier_messages (
  carrier_id text NOT NULL,
  link text NOT NULL,
  message_id bigint NOT NULL,
  part smallint NOT NULL,
  account_id bigint NOT NULL,
  phone text NOT NULL,
  CONSTRAINT carrier_messages_pkey PRIMARY KEY (carrier_id, link, message_id, part)
) PARTITION BY RANGE (message_id);

-- Receipts whose message is not known (yet).
CREATE TABLE early_receipts (
  link text NOT NULL,
  id bigint NOT NULL,
  carrier_id text NOT NULL,
  destination text NOT NULL,
  status smallint NOT NULL,
  code text NOT NULL,
  next_at bigint NOT NULL,
  attempt smallint NOT NULL DEFAULT 0,
  CONSTRAINT early_receipts_pkey PRIMARY KEY (link, id)
);
CREATE INDEX early_receipts_next ON early_receipts (next_at);

-- Parts of long incoming messages until all are there.
CREATE TABLE incoming_parts (
  link text NOT NULL,
  source text NOT NULL,
  destination text NOT NULL,
  reference integer NOT NULL,
  total smallint NOT NULL,
  sequence smallint NOT NULL,
  text text NOT NULL,
  at bigint NOT NULL,
  CONSTRAINT incoming_parts_pkey PRIMARY KEY (link, source, destination, reference, total, sequence)
);
