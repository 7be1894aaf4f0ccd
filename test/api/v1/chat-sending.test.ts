import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newClient, SOURCE, startChat, templateId } from '../../channels/chat-api/support.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { json, v1 } from './support.ts';

/** Sends of chat under /v1, on the sandbox's platform. */
const chat = await startChat();
const api = v1(chat.url, DEMO_TOKEN);

interface Refused {
  readonly error: { code: string; message: string; field?: string };
}
interface Estimate {
  readonly body: string;
  readonly preview: { body: string };
  readonly opens_conversation: boolean;
  readonly recipients: number;
  readonly cost: string;
  readonly enough: boolean;
  readonly finishes_at: string;
}

interface Content {
  readonly channel: string;
  readonly message_id: string | null;
  readonly recipient: string | null;
  readonly text: string | null;
  readonly mail: object | null;
  readonly chat: {
    header: object | null;
    body: string;
    footer: string;
    buttons: { kind: string; text: string; value: string }[];
  } | null;
}
interface OnPhone {
  readonly header: object | null;
  readonly body: string;
  readonly footer: string;
  readonly buttons: { type: string; text: string; url?: string; number?: string; code?: string }[];
}

const post = (path: string, body: object) =>
  api.post(path, JSON.stringify({ source: SOURCE, ...body }), { 'content-type': 'application/json' });

test('a template with its values: the estimate reads as what arrives, and costs as much', async () => {
  const client = newClient();
  const body = { to: client, template_id: templateId('two'), variables: { 1: 'Dana', 2: '1234' } };
  const told = await json<Estimate>(post('/chat/messages/estimate', body));
  assert.deepEqual([told.opens_conversation, told.cost, told.enough], [true, '1', true]);
  const before = await chat.balance();
  const sent = await json<{ id: string; body: string; conversation_time_left: number }>(
    post('/chat/messages', body),
    202,
  );
  assert.equal(await chat.balance(), before - 1);
  assert.deepEqual([sent.body, sent.conversation_time_left], [told.body, 1_440]);
  const [arrived] = await chat.arrived(client);
  assert.equal(arrived!.body, told.body);
  const again = await json<Estimate>(post('/chat/messages/estimate', body));
  assert.deepEqual([again.opens_conversation, again.cost], [false, '0']);
  const { text, state } = await waitFor('it is delivered', async () => {
    const shown = await json<{ text: string; state: string }>(api.get(`/messages/${sent.id}`));
    return ['delivered', 'read'].includes(shown.state) && shown;
  });
  assert.equal(text, told.body, state);
  const listed = await json<{ messages: { id: string; text: string }[] }>(api.get(`/messages?id=${sent.id}`));
  assert.deepEqual(
    listed.messages.map((message) => message.text),
    [told.body],
  );
  const content = await json<Content>(api.get(`/messages/${sent.id}/content`));
  assert.deepEqual([content.channel, content.text, content.mail], ['chat', told.body, null]);
  assert.equal(content.chat!.body, told.body);
});

test('a campaign to phones and a list, now or later', async () => {
  const [phone, listed] = [newClient(), newClient()];
  const answer = await chat.call('json', 'newCL', {
    cl: { name: 'list', destinations: { destination: [{ phone: listed }, { phone }] } },
  });
  const [list] = answer.fields.identifiers as [string];
  const body = { template_id: templateId('plain'), phones: [phone], lists: [list], name: 'v1' };
  const told = await json<Estimate>(post('/chat/campaigns/estimate', body));
  assert.deepEqual([told.recipients, told.cost], [2, '2']);
  assert.equal(told.preview.body, told.body);
  const before = await chat.balance();
  const { id, recipients } = await json<{ id: string; recipients: number }>(
    post('/chat/campaigns', body),
    202,
  );
  assert.equal(recipients, 2);
  await Promise.all([chat.arrived(phone), chat.arrived(listed)]);
  assert.equal(await chat.balance(), before - 2);
  const shown = await waitFor('it is finished', async () => {
    const shipment = await json<{ state: string; channel: string; messages: number }>(
      api.get(`/shipments/${id}`),
    );
    return shipment.state === 'finished' && shipment;
  });
  assert.deepEqual([shown.channel, shown.messages], ['chat', 2]);

  const at = new Date(Math.ceil(chat.appContext.clock.now() / 60_000) * 60_000 + 3_600_000).toISOString();
  const later = await json<{ id: string }>(post('/chat/campaigns', { ...body, at }), 202);
  const scheduled = await json<{ state: string; due_at: string }>(api.get(`/shipments/${later.id}`));
  assert.deepEqual([scheduled.state, scheduled.due_at], ['scheduled', at]);
  const unsent = await json<Content>(api.get(`/campaigns/${later.id}/content`));
  assert.deepEqual([unsent.message_id, unsent.recipient], [null, null]);
  const first = await json<Content>(api.get(`/campaigns/${id}/content`));
  assert.ok(first.recipient !== null);
  assert.equal(unsent.chat!.body, first.chat!.body);
  const cancelled = await json<{ cancelled: number }>(api.post(`/shipments/${later.id}/cancel`));
  assert.equal(cancelled.cancelled, 2);
  assert.equal((await json<{ state: string }>(api.get(`/shipments/${later.id}`))).state, 'cancelled');
});

