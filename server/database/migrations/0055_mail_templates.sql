-- Mails that an account has saved, to begin others with.
CREATE TABLE mail_templates (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  name text NOT NULL,
  subject text NOT NULL,
  -- Null: it has none; it has at least one of both.
  html text,
  text text,
  -- JSON of the console's block editor, which the HTML and the text were made of; null: they were written.
  blocks text,
  -- Grows with every save.
  version integer NOT NULL,
  -- The name of the person who saved it last; null: a token.
  updated_by text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT mail_templates_pkey PRIMARY KEY (account_id, id)
);
