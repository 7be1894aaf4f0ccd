-- Usage of budgets (server/budgets/kinds.ts): one row for each account, budget and day.
CREATE TABLE budget_uses (
  account_id bigint NOT NULL,
  budget text NOT NULL,
  -- Date in the time zone of the account, `2027-10-02`; '' for a budget that does not renew.
  day text NOT NULL,
  count bigint NOT NULL,
  bytes bigint NOT NULL,
  credits numeric(18, 4) NOT NULL,
  CONSTRAINT budget_uses_pkey PRIMARY KEY (account_id, budget, day)
);

-- Limits that the operator set for one account. Null: the limit of the settings; 0: no limit.
CREATE TABLE budget_limits (
  account_id bigint NOT NULL,
  budget text NOT NULL,
  count bigint,
  bytes bigint,
  credits numeric(18, 4),
  CONSTRAINT budget_limits_pkey PRIMARY KEY (account_id, budget)
);

-- Addresses and numbers outside the account that its alerts go to. They get alerts after they confirmed.
CREATE TABLE alert_contacts (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  -- mail or sms.
  means text NOT NULL,
  -- Mail address in lower case, or E.164 digits.
  recipient text NOT NULL,
  language text NOT NULL,
  -- Milliseconds since the epoch.
  asked_at bigint NOT NULL,
  confirmed_at bigint,
  -- Next attempt to send the confirmation; null: none is due.
  due_at bigint,
  attempts smallint NOT NULL DEFAULT 0,
  CONSTRAINT alert_contacts_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT alert_contacts_recipient_key UNIQUE (account_id, means, recipient),
  CONSTRAINT alert_contacts_means_check CHECK (means IN ('mail', 'sms'))
);
CREATE INDEX alert_contacts_due ON alert_contacts (due_at) WHERE due_at IS NOT NULL;
-- Pages of confirmation find them by id alone.
CREATE UNIQUE INDEX alert_contacts_id ON alert_contacts (id);

-- Recipients of existing rules keep their alerts. Their ids are below those that the program creates.
INSERT INTO alert_contacts (account_id, id, means, recipient, language, asked_at, confirmed_at, due_at)
SELECT account_id, row_number() OVER (ORDER BY account_id, means, recipient), means, recipient, language, 0, 0, NULL
FROM (
  SELECT r.account_id, u.means, u.recipient, min(coalesce(r.recipients->>'language', 'en')) AS language
  FROM alert_rules r CROSS JOIN LATERAL (
    SELECT 'mail' AS means, lower(mail) AS recipient FROM jsonb_array_elements_text(r.recipients->'mails') AS mail
    UNION
    SELECT 'sms', phone FROM jsonb_array_elements_text(r.recipients->'phones') AS phone
  ) u
  WHERE r.account_id <> 0
  GROUP BY r.account_id, u.means, u.recipient
) known;
