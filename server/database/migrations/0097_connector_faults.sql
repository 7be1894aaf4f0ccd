-- Why a connector is down, of all protocols: reason, detail and the time since which it is so. `problem` keeps the faults of TLS
-- for the version before.
ALTER TABLE links
  ADD COLUMN fault text,
  ADD COLUMN fault_detail text,
  ADD COLUMN fault_at bigint;
