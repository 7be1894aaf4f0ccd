-- The ID token of the sign-in, sealed: a provider that is told to sign the person out knows by it whose session is meant.
-- NULL without a provider, of one that offers no end of session, and of a token that is too long for an address.
ALTER TABLE sessions ADD COLUMN provider_id_token bytea;
