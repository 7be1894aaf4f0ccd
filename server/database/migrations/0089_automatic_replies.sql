-- Countries outside the home country that automatic replies by SMS go to, as `US`.
ALTER TABLE conversation_settings ADD COLUMN reply_countries text[] NOT NULL DEFAULT '{}';
-- Whether an automatic reply was taken from its budget.
ALTER TABLE conversation_tasks ADD COLUMN counted boolean NOT NULL DEFAULT false;
