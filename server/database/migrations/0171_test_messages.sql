-- Connectors over which operators have sent test messages. Such messages wait on the route `only/` and the name of the connector.
CREATE TABLE only_routes (
  connector text NOT NULL,
  made_at bigint NOT NULL,
  CONSTRAINT only_routes_pkey PRIMARY KEY (connector)
);

-- Test messages that operators sent over one connector, for a day.
CREATE TABLE test_messages (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  shipment_id bigint NOT NULL,
  connector text NOT NULL,
  phone text NOT NULL,
  -- The operator.
  person_id bigint NOT NULL,
  -- Number of exchanges with the provider; 0 for a connector without a record of them.
  attempts integer NOT NULL DEFAULT 0,
  -- RecordedExchange (server/protocols/http-carrier/recording.ts) of the last one as JSON, without secrets. It contains the text,
  -- and is stored as texts are.
  exchange text,
  CONSTRAINT test_messages_pkey PRIMARY KEY (id)
);
