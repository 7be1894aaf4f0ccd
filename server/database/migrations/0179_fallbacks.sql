-- Sends that send by another channel what fails on the first (docs/decisions/0052-fallback-channel.md).
CREATE TABLE fallbacks (
  account_id bigint NOT NULL,
  -- The shipment whose messages are replaced.
  id bigint NOT NULL,
  -- Channel of the messages that replace them.
  channel smallint NOT NULL,
  -- Milliseconds after the submission of a message without a delivery.
  after_ms bigint NOT NULL,
  -- What the other channel sends, as JSON; it may be encrypted. Null when the fallback has ended.
  content text,
  -- All messages of the shipment below this id are decided.
  place bigint NOT NULL,
  -- open or ended
  state text NOT NULL DEFAULT 'open',
  -- Why it waits, or why it ended early, and since when it waits in milliseconds since the epoch.
  reason text,
  blocked_at bigint,
  CONSTRAINT fallbacks_pkey PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);

-- Messages that another channel replaces, or could not replace: each at most once.
CREATE TABLE fallback_messages (
  account_id bigint NOT NULL,
  -- The message.
  id bigint NOT NULL,
  -- Its shipment.
  fallback_of bigint NOT NULL,
  -- The shipment that replaces it; null: the other channel refused the recipient.
  shipment_id bigint,
  CONSTRAINT fallback_messages_pkey PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);

-- The shipment whose messages this one replaces.
ALTER TABLE shipments ADD COLUMN fallback_of bigint;
