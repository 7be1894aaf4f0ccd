-- When people are told that something is wrong. Account 0 is the operator.
CREATE TABLE alert_rules (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  name text NOT NULL,
  -- A kind of server/alerts/conditions/index.ts, with its thresholds.
  kind text NOT NULL,
  thresholds jsonb NOT NULL,
  enabled boolean NOT NULL,
  -- How long the condition holds before people are told, is gone before they are told that, and how long they are not told
  -- again of the same subject.
  for_minutes integer NOT NULL,
  clear_minutes integer NOT NULL,
  pause_minutes integer NOT NULL,
  -- AlertRecipients (server/alerts/rules.ts).
  recipients jsonb NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT alert_rules_pkey PRIMARY KEY (account_id, id)
);

-- A condition that holds for a subject (a connector, a prefix, a webhook), or did.
CREATE TABLE alert_incidents (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  rule_id bigint NOT NULL,
  rule_name text NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  measured jsonb NOT NULL,
  -- Milliseconds since the epoch: since when it holds, and when it was seen last.
  held_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  -- When it had held for as long as the rule says; null: not yet.
  began_at bigint,
  ended_at bigint,
  -- When people were to be told that it began; null: not, since they were told of the subject a short time ago.
  told_at bigint,
  CONSTRAINT alert_incidents_pkey PRIMARY KEY (account_id, id)
);
CREATE UNIQUE INDEX alert_incidents_open ON alert_incidents (rule_id, subject) WHERE ended_at IS NULL;
CREATE INDEX alert_incidents_subject ON alert_incidents (rule_id, subject, id);

-- What one recipient is told: stored with the beginning or end of the incidents.
CREATE TABLE alert_notifications (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  rule_id bigint NOT NULL,
  rule_name text NOT NULL,
  phase text NOT NULL,
  means text NOT NULL,
  -- A mail address, a phone (E.164 digits); '' for webhooks.
  recipient text NOT NULL,
  language text NOT NULL,
  incident_ids bigint[] NOT NULL,
  -- ToldAlert (server/alerts/notifications.ts).
  alerts jsonb NOT NULL,
  -- Whose SMS or webhooks it is told by.
  sender_id bigint NOT NULL,
  state text NOT NULL,
  attempts smallint NOT NULL DEFAULT 0,
  -- When it is tried next; while a process tries, when others may.
  due_at bigint NOT NULL,
  -- Why it was not told, or could not be yet.
  problem text,
  -- Of an SMS: the message.
  message_id bigint,
  settled_at bigint,
  created_at bigint NOT NULL,
  CONSTRAINT alert_notifications_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT alert_notifications_phase_check CHECK (phase IN ('began', 'ended', 'test')),
  CONSTRAINT alert_notifications_means_check CHECK (means IN ('mail', 'sms', 'webhook')),
  CONSTRAINT alert_notifications_state_check CHECK (state IN ('waiting', 'sent', 'failed'))
);
CREATE INDEX alert_notifications_due ON alert_notifications (due_at) WHERE state = 'waiting';
CREATE INDEX alert_notifications_incidents ON alert_notifications USING gin (incident_ids);

-- Accounts that got the rules that a new account has, or were there before.
CREATE TABLE alert_defaults (
  account_id bigint NOT NULL,
  CONSTRAINT alert_defaults_pkey PRIMARY KEY (account_id)
);
INSERT INTO alert_defaults (account_id) SELECT id FROM accounts;

-- SMS that a connector took or refused, by hour of acceptance, first digits of the number and connector.
CREATE TABLE delivery_hours (
  account_id bigint NOT NULL,
  -- Since the epoch.
  hour integer NOT NULL,
  prefix text NOT NULL,
  connector text NOT NULL,
  delivered integer NOT NULL,
  failed integer NOT NULL,
  -- Submitted, and no final status half an hour later.
  silent integer NOT NULL,
  CONSTRAINT delivery_hours_pkey PRIMARY KEY (account_id, hour, prefix, connector)
);
