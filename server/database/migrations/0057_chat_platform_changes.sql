-- When the platform told the tier, so that an older or repeated notice changes nothing.
ALTER TABLE chat_portfolios ADD COLUMN tier_told_at bigint NOT NULL DEFAULT 0;

-- A message that was written on the phone of the business number: it stands in the conversation, and went out.
ALTER TABLE chat_incoming ADD COLUMN is_echo boolean NOT NULL DEFAULT false;
