-- Until when another process asks for a link whose holder cannot reach the carrier. 0: no process does.
ALTER TABLE links ADD COLUMN awaited_until bigint NOT NULL DEFAULT 0;
