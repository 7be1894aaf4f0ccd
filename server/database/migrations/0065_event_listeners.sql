-- Accounts whose events are stored although no endpoint wants them: a program reads them as a stream.
CREATE TABLE event_listeners (
  account_id bigint NOT NULL,
  -- Milliseconds since the epoch.
  until bigint NOT NULL,
  CONSTRAINT event_listeners_pkey PRIMARY KEY (account_id),
  CONSTRAINT event_listeners_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id)
);
