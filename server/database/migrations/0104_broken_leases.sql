-- How often the lease of a batch was broken: its process ended or lost the database before it stored the outcome of all
-- messages. After the first time, `submitting` says whether messages of the batch were submitted under the present lease,
-- and messages with ids up to `submitted_to` may have been submitted.
ALTER TABLE dispatch_batches
  ADD COLUMN breaks smallint NOT NULL DEFAULT 0,
  ADD COLUMN submitting boolean NOT NULL DEFAULT false,
  ADD COLUMN submitted_to bigint NOT NULL DEFAULT 0;
