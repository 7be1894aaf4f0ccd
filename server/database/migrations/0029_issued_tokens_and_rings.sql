-- The account that asked for a token by `getApiToken`; null: a person made it. A later token may retire one of the former,
-- never one of the latter, and those that a password made end with the password (server/accounts/tokens.ts).
ALTER TABLE tokens ADD COLUMN issued_by bigint;
UPDATE tokens t SET issued_by = m.account_id FROM tokens m WHERE t.kind = 'api' AND m.id = t.made_by;
CREATE INDEX tokens_issued_by_password ON tokens (issued_by) WHERE issued_by IS NOT NULL AND made_by IS NULL;

-- How many times each message of message_ids rang at somebody without an answer; null is never. What rings is tried a few
-- times only (setting VOICE_ATTEMPTS); a trunk without capacity rings nowhere and is not counted.
ALTER TABLE dispatch_batches ADD COLUMN rings smallint[];
