-- Accounts whose waiting work rests since they are suspended, until all of it was resumed or cancelled. Without a row an account
-- has no work that rests.
CREATE TABLE account_holds (
  account_id bigint NOT NULL,
  -- Since when it rests, in milliseconds since the epoch.
  held_at bigint NOT NULL,
  -- When the suspension was lifted; null while the account is suspended.
  resumed_at bigint,
  -- When the operator asked for all that waits to be cancelled, and when that was done.
  cancel_at bigint,
  cancelled_at bigint,
  CONSTRAINT account_holds_pkey PRIMARY KEY (account_id)
);
