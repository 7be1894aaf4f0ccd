-- Messages that are read aloud on the telephone: what the calls of a shipment say and how (server/messages/calls.ts). Each
-- call is a row of `messages` with channel 3, without a text of its own unless it is written for one recipient.
ALTER TABLE shipments ADD COLUMN call jsonb;
ALTER TABLE list_sends ADD COLUMN call jsonb;
CREATE INDEX messages_calls ON messages (account_id, id) WHERE channel = 3;
