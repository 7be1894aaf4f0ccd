-- Messages of SMPP clients that replace_sm replaced: the shipment that an id stands for since then.
CREATE TABLE smpp_replaced (
  account_id bigint NOT NULL,
  -- Id that the client got for the first message.
  id bigint NOT NULL,
  shipment_id bigint NOT NULL,
  CONSTRAINT smpp_replaced_pkey PRIMARY KEY (account_id, id)
);
