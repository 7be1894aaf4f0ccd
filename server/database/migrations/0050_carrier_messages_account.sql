-- On a distributed database every unique key has the account. The ids of messages are unique without it, so that the key
-- stays as strict as it was; it is last, since receipts are looked up by the carrier's id.
ALTER TABLE carrier_messages DROP CONSTRAINT carrier_messages_pkey;
ALTER TABLE carrier_messages ADD CONSTRAINT carrier_messages_pkey
  PRIMARY KEY (carrier_id, link, message_id, part, account_id);
