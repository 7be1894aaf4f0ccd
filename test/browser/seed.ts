import assert from 'node:assert/strict';
import { asPerson } from '../api/v1/calls.ts';
import { contactListsOf } from '../api/v1/support.ts';
import { SOURCE, templateId } from '../channels/chat-api/support.ts';
import { addPerson, PASSWORD } from '../support/console.ts';
import { DEMO_TOKEN, type TestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/** What the addresses of pages name: by the part of the path before `:id`. */
export type Named = Readonly<Record<string, string>>;

export const OPERATOR = { username: 'pages-operator', password: PASSWORD };

/** Gives the demo account something of everything that pages show, in English and Hebrew. */
export async function seed(service: TestService): Promise<Named> {
  const { url, call, demo } = service;
  const { newList, importFile } = contactListsOf(service);
  const v1 = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${DEMO_TOKEN}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
    });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${await answer.clone().text()}`);
    return (await answer.json()) as T;
  };
  await addPerson(service, OPERATOR.username, 'operator', null);
  await addPerson(service, 'pages-viewer', 'viewer', demo.id);

  const list = await newList(
    { phone: '0521230010', df1: 'Dana' },
    { phone: '0521230011', df1: 'יואב' },
    { phone: '0521230001', df1: 'Failing' },
  );
  const imported = await importFile(list, 'phone,name\r\n0521230020,Noa\r\n12,Short\r\n0521230021,Ido\r\n');
  const campaign = await call('json', 'sms', {
    source: '0559876543',
    destinations: { cl_id: list },
    message: 'Hello [DYNAMIC_FIELD1], look: [link-1]',
    add_dynamic: '1',
    add_unsubscribe: 3,
    campaign_name: 'Winter sale',
    links: { link: { $: { id: '1' }, _: 'https://example.com/sale' } },
  });
  assert.equal(campaign.status, 0, campaign.message);
  for (const [phone, message] of [
    ['0521230010', 'Your parcel is at the door.'],
    ['0521230012', 'החבילה שלך מחכה בדלת.'],
    ['0521230001', 'Nobody will read this.'],
    ['0521230003', 'Nor this.'],
  ]) {
    const sent = await call('json', 'sms', { source: 'Shop', destinations: { phone }, message });
    assert.equal(sent.status, 0, sent.message);
  }
  const shipment = campaign.fields.shipment_id as string;
  interface Messages {
    messages: { id: string; ended_at: string | null; phone: string }[];
  }
  const { messages } = await waitFor('the messages have ended', async () => {
    const found = await v1<Messages>('GET', '/messages?limit=50');
    return found.messages.length >= 9 && found.messages.every(({ ended_at }) => ended_at !== null) && found;
  });
  const failed = messages.find(({ phone }) => phone.endsWith('0001'))!;

  await call('json', 'send_otp', { phone: '0521230030', source: 'Shop' });
  await call('json', 'addNumBL', { phones: { phone: ['0521239999'] } });
  await call('json', 'addSub', {
    userDetails: {
      name: 'Branch',
      username: 'branch01',
      password: 'branch-pass1',
      source: '0551234567',
      amount: 25,
    },
  });
  await fetch(`${url}/chat-api/create-campaign-wa`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO_TOKEN}` },
    body: JSON.stringify({
      source: SOURCE,
      destinations: { phones: ['0521230040', '0521230041'] },
      campaign_message: templateId('plain'),
      campaign_name: 'Chat greeting',
    }),
  });
  const webhook = await v1<{ id: string }>('POST', '/webhooks', { url: `${url}/nobody-listens` });
  await call('json', 'sms', {
    source: 'Shop',
    destinations: { phone: '0521230013' },
    message: 'Told by webhook',
  });
  const mailList = await v1<{ id: string }>('POST', '/mail/lists', {
    name: 'Newsletter',
    description: 'News once a month',
  });
  await v1('POST', `/mail/lists/${mailList.id}/users`, {
    users: [
      { email: 'dana@example.com', first_name: 'Dana', fields: { city: 'Haifa' } },
      { email: 'yoav@example.com', first_name: 'יואב', fields: { city: 'תל אביב' } },
      { email: 'bounce-hard-pages@example.com' },
    ],
  });
  const mail = await v1<{ id: string }>('POST', '/mail/campaigns', {
    name: 'Spring',
    from: { name: 'The shop', address: 'news@shop.example' },
    subject: 'Hello {{FirstName|friend}}',
    html: '<h1 style="color:#0b7285">Hello {{FirstName|friend}}</h1><p>Spring is here.</p>',
    text: 'Hello {{FirstName|friend}}, spring is here.',
    lists: [mailList.id],
  });
  await waitFor('a mail has come back', async () => {
    interface Campaign {
      progress: { hard_bounces: number };
    }
    const { progress } = await v1<Campaign>('GET', `/mail/campaigns/${mail.id}`);
    return progress.hard_bounces === 1;
  });
  const mailTemplate = await v1<{ id: string }>('POST', '/mail/templates', {
    name: 'מבצע אביב',
    subject: 'אביב הגיע, {{FirstName}}',
    html: '<h1 style="color:#0b7285">שלום {{FirstName|friend}}</h1><p>האביב כאן.</p>',
    text: 'האביב כאן.',
  });
  for (const [phone, body] of [
    ['972521230050', 'Is it open today?'],
    ['972521230051', 'שלום, מתי תגיע ההזמנה שלי?'],
  ])
    await v1('POST', `/sandbox/phones/${phone}/chat`, { to: SOURCE, body });
  const { conversations } = await waitFor('both conversations', async () => {
    const found = await v1<{ conversations: { id: string }[] }>('GET', '/conversations');
    return found.conversations.length === 2 && found;
  });
  await v1('POST', `/conversations/${conversations[0]!.id}/replies`, { text: 'מחר לפני הצהריים.' });
  await v1('POST', `/conversations/${conversations[0]!.id}/notes`, { text: 'Parcel 4711' });
  const rule = await seedConversations(service, v1);
  const { subscribers } = await v1<{ subscribers: { id: string }[] }>('GET', '/subscribers');
  const owner = await asPerson(service, 'owner', demo.id);
  const smppClient = await owner.post<{ id: string }>('/smpp-clients', {
    system_id: 'orders',
    password: 'kT3c0y2v-and-more',
    name: 'Order system',
  });
  return {
    campaigns: shipment,
    conversations: conversations[0]!.id,
    messages: failed.id,
    contacts: list,
    recipients: '0521230010',
    'mailing-lists': mailList.id,
    'mail-campaigns': mail.id,
    'mail-templates': mailTemplate.id,
    imports: imported.id,
    'conversation-rules': rule,
    templates: templateId('replies'),
    links: shipment,
    webhooks: webhook.id,
    'smpp-clients': smppClient.id,
    subscribers: subscribers[0]!.id,
    accounts: String(demo.id),
    reference: 'sms',
    ...(await seedAlerts(service, v1)),
    ...(await seedPersonalData(service)),
  };
}

