import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, v1 } from '../api/v1/support.ts';
import { newClient, SOURCE, startChat, templateId } from '../channels/chat-api/support.ts';
import { covers } from '../conformance/covers.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/** What the sandbox has for chat (decisions, section 5): the demo account's templates, phones, endings that fail. */
const chat = await startChat();
const api = v1(chat.url, DEMO_TOKEN);

interface PhoneMessage {
  readonly id: string;
  readonly buttons: readonly { readonly id: string; readonly text: string }[];
  readonly cards: readonly { readonly buttons: readonly { readonly id: string; readonly text: string }[] }[];
}
const arrived = async (client: string) => (await chat.arrived(client)) as unknown as PhoneMessage[];

/** What a phone does; the API's answer. */
const act = <T = { id: string }>(client: string, body: object, status = 200) =>
  json<T>(
    api.post(`/sandbox/phones/${client}/chat`, JSON.stringify(body), { 'content-type': 'application/json' }),
    status,
  );
const incoming = (client: string) =>
  chat.sql`SELECT type, body, button_id, card, reply_to FROM chat_incoming WHERE client = ${client} ORDER BY id`;
const plain = (destination: string) =>
  chat.accepted('send-template-message', { source: SOURCE, destination, templateId: templateId('plain') });

test(
  'each of the approved templates of the demo account is sent, and looks as expected',
  covers('sandbox.demo.templates', 'sandbox.chat'),
  async () => {
    const later = '31/12/2036 23:59';
    for (const [suffix, values, body] of [
      ['plain', {}, 'Your order is on its way.'],
      [
        'two',
        { dynamicFieldsObject: { 1: 'Dana', 2: '1234' } },
        'Hello Dana, your order 1234 is on its way.',
      ],
      [
        'image',
        { dynamicFieldsObject: { 1: 'Dana' }, headerLink: 'https://127.0.0.1:1/a.jpg' },
        'Hello Dana, look what is new.',
      ],
      ['website', { websiteVariable: '1234' }, 'Your invoice is ready.'],
      ['coupon', { couponCode: '250000', couponExpiration: later }, 'A present for you.'],
      // The text of an authentication template is the platform's.
      [
        'otp',
        { otp: '123456' },
        '*123456* is your verification code. For your security, do not share this code.',
      ],
      ['replies', {}, 'Shall we come tomorrow?'],
    ] as const) {
      const destination = newClient();
      const content = { source: SOURCE, destination, templateId: templateId(suffix), ...values };
      const { ans } = await chat.accepted('send-template-message', content);
      const [message] = await chat.arrived(destination);
      assert.deepEqual([ans.body, message!.body], [suffix === 'otp' ? '' : body, body]);
      for (const field of ['id', 'from', 'type', 'body', 'header', 'footer', 'buttons', 'cards', 'at']) {
        assert.ok(field in message!, `${suffix} has no ${field}`);
      }
      assert.deepEqual([message!.from, message!.type], [SOURCE, 'template']);
    }
  },
);

test('a phone writes, quotes what arrived there, and is heard', covers('sandbox.chat.write'), async () => {
  const client = newClient();
  const { ans } = await plain(client);
  const [message] = await arrived(client);
  // A phone is faster than any person: what it had is known by its id once the platform's answer is stored.
  await waitFor('it is handed over', async () => {
    const [row] = await chat.sql`SELECT handed_at FROM messages WHERE recipient = ${client}`;
    return row!.handed_at !== null;
  });
  await act(client, { to: '055-000-0001', body: 'Thank you', replyTo: message!.id });
  await waitFor('it is heard', async () => (await incoming(client)).length === 1);
  const [wrote] = await incoming(client);
  assert.deepEqual([wrote!.type, wrote!.body, String(wrote!.reply_to)], ['text', 'Thank you', ans.unique]);
});

test('a phone presses buttons, by their text or their id', covers('sandbox.chat.press'), async () => {
  const client = newClient();
  await chat.accepted('send-template-message', {
    source: SOURCE,
    destination: client,
    templateId: templateId('replies'),
  });
  const [template] = await arrived(client);
  await act(client, { to: SOURCE, message: template!.id, button: 'Another day' });
  await waitFor('it is heard', async () => (await incoming(client)).length === 1);
  const cards = Object.fromEntries(
    [1, 2].flatMap((card) => [
      [`card${card}_headerLink`, 'https://127.0.0.1:1/a.jpg'],
      [`card${card}_button1`, 'This one'],
    ]),
  );
  await chat.accepted('send-carousel', {
    source: SOURCE,
    destination: client,
    message: 'Two for you',
    buttons: 2,
    ...cards,
    card2_button1ID: 'blue',
  });
  const carousel = await waitFor('the carousel', async () => (await arrived(client))[1]);
  const [first, second] = carousel.cards.map(({ buttons }) => buttons[0]!.id);
  for (const button of [first!, second!]) await act(client, { to: SOURCE, message: carousel.id, button });
  await waitFor('all are heard', async () => (await incoming(client)).length === 3);
  assert.deepEqual(
    (await incoming(client)).map(({ type, body, button_id, card }) => [type, body, button_id, card]).sort(),
    [
      ['button', 'Another day', 'Another day', null],
      ['button', 'This one', '1', 1],
      ['button', 'This one', 'blue', 2],
    ].sort(),
  );
});

