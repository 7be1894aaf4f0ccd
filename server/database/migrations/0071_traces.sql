-- What a traced message continues: a traceparent, and behind a space the tracestate where there is one (docs/tracing.md). Null,
-- and no byte of the row, for the others.
ALTER TABLE messages ADD COLUMN trace text;

-- What the steps of a campaign are linked to: the trace of the request that asked for it.
ALTER TABLE campaigns ADD COLUMN trace text;
