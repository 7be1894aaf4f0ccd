-- How far the answers of providers that are polled were stored: a row for each connector and kind of poll.
CREATE TABLE poll_cursors (
  connector text NOT NULL,
  -- reports or incoming
  kind text NOT NULL,
  -- Address of the poll, as its description has it: the cursor of another one means something else.
  url text NOT NULL,
  cursor text NOT NULL,
  changed_at bigint NOT NULL,
  CONSTRAINT poll_cursors_pkey PRIMARY KEY (connector, kind)
);
