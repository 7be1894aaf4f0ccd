-- Time of the last proof of identity in a session, in milliseconds of the database's clock; null: none, or a session that
-- an earlier version began. Routes that create power or read much require a recent one.
ALTER TABLE sessions ADD COLUMN proven_at bigint;
-- The provider was asked to let the person sign in again, even if they have a session there.
ALTER TABLE sign_in_flows ADD COLUMN reauthenticates boolean NOT NULL DEFAULT false;
