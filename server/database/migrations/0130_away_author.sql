-- The token or person who set the away message; null for the command line and for older rows.
ALTER TABLE conversation_settings ADD COLUMN author_token_id bigint, ADD COLUMN author_person_id bigint,
  -- Why the away message is not sent: 'author' when its author lost the right.
  ADD COLUMN away_stopped text;
