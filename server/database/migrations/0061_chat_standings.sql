-- How the chat platform says that a portfolio, or one of its business numbers, stands: the last word about each topic.
CREATE TABLE chat_standings (
  portfolio_id bigint NOT NULL,
  -- Empty: the portfolio as a whole.
  phone text NOT NULL,
  topic text NOT NULL,
  account_id bigint NOT NULL,
  -- The platform's words for how it stands, and for why.
  word text NOT NULL,
  reason text NOT NULL,
  -- [{"type", "until"}], until null for good.
  restrictions jsonb NOT NULL,
  -- When the platform told it, so that an older or repeated notice changes nothing.
  told_at bigint NOT NULL,
  CONSTRAINT chat_standings_pkey PRIMARY KEY (portfolio_id, phone, topic)
);

-- The platform's rating of a template by what its recipients report, and the category that it is to have.
ALTER TABLE chat_templates ADD COLUMN quality text NOT NULL DEFAULT 'UNKNOWN',
  ADD COLUMN quality_told_at bigint NOT NULL DEFAULT 0,
  ADD COLUMN next_category text,
  ADD COLUMN category_changes_at bigint,
  ADD COLUMN category_told_at bigint NOT NULL DEFAULT 0;

-- Whether clients whose number is not known want no marketing messages: the blacklist has numbers alone.
CREATE TABLE chat_stops (
  account_id bigint NOT NULL,
  user_id text NOT NULL,
  is_stopped boolean NOT NULL,
  -- When they said so.
  at bigint NOT NULL,
  CONSTRAINT chat_stops_pkey PRIMARY KEY (account_id, user_id)
);
