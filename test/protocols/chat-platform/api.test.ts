import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { MessageFact } from '../../../server/protocols/chat-platform/facts.ts';
import { covers } from '../../conformance/covers.ts';
import { startSandboxApi } from '../../support/sandbox-api.ts';
import { waitFor } from '../../support/wait-for.ts';
import {
  accepted,
  BUSINESS,
  CLIENT,
  openWindow,
  startPlatform,
  templateMessage,
  textMessage,
} from './support.ts';

async function startApi(t: TestContext) {
  const under = await startPlatform(t);
  const app = await startSandboxApi(t, { platform: under.platform });
  const post = async (payload: unknown, phone = CLIENT) => {
    const url = `/v1/sandbox/phones/${encodeURIComponent(phone)}/chat`;
    const answer = await app.inject({ method: 'POST', url, payload: payload as object });
    return { status: answer.statusCode, body: answer.json<Record<string, string>>() };
  };
  const told = (id: string) =>
    waitFor<MessageFact | undefined>('the webhook', () =>
      under.receiver.messages().find(({ platformId }) => platformId === id),
    );
  return { ...under, under, app, post, told };
}

const none = { body: '', buttonId: null, card: null, about: '', details: null, media: null };
const pressed = (buttonId: string, body: string, card: number | null) => {
  return { ...none, type: 'button', body, buttonId, card };
};

test('a phone writes, in any spelling of the numbers, and quotes', async (t) => {
  const { post, told } = await startApi(t);
  const first = await post({ to: '055-0000001', body: 'שלום' }, '050-1234567');
  assert.equal(first.status, 200);
  const fact = await told(first.body.id!);
  assert.deepEqual(
    [fact.from, fact.businessNumber, fact.replyTo, fact.content],
    [CLIENT, BUSINESS, '', { ...none, type: 'text', body: 'שלום' }],
  );
  const second = await post({ to: BUSINESS, body: 'again', replyTo: 'wamid.X' });
  assert.equal((await told(second.body.id!)).replyTo, 'wamid.X');
});

test(
  'a phone presses buttons: of a template, of a message, of a card',
  covers('sandbox.chat.press'),
  async (t) => {
    const { post, told, platform, client, under } = await startApi(t);
    const press = async (message: string, button: string | number) => {
      await waitFor('the message', () => platform.phones.list(CLIENT).some(({ id }) => id === message));
      const answer = await post({ to: BUSINESS, message, button });
      assert.equal(answer.status, 200, JSON.stringify(answer));
      const fact = await told(answer.body.id!);
      assert.equal(fact.replyTo, message);
      return fact.content;
    };
    const template = await accepted(client, templateMessage('replies'));
    assert.deepEqual(await press(template, 'No'), pressed('No', 'No', null));
    const way = { to: CLIENT, reference: 'r' } as const;
    const action = [
      { id: '1', title: 'One' },
      { id: '2', title: 'Two' },
    ];
    const buttons = { kind: 'buttons', ...way, header: null, body: 'b', footer: '', action } as const;
    const message = await accepted(client, buttons);
    assert.deepEqual(await press(message, 2), pressed('2', 'Two', null));
    const card = { header: { kind: 'image', link: 'https://a.example/a.png' }, body: '', action } as const;
    const carousel = await accepted(client, { kind: 'carousel', ...way, body: 'b', cards: [card, card] });
    assert.deepEqual(await press(carousel, 'card2:1'), pressed('1', 'One', 2));
    // As the business gave it, too; the first that there is.
    assert.deepEqual(await press(carousel, '1'), pressed('1', 'One', 1));
    await openWindow(under);
    const external = { kind: 'website', url: 'https://shop.example/' } as const;
    const link = await accepted(client, { ...buttons, action: { title: 'Open', external } });
    await waitFor('the message', () => platform.phones.list(CLIENT).some(({ id }) => id === link));
    const opened = await post({ to: BUSINESS, message: link, button: 'Open' });
    assert.deepEqual(opened, { status: 200, body: { opened: 'https://shop.example/' } });
  },
);

test('bad input is refused with the name of the field', async (t) => {
  const { post, client, platform, under } = await startApi(t);
  await openWindow(under);
  const message = await accepted(client, textMessage('no buttons'));
  await waitFor('the message', () => platform.phones.list(CLIENT).length === 1);
  const cases: [payload: unknown, field: RegExp, phone?: string][] = [
    [{ to: BUSINESS, body: 'x' }, /^number/, 'nonsense'],
    [{ body: 'x' }, /^to/],
    [{ to: 'nobody', body: 'x' }, /^to is not a phone number/],
    [{ to: '972550000099', body: 'x' }, /^to is not a business number/],
    [{ to: BUSINESS }, /^body/],
    [{ to: BUSINESS, body: '' }, /^body/],
    [{ to: BUSINESS, body: 'x'.repeat(5_000) }, /^body/],
    [{ to: BUSINESS, body: 'x', replyTo: 5 }, /^replyTo/],
    [{ to: BUSINESS, button: 'Yes' }, /^message/],
    [{ to: BUSINESS, message: 'wamid.none', button: 'Yes' }, /^message/],
    [{ to: BUSINESS, message, button: 'Yes' }, /^button/],
    [[], /^body/],
  ];
  for (const [payload, field, phone] of cases) {
    const { status, body } = await post(payload, phone);
    assert.equal(status, 400, JSON.stringify(payload).slice(0, 60));
    assert.match(body.message!, field);
  }
});
