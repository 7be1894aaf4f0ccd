-- Texts that people answer with, by a short word.
CREATE TABLE saved_replies (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  -- In small letters.
  shortcut text NOT NULL,
  title text NOT NULL,
  text text NOT NULL,
  -- The name of the person who created it; null: a token.
  created_by text,
  -- How often people took it.
  uses integer NOT NULL DEFAULT 0,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT saved_replies_pkey PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX saved_replies_shortcut ON saved_replies (account_id, shortcut);

-- What is done with messages of clients, in the order of the positions.
CREATE TABLE conversation_rules (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  position integer NOT NULL,
  name text NOT NULL,
  enabled boolean NOT NULL,
  -- ConversationRule's conditions and actions (server/conversations/rules.ts).
  rule jsonb NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT conversation_rules_pkey PRIMARY KEY (account_id, id)
);

CREATE TABLE conversation_settings (
  account_id bigint NOT NULL,
  -- {"sunday": ["09:00-17:00"], …}; null: always open.
  hours jsonb,
  -- [{"date": "2027-10-02", "name": "Rosh Hashanah"}]
  closed_dates jsonb NOT NULL,
  -- Null: none is sent.
  away_text text,
  by_turns boolean NOT NULL,
  -- Who takes part in the turns; empty: everybody who answers.
  turn_ids bigint[] NOT NULL,
  -- Whose turn was last.
  last_turn_id bigint,
  -- Days of silence after which a conversation is closed; null: never.
  close_after_days smallint,
  CONSTRAINT conversation_settings_pkey PRIMARY KEY (account_id)
);

-- When the client was told last that nobody answers (milliseconds since the epoch); null: never.
ALTER TABLE conversations ADD COLUMN away_at bigint;

-- What each rule did.
CREATE INDEX conversation_entries_rule ON conversation_entries (account_id, rule_id, id) WHERE kind = 'rule';
