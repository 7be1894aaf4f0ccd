-- What API tokens may be used for (server/access/scopes.ts), and which token made them.
ALTER TABLE tokens
  ADD COLUMN scopes text[] NOT NULL DEFAULT '{}',
  -- The token that asked for it by getApiToken: it is revoked with that one.
  ADD COLUMN made_by bigint;
-- Tokens from before scopes keep sending and reading, and lose people, tokens and webhooks.
UPDATE tokens SET scopes = '{send,read,contacts,codes,billing}' WHERE kind = 'api';
ALTER TABLE tokens ADD CONSTRAINT tokens_scopes_check
  CHECK (scopes <@ ARRAY['send', 'read', 'contacts', 'codes', 'webhooks', 'billing']);
CREATE INDEX tokens_made_by ON tokens (made_by) WHERE made_by IS NOT NULL;
