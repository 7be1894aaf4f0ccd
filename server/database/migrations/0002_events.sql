-- Where an account wants to hear of what happens. Small, the same on every node.
CREATE TABLE event_endpoints (
  id bigint NOT NULL,
  account_id bigint NOT NULL,
  kind text NOT NULL,
  url text NOT NULL,
  -- Of webhooks; kept as it is, since it signs.
  secret text,
  -- The event types that a webhook wants; null is all.
  types text[],
  state text NOT NULL DEFAULT 'active',
  off_reason text,
  off_at bigint,
  delivered bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  last_success_at bigint,
  last_failure_at bigint,
  -- The first failure after which nothing succeeded.
  failing_since bigint,
  created_at bigint NOT NULL,
  -- When anything but the counters was changed last; processes reload by it.
  changed_at bigint NOT NULL,
  CONSTRAINT event_endpoints_pkey PRIMARY KEY (id),
  CONSTRAINT event_endpoints_url_key UNIQUE (account_id, kind, url),
  CONSTRAINT event_endpoints_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id),
  CONSTRAINT event_endpoints_kind_check CHECK (kind IN ('dlr', 'incoming', 'blacklist', 'webhook')),
  CONSTRAINT event_endpoints_state_check CHECK (state IN ('active', 'off'))
);

-- What happened: the events of one account in one transaction, as a JSON array. Written once, read again only when the
-- process that wrote it is gone, or for a replay.
CREATE TABLE event_batches (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  events text NOT NULL,
  CONSTRAINT event_batches_pkey PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);

-- The batches that are not through: gone when each of their events was taken by each endpoint or has a row in deliveries.
CREATE TABLE event_queue (
  account_id bigint NOT NULL,
  batch_id bigint NOT NULL,
  -- How many events it has.
  count integer NOT NULL,
  lease_owner text,
  lease_until bigint NOT NULL DEFAULT 0,
  CONSTRAINT event_queue_pkey PRIMARY KEY (account_id, batch_id)
);
CREATE INDEX event_queue_lease ON event_queue (lease_until);

-- Deliveries of one event to one endpoint that did not succeed at the first attempt, or were not attempted because
-- the endpoint is slow or down.
CREATE TABLE deliveries (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  endpoint_id bigint NOT NULL,
  -- The id that the receiver sees; the same in every attempt.
  event_key text NOT NULL,
  event text NOT NULL,
  state text NOT NULL,
  attempts smallint NOT NULL,
  next_at bigint NOT NULL,
  give_up_at bigint NOT NULL,
  last_at bigint,
  last_status smallint,
  last_error text,
  -- The first 1,000 characters of the last answer.
  last_answer text,
  CONSTRAINT deliveries_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT deliveries_state_check CHECK (state IN ('retrying', 'failed', 'done'))
) PARTITION BY RANGE (id);
CREATE INDEX deliveries_waiting ON deliveries (account_id, endpoint_id, give_up_at, next_at) WHERE state = 'retrying';
CREATE INDEX deliveries_failed ON deliveries (account_id, endpoint_id, id) WHERE state = 'failed';

-- One row for each endpoint that has retrying deliveries. One process at a time works on an endpoint's backlog.
CREATE TABLE event_backlogs (
  account_id bigint NOT NULL,
  endpoint_id bigint NOT NULL,
  next_at bigint NOT NULL,
  -- Attempts in a row to reach an endpoint that is down.
  probes smallint NOT NULL DEFAULT 0,
  lease_owner text,
  lease_until bigint NOT NULL DEFAULT 0,
  CONSTRAINT event_backlogs_pkey PRIMARY KEY (account_id, endpoint_id)
);
