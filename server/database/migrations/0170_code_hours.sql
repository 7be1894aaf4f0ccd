-- One-time codes that can no longer be used, by hour of sending, first digits of the number and connector.
CREATE TABLE code_hours (
  account_id bigint NOT NULL,
  -- Since the epoch.
  hour integer NOT NULL,
  prefix text NOT NULL,
  connector text NOT NULL,
  sent integer NOT NULL,
  used integer NOT NULL,
  CONSTRAINT code_hours_pkey PRIMARY KEY (account_id, hour, prefix, connector)
);
