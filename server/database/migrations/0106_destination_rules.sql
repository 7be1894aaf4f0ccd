-- Rules of the operator about ranges of numbers: they come before the table that ships. `account_id` 0: for all accounts.
CREATE TABLE destination_rules (
  account_id bigint NOT NULL,
  -- E.164 digits
  prefix text NOT NULL,
  permitted boolean NOT NULL,
  note text NOT NULL,
  changed_at bigint NOT NULL,
  CONSTRAINT destination_rules_pkey PRIMARY KEY (account_id, prefix)
);
