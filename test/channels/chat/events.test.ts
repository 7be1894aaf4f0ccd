import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createEventModule } from '../../../server/run/app-context.ts';
import { json, v1 } from '../../api/v1/support.ts';
import { covers } from '../../conformance/covers.ts';
import { startReceiver } from '../../engine/events/support.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { newClient, SOURCE, startChat, templateId } from '../chat-api/support.ts';

/** The events of chat as webhooks, from what the sandbox's phones and its platform do; and that docs/events.md shows them. */
const chat = await startChat();
const api = v1(chat.url, DEMO_TOKEN);
const receiver = await startReceiver();
const room = createEventModule(chat.appContext, { allowPrivate: true, deliver: false });
await room.endpoints.register({ accountId: chat.demo.id, kind: 'webhook', url: receiver.url });

type Data = Readonly<Record<string, unknown>>;
interface Event {
  readonly type: string;
  readonly timestamp: string;
  readonly data: Data;
}
const events = (): Event[] => receiver.received.map(({ body }) => JSON.parse(body) as Event);
const eventsOf = (type: string, is: (data: Data) => boolean) =>
  events().filter((event) => event.type === type && is(event.data));
/** The one event of a type that fits, when it has come. */
const event = (type: string, is: (data: Data) => boolean) =>
  waitFor(`the event ${type}`, () => eventsOf(type, is)[0]);

const examples = new Map(
  [
    ...(await readFile(new URL('../../../docs/events.md', import.meta.url), 'utf8')).matchAll(
      /^```json\n([\s\S]*?)^```$/gm,
    ),
  ].map(([, text]) => {
    const example = JSON.parse(text!) as Event;
    return [example.type, example] as const;
  }),
);

/** As the docs show it: the same fields, of the same types. */
function assertDocumented({ type, timestamp, data }: Event): void {
  const example = examples.get(type)!;
  assert.deepEqual(Object.keys(data).sort(), Object.keys(example.data).sort(), type);
  for (const [field, value] of Object.entries(data)) {
    if (value !== null) assert.equal(typeof value, typeof example.data[field], `${type} ${field}`);
  }
  assert.equal(data.date, timestamp);
}

const act = (client: string, body: object) =>
  json<{ id: string }>(
    api.post(`/sandbox/phones/${client}/chat`, JSON.stringify(body), { 'content-type': 'application/json' }),
  );
const about = (client: string) => (data: Data) => data.from === client || data.to === client;
const send = async (destination: string, suffix = 'plain') =>
  chat.accepted('send-template-message', { source: SOURCE, destination, templateId: templateId(suffix) });

/** A phone is faster than any person: what it had is known by its id once the platform's answer is stored. */
const submitted = (id: string) =>
  event('chat.status', (data) => data.message_id === id && data.status === 'sent');

// Events are wanted from the moment in which the service has heard of the endpoint.
await waitFor('the endpoint is known', async () => {
  await act(newClient(), { to: SOURCE, body: 'known?' });
  return receiver.received.length > 0;
});

test(
  'chat.message: what a client writes, and what they quote',
  covers('chatEvents.chat.message', 'amendments.ids'),
  async () => {
    const client = newClient();
    const { ans } = await send(client);
    const [message] = await chat.arrived(client);
    await submitted(String(ans.unique));
    await act(client, { to: SOURCE, body: 'Thank you', replyTo: message!.id });
    const told = await event('chat.message', about(client));
    assertDocumented(told);
    const { message_id, date, ...data } = told.data;
    assert.deepEqual(data, {
      from: client,
      to: SOURCE,
      type: 'text',
      body: 'Thank you',
      reply_to: ans.unique,
      about_id: null,
      user_id: null,
      name: `Phone ${client.slice(-4)}`,
      content: null,
    });
    // What they wrote can be quoted by its id.
    const quoting = { source: SOURCE, destination: client, header: '1', body: 'Shall we?', button1: 'Yes' };
    await chat.accepted('send-buttons', { ...quoting, replyTo: String(message_id) });
  },
);

