-- What the console shows of many messages at once, and what finds one of them.

-- Messages by the hour in which they were accepted (hours since the epoch, UTC), counted again from the messages whenever
-- one of the hour has changed (server/messages/hours.ts): never added to, so that counting twice does no harm.
CREATE TABLE message_hours (
  account_id bigint NOT NULL,
  hour integer NOT NULL,
  channel smallint NOT NULL,
  -- That a carrier took, whatever became of them then.
  taken integer NOT NULL,
  waiting integer NOT NULL,
  handed_over integer NOT NULL,
  delivered integer NOT NULL,
  read integer NOT NULL,
  failed integer NOT NULL,
  cancelled integer NOT NULL,
  parts bigint NOT NULL,
  -- What they cost, less what was given back.
  spent numeric(18,4) NOT NULL,
  counted_at bigint NOT NULL,
  CONSTRAINT message_hours_pkey PRIMARY KEY (account_id, hour, channel)
);

-- Hours with messages that have changed since they were counted.
CREATE TABLE message_hours_changed (
  account_id bigint NOT NULL,
  hour integer NOT NULL,
  CONSTRAINT message_hours_changed_pkey PRIMARY KEY (account_id, hour)
);

-- Messages of large shipments by what became of them, as they were last counted (server/messages/shipment-progress.ts).
CREATE TABLE shipment_counts (
  account_id bigint NOT NULL,
  shipment_id bigint NOT NULL,
  -- [{state, status, code, handed_over, count}]
  counts jsonb NOT NULL,
  counted_at bigint NOT NULL,
  CONSTRAINT shipment_counts_pkey PRIMARY KEY (account_id, shipment_id)
);

-- Sends to many, or with a name, among those of one message each. Written with such a send alone, and never again: lane
-- and name do not change.
CREATE INDEX shipments_sends ON shipments (account_id, id) WHERE lane = 2 OR campaign_name IS NOT NULL;

-- The carrier's ids of a message. The table is appended to nearly in the order of message_id, so that a few numbers for
-- each 128 pages find it; a B-tree would be one more place to write at for each part that is handed over.
CREATE INDEX carrier_messages_message ON carrier_messages USING brin (message_id int8_minmax_multi_ops)
  WITH (autosummarize = on);

-- What became of the pushes of one message. Written where a push was not taken at the first attempt.
CREATE INDEX deliveries_event ON deliveries (account_id, event_key);
