import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newClient, SOURCE, startChat, templateId } from '../../channels/chat-api/support.ts';
import { newPhone, newPhones } from '../../support/phones.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type Refused, withToken } from './calls.ts';

/** What sends a campaign again, and at another time. */
const chat = await startChat();
const api = withToken(chat.url, DEMO_TOKEN);

interface Repeated {
  readonly path: string;
  readonly body: Record<string, unknown>;
}
interface Shown {
  readonly id: string;
  readonly state: string;
  readonly due_at: string;
  readonly accepted_at: string;
  readonly valid_until: string;
}

const later = (hours: number) => new Date(chat.appContext.clock.now() + hours * 3_600_000).toISOString();
const requestOf = (id: string) => api.get<Repeated>(`/campaigns/${id}/request`);
const sendSms = async (body: object) =>
  (await api.post<{ shipment_id: string }>('/sms', { source: 'Shop', message: 'hello', ...body }, 202))
    .shipment_id;

/** What is asked for, in the order in which it is answered; a campaign that is sent by it asks for the same. */
async function assertRepeats(id: string, path: string, wanted: Record<string, unknown>): Promise<void> {
  const repeated = await requestOf(id);
  assert.equal(repeated.path, path);
  for (const [name, value] of Object.entries(wanted)) assert.deepEqual(repeated.body[name], value, name);
  const again = await api.post<{ shipment_id?: string; id?: string }>(
    path.slice('/v1'.length),
    repeated.body,
    202,
  );
  assert.deepEqual(await requestOf((again.shipment_id ?? again.id)!), repeated);
}

async function newList(...phones: string[]): Promise<string> {
  const { id } = await api.post<{ id: string }>('/contact-lists', { name: 'repeated', columns: ['name'] });
  const contacts = phones.map((phone) => ({ phone, fields: ['Dana'] }));
  await api.post(`/contact-lists/${id}/contacts`, { contacts });
  return id;
}

test('a text to phones, with links, a removal link and calls', async () => {
  const phones = newPhones(3);
  const plain = { message: 'hello', phones, campaign_name: 'Spring', removal: null, links: [], lists: [] };
  await assertRepeats(await sendSms({ phones, campaign_name: 'Spring' }), '/v1/sms', plain);
  const links = [{ id: 'a', url: 'https://example.com/a' }];
  const linked = { message: 'Look: [link-a]', links, removal: 'link' };
  await assertRepeats(await sendSms({ ...linked, phones: newPhones(2), at: later(1) }), '/v1/sms', linked);
  const tts = { type: 3, voice: 'ymFemale', rate: 5, repeat: 1 };
  const called = newPhones(2);
  await assertRepeats(await sendSms({ phones: called, tts }), '/v1/sms', { tts, phones: called });
});

test('a text to a list, after its contacts have their messages', async () => {
  const lists = [await newList(newPhone(), newPhone())];
  const body = { message: 'Hi [DYNAMIC_FIELD1]', dynamic: true, lists };
  const id = await sendSms(body);
  await waitFor('all are made', async () => {
    const { unmade, messages } = await api.get<{ unmade: number; messages: number }>(`/campaigns/${id}`);
    return unmade === 0 && messages === 2;
  });
  await assertRepeats(id, '/v1/sms', { ...body, phones: [] });
  const phones = newPhones(1);
  const both = { lists, phones, campaign_name: 'both' };
  await assertRepeats(await sendSms(both), '/v1/sms', both);
  const recent = await sendSms({ lists: [await newList(newPhone())], recent_days: 3 });
  assert.equal((await requestOf(recent)).body.recent_days, 3);
});

test('individual texts cannot be sent again as one', async () => {
  const sms = ['one', 'two'].map((message) => ({
    source: 'Shop',
    message,
    destinations: { phone: newPhone() },
  }));
  const answer = await chat.call('json', 'bulk', { messages: { sms } });
  const id = String(answer.fields.shipment_id);
  const { error } = await api.get<Refused & { error: { reason: string } }>(`/campaigns/${id}/request`, 409);
  assert.deepEqual([error.code, error.reason], ['not-now', 'own-texts']);
  const single = await sendSms({ phones: [newPhone()] });
  await api.get(`/campaigns/${single}/request`, 404);
});

test('a chat campaign, scheduled and after its messages are created', async () => {
  const lists = [await newList(newClient())];
  const phones = [newClient(), newClient()].map((client) => client.replace(/^972/, '0'));
  const body = { source: SOURCE, template_id: templateId('plain'), phones, lists, name: 'Again' };
  const scheduled = await api.post<{ id: string }>('/chat/campaigns', { ...body, at: later(1) }, 202);
  await assertRepeats(scheduled.id, '/v1/chat/campaigns', body);
  const { id } = await api.post<{ id: string }>('/chat/campaigns', body, 202);
  await waitFor('its messages are made', async () => {
    return (await api.get<{ messages: number }>(`/campaigns/${id}`)).messages === 3;
  });
  await assertRepeats(id, '/v1/chat/campaigns', body);
});

test('a mail campaign', async () => {
  const { id: list } = await api.post<{ id: string }>('/mail/lists', { name: 'Repeated' });
  await api.post(`/mail/lists/${list}/users`, { users: [{ email: 'again@example.com', fields: {} }] });
  const body = {
    name: 'News',
    from: { name: 'Shop', address: 'news@example.com' },
    reply_to: null,
    subject: 'Hello {{FirstName}}',
    html: null,
    text: 'Look',
    lists: [Number(list)],
  };
  const { id } = await api.post<{ id: string }>('/mail/campaigns', { ...body, at: later(1) }, 202);
  await assertRepeats(id, '/v1/mail/campaigns', body);
});

test('a scheduled campaign begins at another time, also while it is paused; one that has begun does not', async () => {
  const lists = [await newList(newPhone(), newPhone())];
  const id = await sendSms({ phones: newPhones(2), lists, at: later(2) });
  const before = await api.get<Shown>(`/campaigns/${id}`);
  const at = later(5);
  const moved = await api.post<Shown>(`/campaigns/${id}/reschedule`, { at });
  assert.deepEqual([moved.state, moved.due_at], ['scheduled', at]);
  const validity = (shown: Shown) => Date.parse(shown.valid_until) - Date.parse(shown.due_at);
  assert.equal(validity(moved), validity(before));
  const dues = await chat.sql<{ due: number }[]>`
    SELECT due_at AS due FROM dispatch_batches WHERE held_shipment_id = ${Number(id)}
    UNION ALL SELECT next_at FROM campaigns WHERE id = ${Number(id)}`;
  assert.deepEqual(
    dues.map(({ due }) => due),
    [Date.parse(at), Date.parse(at)],
  );
  await api.post(`/campaigns/${id}/pause`);
  const sooner = later(3);
  assert.equal((await api.post<Shown>(`/campaigns/${id}/reschedule`, { at: sooner })).state, 'paused');
  const resumed = await api.post<Shown>(`/campaigns/${id}/resume`);
  assert.deepEqual([resumed.state, resumed.due_at], ['scheduled', sooner]);
  await api.post(`/campaigns/${id}/reschedule`, { at: later(-1) });
  await waitFor(
    'it is sent',
    async () => (await api.get<Shown>(`/campaigns/${id}`)).state === 'finished',
    60_000,
  );
  assert.deepEqual(await api.refused('POST', `/campaigns/${id}/reschedule`, { at }), [
    'not-now',
    undefined,
    409,
  ]);
});
