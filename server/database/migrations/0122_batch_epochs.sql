-- Counts the changes of the owner of a lease, so that a process whose lease was taken over and that has leased the batch again does not
-- end it by what it knew before.
ALTER TABLE dispatch_batches ADD COLUMN lease_epoch integer NOT NULL DEFAULT 0;
