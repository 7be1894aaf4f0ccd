-- Routes that operators added, in order: a message takes the first one whose conditions it fulfils.
CREATE TABLE routing_rules (
  id bigint CONSTRAINT routing_rules_pkey PRIMARY KEY,
  -- Under this name messages wait. A new one when the conditions change.
  name text NOT NULL CONSTRAINT routing_rules_name_key UNIQUE,
  title text NOT NULL,
  place integer NOT NULL,
  -- {"prefixes", "accounts", "senders", "kinds", "hours"}; all but the prefixes may be absent.
  conditions jsonb NOT NULL,
  -- [{"connector", "priority", "weight", "price"}]
  connectors jsonb NOT NULL,
  -- {"by": priority or cheapest, "minDelivered", "explore"}
  choice jsonb NOT NULL,
  -- {"codes", "throttledSeconds", "silentSeconds"}: when messages go over another connector.
  leave jsonb NOT NULL,
  changed_at bigint NOT NULL
);

-- The longest prefix decided.
INSERT INTO routing_rules (id, name, title, place, conditions, connectors, choice, leave, changed_at)
SELECT id, 'to/' || prefix, '', row_number() OVER (ORDER BY length(prefix) DESC, prefix),
  jsonb_build_object('prefixes', jsonb_build_array(prefix)), connectors, '{"by": "priority"}',
  '{"codes": []}', changed_at
FROM carrier_routes;
