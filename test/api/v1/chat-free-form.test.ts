import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newClient, SOURCE, startChat, templateId } from '../../channels/chat-api/support.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { json, v1 } from './support.ts';

/** Messages with buttons and carousels under /v1, on the sandbox's platform. */
const chat = await startChat({ MEDIA_CHECK: 'off' });
const api = v1(chat.url, DEMO_TOKEN);

interface Refused {
  readonly error: { code: string; message: string; field?: string; reason?: string };
}
interface Estimate {
  readonly opens_conversation: boolean;
  readonly free_left: number;
  readonly cost: string;
  readonly enough: boolean;
}
interface WindowState {
  readonly open: boolean;
  readonly problem: string | null;
  readonly client_wrote_at: string | null;
  readonly closes_at: string | null;
  readonly conversation_ends_at: string | null;
}
interface Sent {
  readonly id: string;
  readonly body: string;
  readonly template_time_left: number;
}

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  api.post(path, JSON.stringify({ source: SOURCE, ...body }), {
    'content-type': 'application/json',
    ...headers,
  });
const windowOf = (client: string) => json<WindowState>(api.get(`/chat/window?source=${SOURCE}&to=${client}`));

const DAY = 86_400;
const replies = [{ text: 'Yes' }, { text: 'No' }];
const picture = (name: string) => `https://www.example.com/${name}.jpg`;
const cards = ['red', 'blue'].map((name) => ({
  media: picture(name),
  body: name,
  replies: [{ text: 'This one', id: name }],
}));

/** A request that is refused: with what and where, and nothing is stored or charged. */
async function refused(path: string, body: object, [code, field, reason]: readonly (string | undefined)[]) {
  const count = async () => (await chat.sql`SELECT count(*)::int AS n FROM messages`)[0]!.n as number;
  const before = [await chat.balance(), await count()];
  const { error } = await json<Refused>(post(path, body), 400);
  assert.deepEqual([error.code, error.field, error.reason], [code, field, reason], error.message);
  assert.deepEqual([await chat.balance(), await count()], before);
}

test('a message with buttons: the estimate, the phone, and the answer of a button', async () => {
  const client = await chat.writingClient();
  const body = { to: client, body: 'Shall we come?', footer: 'Tonight', replies };
  const told = await json<Estimate>(post('/chat/buttons/estimate', body));
  assert.deepEqual([told.opens_conversation, told.cost, told.enough], [true, '1', true]);
  const before = await chat.balance();
  const sent = await json<Sent>(post('/chat/buttons', body), 202);
  assert.equal(await chat.balance(), before - 1);
  assert.equal(sent.body, 'Shall we come?');
  assert.ok(sent.template_time_left > 1_400);
  const [arrived] = await chat.arrived(client);
  assert.deepEqual(
    [arrived!.body, arrived!.footer, (arrived!.buttons as { text: string }[]).map(({ text }) => text)],
    ['Shall we come?', 'Tonight', ['Yes', 'No']],
  );
  const again = await json<Estimate>(post('/chat/buttons/estimate', body));
  assert.deepEqual([again.opens_conversation, again.cost, again.free_left], [false, '0', told.free_left - 1]);
  await json(
    api.post(
      `/sandbox/phones/${client}/chat`,
      JSON.stringify({ to: SOURCE, message: arrived!.id, button: 'Yes' }),
      { 'content-type': 'application/json' },
    ),
  );
  await waitFor('the answer is stored', async () => {
    const rows = await chat.sql`SELECT 1 FROM chat_incoming WHERE client = ${client}`;
    return rows.length === 2;
  });
});

test('a button that opens something, with a header; a carousel of ten cards', async () => {
  const client = await chat.writingClient();
  const header = { kind: 'document', link: 'https://www.example.com/plan.pdf' };
  await json(
    post('/chat/buttons', {
      to: client,
      body: 'Call us',
      header,
      opens: { text: 'Call', target: '050-123-4567' },
    }),
    202,
  );
  const [first] = await chat.arrived(client);
  assert.deepEqual(first!.header, { type: 'document', link: header.link });
  const ten = Array.from({ length: 10 }, (_, index) => ({
    media: picture(`card${index}`),
    opens: { text: 'Look', target: `https://www.example.com/${index}` },
  }));
  const sent = await json<Sent>(post('/chat/carousels', { to: client, body: 'Ten', cards: ten }), 202);
  const arrived = await waitFor('the carousel', async () => (await chat.arrived(client))[1]);
  assert.equal((arrived.cards as unknown[]).length, 10);
  const content = await json<{ chat: { body: string; cards: { buttons: object[] }[] } }>(
    api.get(`/messages/${sent.id}/content`),
  );
  assert.equal(content.chat.cards.length, 10);
  assert.deepEqual(content.chat.cards[3]!.buttons, [
    { kind: 'url', text: 'Look', value: 'https://www.example.com/3' },
  ]);
});

