-- One table for campaigns of every channel; it takes the place of list_sends, chat_campaigns and mail_campaigns. The id is
-- that of the shipment, which has the state (state, paused_at). The row is leased by the process that makes its messages.
CREATE TABLE campaigns (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  -- As of shipments.
  channel smallint NOT NULL,
  -- The source of SMS, the business number, the address of mails.
  sender text NOT NULL,
  -- What messages are made of, and how far the campaign is: each channel's own (its CampaignSource).
  content jsonb NOT NULL,
  place jsonb NOT NULL,
  -- Recipients that were asked for, and those of them who are left as far as known.
  total integer NOT NULL,
  remaining integer NOT NULL,
  -- What is still held of the wallet for recipients without a message.
  held numeric(18,4) NOT NULL,
  -- When the next step is due; PAUSED_AT while it is paused, null when there is none.
  next_at bigint,
  lease_owner text,
  lease_until bigint NOT NULL DEFAULT 0,
  -- When it last had its turn: the one that waits longest is next.
  turn_at bigint NOT NULL DEFAULT 0,
  -- When it was cancelled, or none of its messages waited any more.
  finished_at bigint,
  CONSTRAINT campaigns_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT campaigns_held_check CHECK (held >= 0)
);
CREATE INDEX campaigns_turn ON campaigns (channel, turn_at) WHERE next_at IS NOT NULL;
CREATE INDEX campaigns_open ON campaigns (account_id, id) WHERE finished_at IS NULL;
CREATE INDEX campaigns_channel ON campaigns (account_id, channel, id);

-- The texts of a send of SMS or calls that go to contact lists, until every contact has its message.
CREATE TABLE campaign_texts (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  campaign_id bigint NOT NULL,
  source text NOT NULL,
  text text NOT NULL,
  -- Whether the shipment's text is this one, so that its messages need none of their own.
  is_shared boolean NOT NULL,
  dynamic boolean NOT NULL,
  removal boolean NOT NULL,
  link_ids bigint[] NOT NULL,
  link_keys text[] NOT NULL,
  international boolean NOT NULL,
  list_ids bigint[] NOT NULL,
  -- The messages of the shipment that went to single phones with this text.
  phones_from bigint NOT NULL,
  phones_to bigint NOT NULL,
  -- Contacts that its lists had.
  expected integer NOT NULL,
  CONSTRAINT campaign_texts_pkey PRIMARY KEY (account_id, campaign_id, id)
);

-- What all mails of a campaign, or of a single mail's shipment, have in common (MailContent).
CREATE TABLE mail_contents (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  content jsonb NOT NULL,
  CONSTRAINT mail_contents_pkey PRIMARY KEY (account_id, id)
);

INSERT INTO campaign_texts
  SELECT account_id, id, shipment_id, source, text, is_shared, dynamic, removal, link_ids, link_keys, international,
    list_ids, phones_from, phones_to, expected
  FROM list_sends;
-- The first of a shipment's texts is the one that is being sent; due_at and started_id are null in the others.
INSERT INTO campaigns (account_id, id, channel, sender, content, place, total, remaining, held, next_at)
  SELECT account_id, shipment_id, 0, min(source) FILTER (WHERE due_at IS NOT NULL),
    jsonb_build_object('recentDays', min(recent_days), 'call', (array_agg(call))[1]),
    jsonb_build_object('startedId', min(started_id), 'listIndex', coalesce(min(list_index) FILTER (WHERE due_at IS NOT NULL), 0),
      'afterPhone', coalesce(min(after_phone) FILTER (WHERE due_at IS NOT NULL), ''), 'done', 0),
    sum(expected), sum(expected), sum(held), min(due_at)
  FROM list_sends GROUP BY account_id, shipment_id;
INSERT INTO campaigns (account_id, id, channel, sender, content, place, total, remaining, held, next_at, finished_at)
  SELECT c.account_id, c.id, 1, c.number,
    c.request || jsonb_build_object('templateId', c.template_id, 'listIds', to_jsonb(c.list_ids)),
    jsonb_build_object('chunk', c.phones_chunk, 'listIndex', c.list_index, 'afterPhone', c.after_phone),
    c.total, CASE WHEN c.expanded OR c.state = 'cancelled' THEN 0 ELSE greatest(0, c.total - s.message_count) END, c.held,
    CASE WHEN c.expanded OR c.state IN ('cancelled', 'finished') THEN NULL
      WHEN c.state = 'paused' THEN 9007199254740991 ELSE c.due_at END,
    c.finished_at
  FROM chat_campaigns c JOIN shipments s ON s.account_id = c.account_id AND s.id = c.id;
INSERT INTO campaigns (account_id, id, channel, sender, content, place, total, remaining, held, next_at, finished_at)
  SELECT c.account_id, c.id, 2, c.from_address,
    jsonb_build_object('route', c.route, 'listIds', to_jsonb(c.list_ids)),
    jsonb_build_object('listIndex', c.list_index, 'afterUser', c.after_user),
    c.total, CASE WHEN c.expanded OR c.state = 'cancelled' THEN 0 ELSE greatest(0, c.total - s.message_count) END, c.held,
    CASE WHEN c.expanded OR c.state IN ('cancelled', 'finished') THEN NULL
      WHEN c.state = 'paused' THEN 9007199254740991 ELSE c.due_at END,
    c.finished_at
  FROM mail_campaigns c JOIN shipments s ON s.account_id = c.account_id AND s.id = c.id
  WHERE c.kind = 'campaign';
INSERT INTO mail_contents SELECT account_id, id, content FROM mail_campaigns;

UPDATE shipments s SET paused_at = c.created_at FROM chat_campaigns c
  WHERE c.account_id = s.account_id AND c.id = s.id AND c.state = 'paused';
UPDATE shipments s SET paused_at = c.created_at FROM mail_campaigns c
  WHERE c.account_id = s.account_id AND c.id = s.id AND c.state = 'paused';

DROP TABLE list_sends;
DROP TABLE chat_campaigns;
DROP TABLE mail_campaigns;
