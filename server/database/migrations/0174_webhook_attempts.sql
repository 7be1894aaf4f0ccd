-- Attempts to deliver events: up to 10 a second for each endpoint. Written behind, so a killed process loses the last second.
CREATE TABLE webhook_attempts (
  account_id bigint NOT NULL,
  -- Its time is the end of the attempt.
  id bigint NOT NULL,
  endpoint_id bigint NOT NULL,
  event_key text NOT NULL,
  -- Microseconds.
  duration integer NOT NULL,
  -- Null without a response.
  http_status smallint,
  -- Null if the event was accepted.
  error text,
  -- First 1,000 characters of the response.
  answer text,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX webhook_attempts_event ON webhook_attempts (account_id, event_key);
