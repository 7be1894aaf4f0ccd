-- Sends that somebody is composing in the console.
CREATE TABLE drafts (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  -- As of shipments.
  channel smallint NOT NULL,
  title text NOT NULL,
  -- JSON that only the composer reads.
  content text NOT NULL,
  -- Grows with every save.
  version integer NOT NULL,
  -- The name of the person who saved it last; null: a token.
  updated_by text,
  updated_at bigint NOT NULL,
  CONSTRAINT drafts_pkey PRIMARY KEY (account_id, id)
);

-- What a send by SMS or calls was asked for, where its shipment does not tell: one with links or contact lists.
CREATE TABLE kept_requests (
  account_id bigint NOT NULL,
  shipment_id bigint NOT NULL,
  content jsonb NOT NULL,
  CONSTRAINT kept_requests_pkey PRIMARY KEY (account_id, shipment_id)
);
