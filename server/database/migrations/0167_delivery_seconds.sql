-- Milliseconds from submission to delivery, of the delivered messages together.
ALTER TABLE delivery_hours ADD COLUMN delivery_ms bigint NOT NULL DEFAULT 0;
