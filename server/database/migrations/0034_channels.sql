-- A batch says which channel its messages are of (server/channels), where the name of its route told before.
ALTER TABLE dispatch_batches ADD COLUMN channel smallint NOT NULL DEFAULT 0;
UPDATE dispatch_batches SET channel = CASE
  WHEN route LIKE 'chat/%' THEN 1 WHEN route LIKE 'mail/%' THEN 2 ELSE 3 END
WHERE route LIKE 'chat/%' OR route LIKE 'mail/%' OR route LIKE 'voice/%';
UPDATE quarantine SET payload = jsonb_set(payload::jsonb, '{end,batch,channel}', to_jsonb(CASE
  WHEN payload::jsonb #>> '{end,batch,route}' LIKE 'chat/%' THEN 1
  WHEN payload::jsonb #>> '{end,batch,route}' LIKE 'mail/%' THEN 2
  WHEN payload::jsonb #>> '{end,batch,route}' LIKE 'voice/%' THEN 3
  ELSE 0 END))::text
WHERE payload::jsonb -> 'end' IS NOT NULL;
ALTER TABLE dispatch_batches ALTER COLUMN channel DROP DEFAULT;

-- What a message says, in the form of the codec of its channel; a recipient may be a number or an address.
ALTER TABLE messages RENAME COLUMN text TO payload;
ALTER TABLE messages RENAME COLUMN phone TO recipient;
ALTER TABLE shipments RENAME COLUMN text TO payload;
