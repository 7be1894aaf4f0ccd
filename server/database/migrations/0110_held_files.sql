-- The files that accounts hold are counted for their budget (server/budgets/kinds.ts, `files`).
CREATE INDEX media_held ON media (account_id) INCLUDE (size) WHERE size IS NOT NULL;
