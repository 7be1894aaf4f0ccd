-- Ids of India's DLT platforms: a row for each account that has some.
CREATE TABLE dlt_ids (
  account_id bigint NOT NULL,
  -- Of messages whose sender has no other.
  entity_id text,
  -- DltSender (server/modules/dlt/dlt-ids.ts).
  senders jsonb NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT dlt_ids_pkey PRIMARY KEY (account_id)
);
