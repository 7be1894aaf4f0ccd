-- A send of SMS that is paused: since when. Campaigns of chat have a state of their own.
ALTER TABLE shipments ADD COLUMN paused_at bigint;
CREATE INDEX shipments_paused ON shipments (account_id, id) WHERE paused_at IS NOT NULL;

-- Work that is kept back (PAUSED_AT of server/messages/batch-cutter.ts), to find what goes on again.
CREATE INDEX dispatch_batches_paused ON dispatch_batches (account_id, held_shipment_id)
  WHERE due_at = 9007199254740991;
