-- Mailing lists and their users. A user is an address of an account, in any number of its lists; his status is of the
-- user and not of a list.

-- Numbers of lists and users. They are counted, since callers keep them in 32 bits (interface, part C: int), and are taken
-- by the process in blocks.
CREATE TABLE mail_numbers (
  kind text NOT NULL,
  next bigint NOT NULL,
  CONSTRAINT mail_numbers_pkey PRIMARY KEY (kind)
);

CREATE TABLE mail_lists (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  -- Whether who is added has to confirm it (double opt-in).
  confirm boolean NOT NULL DEFAULT false,
  -- Whether opens and clicks of mails to it are counted.
  track boolean NOT NULL DEFAULT true,
  -- Which members it has: emptying a list gives it another number, and deletes those of the old one in the background.
  filling_id bigint NOT NULL,
  -- Names of the fields that its users were ever given.
  columns text[] NOT NULL DEFAULT '{}',
  -- Kept exact by every statement that changes members or the status of users, under this row's lock.
  user_count bigint NOT NULL DEFAULT 0,
  active_count bigint NOT NULL DEFAULT 0,
  created_at bigint NOT NULL,
  CONSTRAINT mail_lists_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT mail_lists_counts_check CHECK (active_count >= 0 AND user_count >= active_count)
);

CREATE TABLE mail_users (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  -- As it was given first, and in the form in which addresses are compared (server/mailing/addresses.ts).
  address text NOT NULL,
  -- Compared octet by octet: one order for all who lock users, whatever the database sorts texts by.
  address_key text COLLATE "C" NOT NULL,
  first_name text NOT NULL DEFAULT '',
  last_name text NOT NULL DEFAULT '',
  cellphone text NOT NULL DEFAULT '',
  -- [[name, value], …]; null: none.
  send_fields jsonb,
  system_fields jsonb,
  -- active, removed, complained, bounced, deleted (server/mailing/statuses.ts)
  status text NOT NULL DEFAULT 'active',
  -- Whether he is known to get mails, by a delivery or a choice of his own.
  heard boolean NOT NULL DEFAULT false,
  -- Soft bounces since the last mail that he got.
  soft_bounces smallint NOT NULL DEFAULT 0,
  -- Who or what changed the status last, when, and in which words.
  status_by text NOT NULL DEFAULT '',
  status_reason text NOT NULL DEFAULT '',
  -- The campaign whose mail led to it; null: none, or it is not known.
  status_campaign_id bigint,
  status_at bigint,
  created_at bigint NOT NULL,
  CONSTRAINT mail_users_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT mail_users_address_key UNIQUE (account_id, address_key),
  CONSTRAINT mail_users_status_check CHECK (status IN ('active', 'removed', 'complained', 'bounced', 'deleted'))
);

CREATE INDEX mail_users_campaign ON mail_users (account_id, status_campaign_id, id)
  WHERE status_campaign_id IS NOT NULL;

-- Who is in which list. Whoever adds or takes away members holds the lock of the user.
CREATE TABLE mail_members (
  account_id bigint NOT NULL,
  filling_id bigint NOT NULL,
  user_id bigint NOT NULL,
  -- He has not confirmed yet that he wants to be in the list.
  pending boolean NOT NULL,
  CONSTRAINT mail_members_pkey PRIMARY KEY (account_id, filling_id, user_id)
);
CREATE INDEX mail_members_user ON mail_members (account_id, user_id);

-- Members of lists that were emptied or removed: no list has the number any more, and they are deleted in the background.
CREATE TABLE mail_discarded (
  account_id bigint NOT NULL,
  filling_id bigint NOT NULL,
  at bigint NOT NULL,
  CONSTRAINT mail_discarded_pkey PRIMARY KEY (account_id, filling_id)
);

-- Confirmations that are asked for. The link in the mail is good as long as the row is there.
CREATE TABLE mail_confirmations (
  account_id bigint NOT NULL,
  filling_id bigint NOT NULL,
  user_id bigint NOT NULL,
  requested_at bigint NOT NULL,
  -- Null when the mail was handed to those who send it.
  due_at bigint,
  CONSTRAINT mail_confirmations_pkey PRIMARY KEY (account_id, filling_id, user_id)
);
CREATE INDEX mail_confirmations_due ON mail_confirmations (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX mail_confirmations_requested ON mail_confirmations (requested_at);

-- `api`: of all interfaces but the mailing-list API; `mail`: of that; `mail-session`: of that, for some hours, made with
-- the password of the account.
ALTER TABLE tokens ADD COLUMN kind text NOT NULL DEFAULT 'api';
ALTER TABLE tokens ADD CONSTRAINT tokens_kind_check CHECK (kind IN ('api', 'mail', 'mail-session'));

-- Imports and exports are of contact lists or of mailing lists. Of an export of a mailing list `after_phone` is the last
-- user's id.
ALTER TABLE csv_jobs ADD COLUMN audience text NOT NULL DEFAULT 'contacts';
ALTER TABLE csv_jobs ADD CONSTRAINT csv_jobs_audience_check CHECK (audience IN ('contacts', 'mail'));