test(
  'chat.button: of a message with buttons, of a template, and of carousels with ids and without',
  covers('A5.cardX_button1ID, cardX_button2ID', 'chatEvents.chat.button'),
  async () => {
    const client = newClient();
    const pressed = async (before: number, sent: string, button: string) => {
      const message = await waitFor('it arrives', async () => (await chat.arrived(client))[before]);
      await submitted(sent);
      await act(client, { to: SOURCE, message: message.id, button });
      const told = await waitFor('it is told', () => eventsOf('chat.button', about(client))[before]);
      assertDocumented(told);
      const { message_id, date, from, to, type, user_id, name, content: rest, ...data } = told.data;
      assert.deepEqual([from, to, type], [client, SOURCE, 'button']);
      assert.deepEqual([user_id, name, rest], [null, `Phone ${client.slice(-4)}`, null]);
      return data;
    };
    const idOf = ({ ans }: { ans: Data }) => String(ans.unique);

    const template = idOf(await send(client, 'replies'));
    assert.deepEqual(await pressed(0, template, 'Another day'), {
      body: 'Another day',
      button_id: 'Another day',
      card: null,
      reply_to: template,
    });

    const content = { source: SOURCE, destination: client, header: '1', body: 'Which?' };
    const buttons = idOf(await chat.accepted('send-buttons', { ...content, button1: 'Yes', button2: 'No' }));
    assert.deepEqual(await pressed(1, buttons, 'No'), {
      body: 'No',
      button_id: '2',
      card: null,
      reply_to: buttons,
    });

    const cards = (more: object) => ({
      source: SOURCE,
      destination: client,
      message: 'Two for you',
      buttons: 3,
      ...Object.fromEntries(
        [1, 2].flatMap((card) => [
          [`card${card}_headerLink`, 'https://127.0.0.1:1/a.jpg'],
          [`card${card}_button1`, `Take ${card}`],
          [`card${card}_button2`, `Leave ${card}`],
        ]),
      ),
      ...more,
    });
    const plain = idOf(await chat.accepted('send-carousel', cards({})));
    assert.deepEqual(await pressed(2, plain, 'Leave 2'), {
      body: 'Leave 2',
      button_id: '2',
      card: 2,
      reply_to: plain,
    });
    const named = idOf(await chat.accepted('send-carousel', cards({ card1_button1ID: 'red' })));
    assert.deepEqual(await pressed(3, named, 'Take 1'), {
      body: 'Take 1',
      button_id: 'red',
      card: 1,
      reply_to: named,
    });
  },
);

test(
  'chat.status: sent, delivered and read; or failed, with the reason',
  covers('chatEvents.chat.status'),
  async () => {
    const client = newClient();
    const unique = String((await send(client)).ans.unique);
    await waitFor('all are told', () => eventsOf('chat.status', about(client)).length >= 3);
    const told = eventsOf('chat.status', about(client));
    for (const one of told) {
      assertDocumented(one);
      assert.deepEqual([one.data.message_id, one.data.from, one.data.reason], [unique, SOURCE, null]);
    }
    assert.deepEqual(told.map(({ data }) => data.status).sort(), ['delivered', 'read', 'sent']);

    // 0001: taken, and then not delivered; 0003: refused at once.
    for (const [phone, statuses] of [
      ['972541230001', ['failed', 'sent']],
      ['972541230003', ['failed']],
    ] as const) {
      await send(phone);
      const failed = await event('chat.status', (data) => data.to === phone && data.status === 'failed');
      assertDocumented(failed);
      assert.equal(failed.data.reason, 'no-such-number');
      await waitFor('the others', () => eventsOf('chat.status', about(phone)).length >= statuses.length);
      assert.deepEqual(
        eventsOf('chat.status', about(phone))
          .map(({ data }) => data.status)
          .sort(),
        statuses,
      );
    }
  },
);

test('template.status: each change, with the reason', covers('chatEvents.template.status'), async () => {
  const body = { phone: SOURCE, name: 'told_reject', language: 'he', category: 'utility', body: 'Hello.' };
  const headers = { 'content-type': 'application/json' };
  const made = json<{ template_id: string }>(api.post('/chat/templates', JSON.stringify(body), headers), 202);
  const { template_id } = await made;
  const told = await event('template.status', (data) => data.status === 2);
  assertDocumented(told);
  const { date, ...data } = told.data;
  const rejected = { name: 'told_reject', language: 'he', status: 2, reason: 'INVALID_FORMAT' };
  assert.deepEqual(data, { template_id, ...rejected });
});

test(
  'campaign.finished: once, with its counts',
  covers('chatEvents.campaign.finished', 'amendments.ids'),
  async () => {
    const phones = [newClient(), newClient(), '12'];
    const { json: answer } = await chat.post('create-campaign-wa', {
      source: SOURCE,
      destinations: { phones },
      campaign_message: templateId('plain'),
      campaign_name: 'Spring',
      future_campaign: 'instant',
    });
    assert.deepEqual(answer, { data: { success: true, sum: 3 } });
    const told = await event('campaign.finished', (data) => data.campaign_name === 'Spring');
    assertDocumented(told);
    const { date, campaign_id, ...data } = told.data;
    assert.deepEqual(data, { campaign_name: 'Spring', channel: 'chat', total: 3, sent: 2, failed: 1 });
    const shown = await json<{ state: string }>(api.get(`/chat/campaigns/${campaign_id}`));
    assert.equal(shown.state, 'finished');
  },
);

test('every event of chat has an example in the docs', covers('chatEvents.docs'), () => {
  const types = [
    'chat.message',
    'chat.button',
    'chat.status',
    'chat.account',
    'template.status',
    'template.quality',
    'template.category',
    'campaign.finished',
  ];
  for (const type of types) assert.ok(examples.has(type), type);
});
