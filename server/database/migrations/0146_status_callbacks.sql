-- Status callbacks: reports about one message to the address that its request named
-- (docs/decisions/0046-http-interfaces.md).
CREATE TABLE status_callbacks (
  account_id bigint NOT NULL,
  -- The id of the message.
  id bigint NOT NULL,
  endpoint_id bigint NOT NULL,
  -- The interface whose form the reports have.
  format text NOT NULL,
  -- JSON: the address, and what the format needs of the request.
  content text NOT NULL,
  -- Key that signs the reports, sealed.
  secret bytea,
  CONSTRAINT status_callbacks_pkey PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);

-- Endpoints that requests name: one for each host.
ALTER TABLE event_endpoints DROP CONSTRAINT event_endpoints_kind_check;
ALTER TABLE event_endpoints ADD CONSTRAINT event_endpoints_kind_check
  CHECK (kind IN ('dlr', 'incoming', 'blacklist', 'webhook', 'callback'));
