-- What is demanded of all people of an account. A small table, the same on every node; no row: nothing is demanded.
CREATE TABLE people_rules (
  -- 0: of the operator's people.
  account_id bigint NOT NULL,
  -- Whether people without a second factor may do nothing but set one up.
  second_factor_required boolean NOT NULL,
  CONSTRAINT people_rules_pkey PRIMARY KEY (account_id)
);