test(
  'what a phone cannot do is refused with its reason, and only with the token of the demo account',
  covers('sandbox.chat.write'),
  async () => {
    const client = newClient();
    for (const body of [
      {},
      { to: SOURCE },
      { to: SOURCE, body: '' },
      { to: '972550000002', body: 'Hello' },
      { to: 'x', body: 'Hello' },
      { to: SOURCE, message: 'wamid.none', button: 'Yes' },
    ]) {
      const { message } = await act<{ message: string }>(client, body, 400);
      assert.match(message, /\w/);
    }
    const other = await chat.addAccount({ username: 'other' });
    const theirs = v1(chat.url, other.token);
    assert.equal((await theirs.post(`/sandbox/phones/${client}/chat`, '{}')).status, 401);
    assert.equal((await incoming(client)).length, 0);
  },
);

test('numbers that fail, by their ending', covers('sandbox.chat.endings'), async () => {
  const ends = {
    '0001': [101, 'no-such-number'],
    '0002': [101, 'window-closed'],
    '0003': [101, 'no-such-number'],
    '0004': [-1, null],
    '0005': [102, null],
    '0006': [101, 'no-such-number'],
    '0007': [101, 'not-delivered'],
    '0008': [102, null],
    '0009': [101, 'media'],
  };
  const sent = await Promise.all(
    Object.keys(ends).map(async (ending) => [ending, (await plain(`97254123${ending}`)).ans.unique] as const),
  );
  for (const [ending, id] of sent) {
    const [status, code] = ends[ending as keyof typeof ends];
    await waitFor(`${ending} ends with ${status}`, async () => {
      const [row] = await chat.sql<{ status: number; code: string | null; handed_at: number | null }[]>`
        SELECT status, code, handed_at FROM messages WHERE account_id = ${chat.demo.id} AND id = ${Number(id)}`;
      const isThere = status === -1 ? row!.handed_at !== null : true;
      return isThere && row!.status === status && (code === null || row!.code === code);
    });
  }
});

test(
  'templates are reviewed by the ending of their name, and the list of the chat API follows',
  covers(
    'templateStatus.1',
    'templateStatus.2',
    'templateStatus.3',
    'templateStatus.4',
    'templateStatus.5',
    'templateStatus.6',
    'templateStatus.7',
    'templateStatus.9',
    'templateStatus.10',
    'templateStatus.11',
    'sandbox.chat.reviews',
  ),
  async () => {
    const ends = {
      order: 1,
      order_reject: 2,
      order_policy: 3,
      order_spam: 4,
      order_unknown: 5,
      order_pause: 6,
      order_disable: 7,
      order_flag: 10,
      order_unflag: 11,
    };
    const made = await Promise.all(
      Object.entries(ends).map(async ([name, status]) => {
        const body = { phone: SOURCE, name, language: 'en', category: 'utility', body: 'Hello.' };
        const answer = api.post('/chat/templates', JSON.stringify(body), {
          'content-type': 'application/json',
        });
        const { template_id: id } = await json<{ template_id: string }>(answer, 202);
        return { id, status };
      }),
    );
    const shown = async (id: string) => {
      const { json: answer } = await chat.get(`get-phone-templates/${SOURCE}/${id}`);
      return (answer.templates as { status: number }[])[0]!.status;
    };
    for (const { id, status } of made) {
      await waitFor(`${id} has status ${status}`, async () => (await shown(id)) === status);
      const reason = [1, 10, 11].includes(status) ? 1 : 6;
      const content = { source: SOURCE, destination: newClient(), templateId: id };
      assert.equal(
        (await chat.post('send-template-message', content)).ans.reason,
        reason,
        `status ${status}`,
      );
    }
    const [approved] = made;
    const removed = await fetch(`${chat.url}/v1/chat/templates/${approved!.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${DEMO_TOKEN}` },
    });
    await json(removed);
    assert.equal(await shown(approved!.id), 9);
  },
);
