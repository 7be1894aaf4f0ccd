-- What an accepted send still has to make of contact lists: a row for each of its texts that goes to lists. The row is
-- leased by the process that works on it, and gone when the last contact has its message.
CREATE TABLE list_sends (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  shipment_id bigint NOT NULL,
  source text NOT NULL,
  text text NOT NULL,
  -- Whether the shipment's text is this one, so that its messages need none of their own.
  is_shared boolean NOT NULL,
  dynamic boolean NOT NULL,
  removal boolean NOT NULL,
  link_ids bigint[] NOT NULL,
  link_keys text[] NOT NULL,
  international boolean NOT NULL,
  recent_days smallint,
  list_ids bigint[] NOT NULL,
  -- The messages of the shipment that went to single phones with this text.
  phones_from bigint NOT NULL,
  phones_to bigint NOT NULL,
  -- All messages of this text to lists have larger ids, and no others of the shipment; null while due_at is.
  started_id bigint,
  -- How far it is.
  list_index smallint NOT NULL DEFAULT 0,
  after_phone text NOT NULL DEFAULT '',
  -- Contacts that are left, as far as known; and what is still held of the wallet for them.
  expected bigint NOT NULL,
  held numeric(18,4) NOT NULL,
  -- Null: not before the shipment's earlier one is through.
  due_at bigint,
  lease_owner text,
  lease_until bigint NOT NULL DEFAULT 0,
  -- When it last had its turn: the one that waits longest is next.
  turn_at bigint NOT NULL DEFAULT 0,
  CONSTRAINT list_sends_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT list_sends_held_check CHECK (held >= 0)
);
CREATE INDEX list_sends_turn ON list_sends (turn_at) WHERE due_at IS NOT NULL;
CREATE INDEX list_sends_shipment ON list_sends (account_id, shipment_id, id);
