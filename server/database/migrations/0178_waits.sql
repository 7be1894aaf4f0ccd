-- Why messages waited (docs/decisions/0051-reasons-of-waits.md). A message that never waits has no row.
CREATE TABLE waits (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  -- The first batch of the messages (messages.batch_id), a shipment, or 0 for all work of the account.
  subject_id bigint NOT NULL,
  -- Messages of the batch that waited; null for all that were left of it.
  message_ids bigint[],
  reason text NOT NULL,
  -- Milliseconds since the epoch. Null until the end is known.
  from_at bigint NOT NULL,
  until_at bigint,
  -- Times of the attempts that failed; null without attempts.
  attempted_at bigint[],
  -- Connector and code of the last attempt.
  connector text,
  code text,
  CONSTRAINT waits_pkey PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX waits_subject ON waits (account_id, subject_id);

-- Times without a connection to a carrier.
CREATE TABLE connector_outages (
  connector text NOT NULL,
  -- Milliseconds since the epoch. Null until the connector is up again.
  from_at bigint NOT NULL,
  until_at bigint,
  CONSTRAINT connector_outages_pkey PRIMARY KEY (connector, from_at)
);
