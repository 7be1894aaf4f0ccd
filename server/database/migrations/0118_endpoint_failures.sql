-- The last failed attempt at an endpoint, for operators: the HTTP status, if there was an answer, and the error.
ALTER TABLE event_endpoints
  ADD COLUMN last_failure_status smallint,
  ADD COLUMN last_failure_error text;