test('the content of a message is what the phone shows: text, footer, buttons with their values', async () => {
  const expires = new Date(chat.appContext.clock.now() + 7_200_000).toISOString();
  const cases = [
    ['two', { variables: { 1: 'Dana', 2: '1234' } }],
    ['website', { website_variable: '77' }],
    ['coupon', { coupon_code: '12345', coupon_expires_at: expires }],
    ['otp', { otp: '482913' }],
    ['replies', {}],
  ] as const;
  for (const [name, values] of cases) {
    const client = newClient();
    const sent = await json<{ id: string }>(
      post('/chat/messages', { to: client, template_id: templateId(name), ...values }),
      202,
    );
    const { chat: shown } = await json<Content>(api.get(`/messages/${sent.id}/content`));
    const [phone] = (await chat.arrived(client)) as unknown as [OnPhone];
    assert.deepEqual(
      { body: shown!.body, footer: shown!.footer, header: shown!.header, buttons: shown!.buttons },
      {
        body: phone.body,
        footer: phone.footer,
        header: phone.header,
        buttons: phone.buttons.map(({ type, text, url, number, code }) => ({
          kind: type,
          text,
          value: url ?? number ?? code ?? '',
        })),
      },
      name,
    );
  }
});

test('what the chat API refuses is refused here, and nothing is stored', async () => {
  const template_id = templateId('plain');
  const before = await chat.balance();
  for (const [path, body, status, code] of [
    ['/chat/messages', { to: newClient(), template_id, source: '972500000000' }, 400, 'unknown-source'],
    ['/chat/messages', { to: '12', template_id }, 400, 'bad-destination'],
    ['/chat/messages', { to: newClient(), template_id: 'no' }, 400, 'unknown-template'],
    ['/chat/messages', { to: newClient(), template_id: templateId('two') }, 400, 'bad-variables'],
    ['/chat/messages', { to: newClient() }, 400, 'bad-field'],
    ['/chat/messages', { to: newClient(), template_id, variables: { 9: 'x' } }, 400, 'bad-field'],
    ['/chat/campaigns', { template_id }, 400, 'bad-destination'],
    ['/chat/campaigns', { template_id, lists: ['1'] }, 400, 'bad-destination'],
    ['/chat/campaigns', { template_id, phones: [newClient()], at: 'soon' }, 400, 'bad-field'],
    ['/chat/campaigns', { template_id: templateId('two'), phones: [newClient()] }, 400, 'bad-variables'],
  ] as const) {
    for (const way of [path, `${path}/estimate`]) {
      const { error } = await json<Refused>(post(way, body), status);
      assert.equal(error.code, code, `${way} ${JSON.stringify(body)}`);
    }
  }
  assert.equal(await chat.balance(), before);
});

test('a refusal names the field as it is called here, not as the chat API calls it', async () => {
  const plain = { template_id: templateId('plain') };
  const phones = [newClient()];
  const named: readonly (readonly [path: string, body: object, field: string])[] = [
    ['/chat/messages', { to: 'x', ...plain }, 'to'],
    ['/chat/messages', { to: newClient(), template_id: 'none' }, 'template_id'],
    ['/chat/campaigns', { phones, template_id: 'none' }, 'template_id'],
    ['/chat/campaigns', { phones: ['x'], ...plain }, 'phones'],
    ['/chat/campaigns', { lists: ['1'], ...plain }, 'lists'],
    ['/chat/campaigns', { phones, template_id: templateId('two'), fields: { 1: 'df1' } }, 'fields'],
  ];
  for (const [path, body, field] of named) {
    for (const way of [path, `${path}/estimate`]) {
      const { error } = (await (await post(way, body)).json()) as Refused;
      assert.equal(error.field, field, `${way} ${JSON.stringify(body)}: ${error.message}`);
      assert.ok(error.message.startsWith(`${field}: `), error.message);
    }
  }
});
