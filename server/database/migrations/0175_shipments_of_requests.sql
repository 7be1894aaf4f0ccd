-- Ids of the shipments that a request made; null for none.
ALTER TABLE request_log ADD COLUMN shipments bigint[];
