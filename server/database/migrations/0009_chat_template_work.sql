-- Templates that the platform has yet to be given. A row goes when the platform has answered; it is leased by the process
-- that asks it.
CREATE TABLE chat_template_submissions (
  account_id bigint NOT NULL,
  -- The row of chat_templates.
  id bigint NOT NULL,
  attempts integer NOT NULL,
  due_at bigint NOT NULL,
  -- The platform may have it: an answer was lost, or the process that waited for one.
  uncertain boolean NOT NULL,
  -- What went wrong last.
  problem text NOT NULL,
  lease_owner text,
  lease_until bigint NOT NULL,
  CONSTRAINT chat_template_submissions_pkey PRIMARY KEY (account_id, id)
);
CREATE INDEX chat_template_submissions_due ON chat_template_submissions (due_at);

-- When the templates of a portfolio are fetched next, and by whom. A portfolio without a row is due.
CREATE TABLE chat_template_syncs (
  account_id bigint NOT NULL,
  portfolio_id bigint NOT NULL,
  due_at bigint NOT NULL,
  failures integer NOT NULL,
  lease_owner text,
  lease_until bigint NOT NULL,
  CONSTRAINT chat_template_syncs_pkey PRIMARY KEY (account_id, portfolio_id)
);