test('the window: never, open until 24 hours after, waiting for an answer to a template, over', async () => {
  const client = newClient();
  const never = await windowOf(client);
  assert.deepEqual(never, {
    open: false,
    problem: 'never-written',
    client_wrote_at: null,
    closes_at: null,
    conversation_ends_at: null,
  });
  const message = { to: client, body: 'Hello', replies };
  await refused('/chat/buttons', message, ['never-written', 'to', undefined]);
  await chat.clientWrites(client);
  const open = await windowOf(client);
  assert.deepEqual([open.open, open.problem], [true, null]);
  assert.equal(Date.parse(open.closes_at!) - Date.parse(open.client_wrote_at!), DAY * 1_000);
  await json(post('/chat/messages', { to: client, template_id: templateId('plain') }), 202);
  const unanswered = await windowOf(client);
  assert.deepEqual([unanswered.open, unanswered.problem], [false, 'unanswered']);
  assert.ok(unanswered.conversation_ends_at !== null);
  await refused('/chat/carousels', { to: client, body: 'Two', cards }, ['window-closed', 'to', undefined]);
  await chat.clientWrites(client);
  assert.equal((await windowOf(client)).open, true);
  await chat.advance(DAY);
  assert.deepEqual((await windowOf(client)).problem, 'window-closed');
  await refused('/chat/buttons/estimate', message, ['window-closed', 'to', undefined]);
});

test('what the interface does not allow is refused at its field', async () => {
  const to = await chat.writingClient();
  const buttons = { to, body: 'Hello', replies };
  const opens = { text: 'Open', target: 'https://www.example.com/' };
  const header = (kind: string, link: string) => ({ ...buttons, header: { kind, link } });
  const card = (over: object) => ({ to, body: 'Two', cards: [cards[0], { ...cards[1], ...over }] });
  const cases: readonly [path: string, body: object, ...(string | undefined)[]][] = [
    ['buttons', { ...buttons, to: '12' }, 'bad-destination', 'to', undefined],
    ['buttons', { ...buttons, source: '972559999999' }, 'unknown-source', 'source', undefined],
    ['buttons', { ...buttons, body: ' ' }, 'bad-field', 'body', 'missing'],
    ['buttons', { ...buttons, body: 'x'.repeat(1_025) }, 'bad-field', 'body', 'too-long'],
    ['buttons', { ...buttons, footer: 'x'.repeat(61) }, 'bad-field', 'footer', 'too-long'],
    ['buttons', { ...buttons, replies: [] }, 'bad-field', 'replies', 'replies-or-opens'],
    ['buttons', { ...buttons, opens }, 'bad-field', 'replies', 'replies-or-opens'],
    [
      'buttons',
      { ...buttons, replies: [{ text: 'x'.repeat(21) }] },
      'bad-field',
      'replies[0].text',
      'too-long',
    ],
    ['buttons', { ...buttons, replies: [{ text: ' ' }] }, 'bad-field', 'replies[0].text', 'missing'],
    [
      'buttons',
      { ...buttons, replies: [...replies, { text: 'No' }] },
      'bad-field',
      'replies[2].text',
      'same-button',
    ],
    ['buttons', { ...buttons, replies: [...replies, ...replies] }, 'bad-field', 'replies', 'too-many'],
    [
      'buttons',
      { ...buttons, replies: [], opens: { ...opens, text: 'Go 🚀' } },
      'bad-field',
      'opens.text',
      'no-emoji',
    ],
    [
      'buttons',
      { ...buttons, replies: [], opens: { ...opens, target: 'shop' } },
      'bad-field',
      'opens.target',
      'no-target',
    ],
    [
      'buttons',
      header('image', 'http://www.example.com/a.jpg'),
      'bad-header',
      'header.link',
      'media-address',
    ],
    [
      'buttons',
      header('image', 'https://www.example.com/a.pdf'),
      'bad-header-type',
      'header.link',
      'media-type',
    ],
    ['buttons', { ...buttons, reply_to: '17' }, 'bad-reply', 'reply_to', undefined],
    ['carousels', { to, body: 'One', cards: [cards[0]] }, 'bad-field', 'cards', 'too-few'],
    [
      'carousels',
      card({ media: 'https://www.example.com/a.mp4' }),
      'bad-field',
      'cards[1].media',
      'media-alike',
    ],
    ['carousels', card({ media: '' }), 'bad-header', 'cards[1].media', 'media-address'],
    ['carousels', card({ body: '' }), 'bad-field', 'cards[1].body', 'text-of-all-cards'],
    ['carousels', card({ body: '1\n2\n3\n4' }), 'bad-field', 'cards[1].body', 'too-many-lines'],
    ['carousels', card({ replies: replies }), 'bad-field', 'cards[1].replies', 'buttons-alike'],
    ['carousels', card({ replies: [], opens }), 'bad-field', 'cards[1].opens', 'buttons-alike'],
    [
      'carousels',
      card({
        replies: [
          { text: 'A', id: '1' },
          { text: 'B', id: '1' },
        ],
      }),
      ...['bad-field', 'cards[1].replies[1].id', 'same-button'],
    ],
  ];
  for (const [path, body, ...expected] of cases) {
    await refused(`/chat/${path}/estimate`, body, expected);
    await refused(`/chat/${path}`, body, expected);
  }
});

test('a message of the client is quoted, and the same request with its key is done once', async () => {
  const client = newClient();
  const asked = await chat.clientWrites(client, 'When?');
  const body = { to: client, body: 'Tomorrow', replies, reply_to: asked };
  const key = { 'idempotency-key': `buttons-${client}` };
  const first = await json<Sent>(post('/chat/buttons', body, key), 202);
  const second = await json<Sent>(post('/chat/buttons', body, key), 202);
  assert.equal(second.id, first.id);
  const [arrived] = await chat.arrived(client);
  assert.ok(arrived!.replyTo !== null);
  assert.equal((await chat.arrived(client)).length, 1);
});
