-- The token or person on whose behalf a row acts after their request; null for the command line and for older rows.
ALTER TABLE alert_rules ADD COLUMN author_token_id bigint, ADD COLUMN author_person_id bigint,
  -- Why a rule that was enabled does not run: 'author' when its author lost the right.
  ADD COLUMN stopped text;
ALTER TABLE conversation_rules ADD COLUMN author_token_id bigint, ADD COLUMN author_person_id bigint,
  ADD COLUMN stopped text;
ALTER TABLE event_endpoints ADD COLUMN author_token_id bigint, ADD COLUMN author_person_id bigint;
ALTER TABLE campaigns ADD COLUMN author_token_id bigint, ADD COLUMN author_person_id bigint;