/** Labels, saved replies, rules and settings of conversations; gives the id of a rule that matched a message. */
async function seedConversations(
  service: TestService,
  v1: <T>(method: string, path: string, body?: object) => Promise<T>,
): Promise<string> {
  const label = await v1<{ id: string }>('POST', '/conversation-labels', { name: 'Prices', color: 'green' });
  await v1('POST', '/conversation-labels', { name: 'משלוחים', color: 'violet' });
  const saved = await v1<{ id: string }>('POST', '/saved-replies', {
    shortcut: 'prices',
    title: 'Prices',
    text: 'Hello {{client_name|there}}, you find our prices at https://shop.example/prices',
  });
  await v1('POST', '/saved-replies', {
    shortcut: 'שעות',
    title: 'שעות הפתיחה שלנו',
    text: 'שלום {{client_name|וברכה}}, אנחנו פתוחים מתשע עד חמש.',
  });
  const rule = await v1<{ id: string }>('POST', '/conversation-rules', {
    name: 'Prices',
    keywords: ['price', 'how much', 'כמה עולה'],
    saved_reply_id: saved.id,
    label_ids: [label.id],
    assign_by_turns: true,
    stop: true,
  });
  await v1('POST', '/conversation-rules', {
    name: 'פנייה ראשונה',
    first_only: true,
    reply_text: 'תודה שפניתם אלינו. נענה בהקדם.',
    webhook: true,
    enabled: false,
  });
  const day = ['09:00-13:00', '16:00-19:00'];
  await v1('PATCH', '/conversation-settings', {
    hours: {
      ...{ sunday: day, monday: day, tuesday: day, wednesday: day, thursday: ['09:00-02:00'] },
      ...{ friday: ['09:00-13:00'], saturday: [] },
    },
    closed_dates: [
      { date: '2027-10-02', name: 'Rosh Hashanah' },
      { date: '2027-10-11', name: 'יום כיפור' },
    ],
    away_message: 'We are closed now, and answer in the opening hours.',
    assign_by_turns: true,
    close_after_days: 14,
  });
  await service.sendFromPhone('0521230052', '0559876543', 'How much is it?');
  await waitFor('the rule has matched', async () => {
    const { entries } = await v1<{ entries: [] }>('GET', `/conversation-rules/${rule.id}/log`);
    return entries.length > 0;
  });
  return rule.id;
}

