-- Short links of messages. (The table `links` is about carriers.)

-- A link of a shipment: `[link-<key>]` of its text stands for `url`.
CREATE TABLE short_links (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  shipment_id bigint NOT NULL,
  key text NOT NULL,
  url text NOT NULL,
  CONSTRAINT short_links_pkey PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX short_links_shipment ON short_links (account_id, shipment_id);

-- Every recipient's code of every link, and of the page of removal (link_id null). Distributed by `number`, which is the
-- code before it is ciphered: all that is known when someone follows it. Numbers of a month are its own and growing, so
-- that the index is written at one end and the month is dropped whole.
CREATE TABLE link_codes (
  number bigint NOT NULL,
  account_id bigint NOT NULL,
  shipment_id bigint NOT NULL,
  message_id bigint NOT NULL,
  link_id bigint,
  language text NOT NULL,
  CONSTRAINT link_codes_pkey PRIMARY KEY (number)
) PARTITION BY RANGE (number);

-- A row a month: how many of its numbers were given to processes. Small, the same on every node.
CREATE TABLE link_code_numbers (
  floor bigint NOT NULL,
  next bigint NOT NULL,
  CONSTRAINT link_code_numbers_pkey PRIMARY KEY (floor)
);

-- Every time that a short link was followed; the id says when.
CREATE TABLE clicks (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  shipment_id bigint NOT NULL,
  link_id bigint NOT NULL,
  message_id bigint NOT NULL,
  -- 0 a person, 1 a program that shows a preview, 2 another program
  visitor smallint NOT NULL,
  CONSTRAINT clicks_pkey PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX clicks_shipment ON clicks (account_id, shipment_id, message_id, link_id) INCLUDE (id, visitor);
