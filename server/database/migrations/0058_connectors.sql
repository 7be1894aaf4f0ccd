-- Connectors that operators added, and what they changed of configured ones (no settings then).
CREATE TABLE connectors (
  name text CONSTRAINT connectors_pkey PRIMARY KEY,
  -- smpp or sip; null: of a connector of the configuration.
  protocol text,
  -- Without the password, as CARRIERS_FILE would have them.
  settings jsonb,
  -- Sealed; null: it has none, or it was lost with its key.
  password bytea,
  is_enabled boolean NOT NULL,
  -- Messages or calls a second, in place of what the configuration says. Null: as configured.
  send_limit real,
  changed_at bigint NOT NULL
);

-- Routes that operators added: one for each prefix, before those of the configuration.
CREATE TABLE carrier_routes (
  id bigint CONSTRAINT carrier_routes_pkey PRIMARY KEY,
  prefix text NOT NULL CONSTRAINT carrier_routes_prefix_key UNIQUE,
  -- [{"connector", "priority", "weight"}]
  connectors jsonb NOT NULL,
  changed_at bigint NOT NULL
);

-- Names of routes that were removed: messages may still wait on them.
CREATE TABLE retired_routes (
  name text CONSTRAINT retired_routes_pkey PRIMARY KEY,
  retired_at bigint NOT NULL
);
