-- What a shipment was charged or held for at first has no note; refunds, and charges after a cancellation, have one. They
-- are summed for each campaign that is shown.
CREATE INDEX ledger_shipment_corrections ON ledger (account_id, shipment_id) WHERE note <> '' AND shipment_id IS NOT NULL;
