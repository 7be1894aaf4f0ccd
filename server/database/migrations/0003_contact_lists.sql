-- Contact lists. Names need not be unique. A list that was removed is gone for everyone at once; its contacts are deleted
-- in the background, and the row last.
CREATE TABLE contact_lists (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  name text NOT NULL,
  -- Names of the dynamic fields df1 to df6 in their order, as far as known; '' is a field without a name.
  columns text[] NOT NULL DEFAULT '{}',
  -- The highest dynamic field that a contact of the list ever had, 0 to 6.
  width smallint NOT NULL DEFAULT 0,
  -- Kept exact by every statement that adds or removes contacts, under this row's lock.
  count bigint NOT NULL DEFAULT 0,
  created_at bigint NOT NULL,
  removed_at bigint,
  CONSTRAINT contact_lists_pkey PRIMARY KEY (account_id, id)
);
CREATE INDEX contact_lists_removed ON contact_lists (removed_at) WHERE removed_at IS NOT NULL;

CREATE TABLE contacts (
  account_id bigint NOT NULL,
  list_id bigint NOT NULL,
  phone text NOT NULL,
  df1 text,
  df2 text,
  df3 text,
  df4 text,
  df5 text,
  df6 text,
  CONSTRAINT contacts_pkey PRIMARY KEY (account_id, list_id, phone)
);

-- Imports and exports of contacts as CSV: work in the background that goes on after a restart where it stood. A row is
-- leased by the process that works on it; what is done and how far it is are written in one transaction.
CREATE TABLE csv_jobs (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  kind text NOT NULL,
  list_id bigint NOT NULL,
  state text NOT NULL,
  -- Why it failed, in words for the account.
  problem text,
  -- Size of the file, as far as it is there.
  bytes bigint NOT NULL DEFAULT 0,
  -- How many chunks of the file are there.
  chunks integer NOT NULL DEFAULT 0,
  -- Import: the byte at which the next row begins, and the number of its line.
  position bigint NOT NULL DEFAULT 0,
  line bigint NOT NULL DEFAULT 1,
  -- Import: separator and what each field of a row is.
  layout jsonb,
  -- Export: the last phone written.
  after_phone text NOT NULL DEFAULT '',
  -- Rows read or written; of those read, how many were added, were in the list before, or could not be used.
  rows bigint NOT NULL DEFAULT 0,
  added bigint NOT NULL DEFAULT 0,
  present bigint NOT NULL DEFAULT 0,
  refused bigint NOT NULL DEFAULT 0,
  created_at bigint NOT NULL,
  finished_at bigint,
  lease_owner text,
  lease_until bigint NOT NULL DEFAULT 0,
  -- When it last had its turn: the one that waits longest is next.
  turn_at bigint NOT NULL DEFAULT 0,
  CONSTRAINT csv_jobs_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT csv_jobs_kind_check CHECK (kind IN ('import', 'export')),
  CONSTRAINT csv_jobs_state_check CHECK (state IN ('receiving', 'waiting', 'running', 'done', 'stopped', 'failed'))
);
CREATE INDEX csv_jobs_open ON csv_jobs (turn_at) WHERE finished_at IS NULL;
CREATE INDEX csv_jobs_finished ON csv_jobs (finished_at) WHERE finished_at IS NOT NULL;

-- The file of a job. Of an import every chunk but the last has the same size, so that a byte's chunk is known.
CREATE TABLE csv_chunks (
  account_id bigint NOT NULL,
  job_id bigint NOT NULL,
  sequence integer NOT NULL,
  data bytea NOT NULL,
  CONSTRAINT csv_chunks_pkey PRIMARY KEY (account_id, job_id, sequence)
);

-- Rows of a file that could not be used: those of one transaction in one row, reasons as numbers
-- (server/audience/csv-refusals.ts), since a bad file has millions.
CREATE TABLE csv_refusals (
  account_id bigint NOT NULL,
  job_id bigint NOT NULL,
  first_line bigint NOT NULL,
  lines bigint[] NOT NULL,
  reasons smallint[] NOT NULL,
  CONSTRAINT csv_refusals_pkey PRIMARY KEY (account_id, job_id, first_line)
);
