-- Programs of accounts that bind to the SMPP server (docs/smpp-server.md). Times are milliseconds since the epoch.
CREATE TABLE smpp_clients (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  system_id text NOT NULL,
  -- Sealed for the id; null when it was lost with its key.
  password bytea,
  name text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  -- Networks from which it may bind; empty: any.
  addresses text[] NOT NULL DEFAULT '{}',
  tls_required boolean NOT NULL DEFAULT false,
  max_binds integer NOT NULL,
  -- 0: no limit.
  messages_per_second integer NOT NULL,
  send_window integer NOT NULL,
  -- Sender of messages without one.
  default_source text,
  -- Senders that it may use, of those of the account; empty: all of them.
  sources text[] NOT NULL DEFAULT '{}',
  -- Alphabet of data_coding 0: gsm or latin1.
  default_alphabet text NOT NULL,
  -- Whether it may send to other countries.
  international boolean NOT NULL DEFAULT false,
  -- Whether it receives the incoming messages of the account.
  incoming boolean NOT NULL DEFAULT true,
  created_at bigint NOT NULL,
  changed_at bigint NOT NULL,
  CONSTRAINT smpp_clients_pkey PRIMARY KEY (id),
  CONSTRAINT smpp_clients_system_id_key UNIQUE (system_id),
  CONSTRAINT smpp_clients_default_alphabet_check CHECK (default_alphabet IN ('gsm', 'latin1'))
);

-- Binds of all processes. A process renews the lease of its binds; a bind counts while it is leased.
CREATE TABLE smpp_binds (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  client_id bigint NOT NULL,
  -- transmitter, receiver or transceiver.
  mode text NOT NULL,
  address text NOT NULL,
  secure boolean NOT NULL,
  interface_version smallint NOT NULL,
  bound_at bigint NOT NULL,
  -- Messages accepted and refused, and the last refusal, at the last renewal.
  accepted bigint NOT NULL DEFAULT 0,
  refused bigint NOT NULL DEFAULT 0,
  last_error text NOT NULL DEFAULT '',
  lease_owner text,
  lease_until bigint NOT NULL DEFAULT 0,
  CONSTRAINT smpp_binds_pkey PRIMARY KEY (account_id, id)
);

-- Messages that clients submitted and whose receipts are not due yet, and parts of long messages that wait for the others.
CREATE TABLE smpp_messages (
  account_id bigint NOT NULL,
  -- Id that the client got: that of the shipment, or of the part.
  id bigint NOT NULL,
  -- E.164 digits.
  phone text NOT NULL,
  client_id bigint NOT NULL,
  -- Null while parts are missing.
  shipment_id bigint,
  -- The addresses as submitted, with TON and NPI, which the receipt repeats.
  source text NOT NULL,
  source_ton smallint NOT NULL,
  source_npi smallint NOT NULL,
  destination text NOT NULL,
  destination_ton smallint NOT NULL,
  destination_npi smallint NOT NULL,
  registered_delivery smallint NOT NULL,
  submitted_at bigint NOT NULL,
  -- Of a part: the group of its message, its place, and its octets in hexadecimal until the message is whole. The text may be sealed.
  part_group bigint,
  part_number smallint,
  part_octets text,
  part_charset text,
  CONSTRAINT smpp_messages_pkey PRIMARY KEY (account_id, id, phone)
);
CREATE INDEX smpp_messages_shipment ON smpp_messages (account_id, shipment_id) WHERE shipment_id IS NOT NULL;
CREATE INDEX smpp_messages_id ON smpp_messages (id);
CREATE INDEX smpp_messages_group ON smpp_messages (account_id, part_group) WHERE part_group IS NOT NULL;

-- Long messages whose parts arrive over all binds of an account. A row is deleted when its message is accepted or given up.
CREATE TABLE smpp_part_groups (
  account_id bigint NOT NULL,
  source text NOT NULL,
  phone text NOT NULL,
  reference integer NOT NULL,
  total smallint NOT NULL,
  id bigint NOT NULL,
  -- When the message is given up.
  expires_at bigint NOT NULL,
  CONSTRAINT smpp_part_groups_pkey PRIMARY KEY (account_id, source, phone, reference, total)
);

-- Receipts and incoming messages that wait for a receiver of the client. A row is deleted when the client acknowledges it.
CREATE TABLE smpp_deliveries (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  client_id bigint NOT NULL,
  -- The number that the receipt is about, or that the message came from, E.164 digits.
  phone text NOT NULL,
  -- JSON of a receipt or an incoming message. May be sealed.
  content text NOT NULL,
  due_at bigint NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  expires_at bigint NOT NULL,
  lease_owner text,
  lease_until bigint NOT NULL DEFAULT 0,
  CONSTRAINT smpp_deliveries_pkey PRIMARY KEY (account_id, id)
);
CREATE INDEX smpp_deliveries_client ON smpp_deliveries (account_id, client_id, id);
CREATE INDEX smpp_deliveries_phone ON smpp_deliveries (account_id, phone);
