-- Background work of every kind: waiting, running or abandoned. A row is deleted when its work is done; the table of its kind has
-- the result.
CREATE TABLE work (
  -- 0: the operator.
  account_id bigint NOT NULL,
  -- A kind of a Worker (server/work/worker.ts).
  kind text NOT NULL,
  -- Id of the row that it is about, or 0 where an account has one item of the kind.
  key bigint NOT NULL,
  state text NOT NULL DEFAULT 'waiting',
  -- When the next attempt is due, by the clock of the service. Other times are milliseconds since the epoch, too.
  due_at bigint NOT NULL,
  -- Another attempt that was asked for during this one.
  again_at bigint,
  -- The process that works on it until lease_until, by the database's clock. Each claim has a new epoch.
  lease_owner text,
  lease_until bigint NOT NULL DEFAULT 0,
  lease_epoch integer NOT NULL DEFAULT 0,
  -- Attempts since the last success, with the running one.
  attempts integer NOT NULL DEFAULT 0,
  -- Why the last attempt failed; empty for no failure.
  last_error text NOT NULL DEFAULT '',
  created_at bigint NOT NULL,
  CONSTRAINT work_pkey PRIMARY KEY (account_id, kind, key),
  CONSTRAINT work_state_check CHECK (state IN ('waiting', 'failed'))
);
CREATE INDEX work_due ON work (kind, due_at) WHERE state = 'waiting';
