-- The look-up of networks of numbers: at most one row, with id 1.
CREATE TABLE number_look_ups (
  id smallint NOT NULL,
  -- LookUpSettings (server/protocols/http-carrier/look-up-settings.ts), without the secrets.
  settings jsonb NOT NULL,
  -- Sealed: the secrets as one JSON text.
  secrets bytea NOT NULL,
  is_enabled boolean NOT NULL,
  changed_at bigint NOT NULL,
  -- Requests of a day, counted before they are made: day since the epoch (UTC).
  used_day bigint NOT NULL DEFAULT 0,
  used bigint NOT NULL DEFAULT 0,
  -- ConnectorFault: why the last request failed; null: it did not.
  fault jsonb,
  CONSTRAINT number_look_ups_pkey PRIMARY KEY (id)
);

-- What was looked up: a row for each number, until its validity ends.
CREATE TABLE number_networks (
  -- E.164 digits.
  phone text NOT NULL,
  -- Null: the provider knows no network.
  mcc text,
  mnc text,
  ported boolean,
  reachable boolean,
  valid_until bigint NOT NULL,
  CONSTRAINT number_networks_pkey PRIMARY KEY (phone)
);
CREATE INDEX number_networks_valid_until ON number_networks (valid_until);
