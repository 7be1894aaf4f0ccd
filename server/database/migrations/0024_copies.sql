-- How many times each message of message_ids was submitted without an answer; null is never. What may have reached its
-- recipient is not sent again without end (setting MAX_COPIES).
ALTER TABLE dispatch_batches ADD COLUMN copies smallint[];