/** An open alert of the account and rules, and the same of the operator; gives the ids of the rules. */
async function seedAlerts(
  service: TestService,
  v1: <T>(method: string, path: string, body?: object) => Promise<T>,
): Promise<Named> {
  const rule = await v1<{ id: string }>('POST', '/alert-rules', {
    name: 'יתרה נמוכה',
    kind: 'low-balance',
    thresholds: { below: '100000000' },
    recipients: { mails: ['dana@example.com'], phones: ['0521230053'] },
  });
  await v1('POST', '/alert-rules', {
    name: 'Delivery to our networks',
    kind: 'delivery-rate',
    enabled: false,
  });
  const operator = await asPerson(service, 'operator');
  const { id } = await operator.post<{ id: string }>('/operator/alert-rules', {
    name: 'Connectors',
    kind: 'connector-down',
    recipients: { owners: true },
  });
  await operator.post(`/operator/alert-rules/${id}/test`);
  await service.sql`DELETE FROM state WHERE key = 'alerts.evaluated'`;
  await waitFor('an alert', async () => (await v1<{ open: number }>('GET', '/alerts/open')).open > 0);
  return { alerts: rule.id, 'operator/alerts': id };
}

/** Consents of the account, and an export of the data of a person; gives the id of the export. */
async function seedPersonalData(service: TestService): Promise<Named> {
  const owner = await asPerson(service, 'owner', service.demo.id);
  await owner.post('/consents', {
    consents: [
      {
        ...{ subject: '0521230010', channel: 'sms', action: 'given', source: 'form' },
        ...{ form: 'newsletter', version: '2026-02', language: 'en' },
        text: 'I agree to get offers of The Shop by SMS. I can withdraw at any time.',
      },
      {
        ...{ subject: 'yoav@example.com', channel: 'mail', action: 'given', source: 'agent' },
        ...{ text: 'אני מסכים לקבל מבצעים בדוא״ל.', language: 'he' },
      },
      { subject: '0521230010', channel: 'any', action: 'withdrawn', source: 'agent' },
    ],
  });
  const { id } = await owner.post<{ id: string }>(
    '/data-subjects/exports',
    { phones: ['0521230010'], reference: 'פנייה 17' },
    202,
  );
  await waitFor('the export', async () => {
    const { state } = await owner.get<{ state: string }>(`/data-subjects/requests/${id}`);
    return state === 'done';
  });
  return { 'personal-data': id };
}
