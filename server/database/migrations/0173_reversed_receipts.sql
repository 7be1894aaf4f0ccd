-- Whether a receipt makes its message one that was never submitted, like a call that nobody answered (CarrierReceipt).
ALTER TABLE early_receipts ADD COLUMN is_reversed boolean NOT NULL DEFAULT false;
