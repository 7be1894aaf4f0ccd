import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { encodeMessage, type PlatformMessage } from '../../../server/protocols/chat-platform/messages.ts';
import type { ChatPhoneMessage } from '../../../server/sandbox/chat-platform/phones.ts';
import { covers } from '../../conformance/covers.ts';
import { waitFor } from '../../support/wait-for.ts';
import {
  accepted,
  BUSINESS,
  CLIENT,
  contactPage,
  number,
  openWindow,
  type PlatformUnderTest,
  startPlatform,
} from './support.ts';

const way = { to: CLIENT, reference: 'r' } as const;
const image = 'https://media.example/a.jpg';

/** What the phone shows of a message, without what differs every time. */
async function shown(under: PlatformUnderTest, message: PlatformMessage) {
  const id = await accepted(under.client, message);
  const arrived = await waitFor<ChatPhoneMessage | undefined>('the message on the phone', () =>
    under.platform.phones.list(CLIENT).find((each) => each.id === id),
  );
  const { id: _id, at, ...rest } = arrived;
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000);
  return rest;
}

async function startWithWindow(t: TestContext) {
  const under = await startPlatform(t);
  return { under, written: await openWindow(under) };
}

const bare = {
  from: BUSINESS,
  header: null,
  media: null,
  footer: '',
  buttons: [],
  cards: [],
  replyTo: null,
  template: null,
};

test('text, quoting what the client wrote', covers('chatPlatform.messages'), async (t) => {
  const { under, written } = await startWithWindow(t);
  const body = 'שלום 👋 "quoted"';
  assert.deepEqual(await shown(under, { kind: 'text', ...way, body, replyTo: written }), {
    ...bare,
    type: 'text',
    body,
    replyTo: written,
  });
});

test(
  'reply buttons with a header, a footer and three replies',
  covers('A4.header, headerURL', 'chatPlatform.messages'),
  async (t) => {
    const { under } = await startWithWindow(t);
    const reply = (id: string, text: string) => ({ type: 'reply', id, text, payload: null });
    const message: PlatformMessage = {
      kind: 'buttons',
      ...way,
      header: { kind: 'document', link: 'https://media.example/price%20list.pdf' },
      body: 'Choose',
      footer: 'One of three',
      action: [
        { id: '1', title: 'One' },
        { id: '2', title: 'Two' },
        { id: '3', title: 'Three' },
      ],
    };
    assert.deepEqual(await shown(under, message), {
      ...bare,
      type: 'buttons',
      header: { type: 'document', link: 'https://media.example/price%20list.pdf' },
      body: 'Choose',
      footer: 'One of three',
      buttons: [reply('1', 'One'), reply('2', 'Two'), reply('3', 'Three')],
    });
    const sent = JSON.parse(encodeMessage(message, contactPage));
    assert.equal(sent.interactive.header.document.filename, 'price list.pdf');
  },
);

test('a button that opens a website, calls or writes an e-mail', covers('A4.buttonExternal'), async (t) => {
  const { under } = await startWithWindow(t);
  const cases = [
    [{ kind: 'website', url: 'https://shop.example/?a=1' }, 'https://shop.example/?a=1'],
    [{ kind: 'phone', number: '97231234567' }, `${contactPage}?tel=97231234567`],
    [{ kind: 'email', address: 'a+b@shop.example' }, `${contactPage}?mail=a%2Bb%40shop.example`],
  ] as const;
  for (const [external, url] of cases) {
    const action = { title: 'Open', external };
    const message = { kind: 'buttons', ...way, header: null, body: 'See', footer: '', action } as const;
    const { buttons } = await shown(under, message);
    assert.deepEqual(buttons, [{ type: 'url', text: 'Open', url }]);
  }
});

test(
  'carousels: quick replies whose ids repeat from card to card, and links',
  covers('A5.cards', 'chatPlatform.messages'),
  async (t) => {
    const { under } = await startWithWindow(t);
    const replies = [
      { id: '1', title: 'More' },
      { id: '2', title: 'Buy' },
    ];
    const card = { header: { kind: 'image', link: image }, body: 'Card', action: replies } as const;
    const message: PlatformMessage = { kind: 'carousel', ...way, body: 'Look', cards: [card, card] };
    const { cards, body, type } = await shown(under, message);
    assert.deepEqual([type, body, cards.length], ['carousel', 'Look', 2]);
    assert.deepEqual(cards[1], {
      header: { type: 'image', link: image },
      body: 'Card',
      buttons: [
        { type: 'reply', id: 'card2:1', text: 'More', payload: null },
        { type: 'reply', id: 'card2:2', text: 'Buy', payload: null },
      ],
    });
    const links = Array.from({ length: 10 }, (_, index) => ({
      header: { kind: 'video', link: 'https://media.example/a.mp4' } as const,
      body: '',
      action: { title: 'Open', external: { kind: 'website', url: `https://shop.example/${index}` } as const },
    }));
    const shownLinks = await shown(under, { kind: 'carousel', ...way, body: 'Look', cards: links });
    assert.deepEqual(
      shownLinks.cards.map(({ buttons }) => buttons),
      links.map(({ action }) => [{ type: 'url', text: 'Open', url: action.external.url }]),
    );
  },
);

test('what the platform refuses is refused with its code', covers('chatPlatform.errors'), async (t) => {
  const under = await startPlatform(t);
  const { client } = under;
  const outcomeOf = (message: PlatformMessage) => client.sendMessage(number, message);
  const action = [{ id: '1', title: 'x'.repeat(21) }];
  const long = await outcomeOf({ kind: 'buttons', ...way, header: null, body: 'b', footer: '', action });
  assert.deepEqual(
    { ...long, title: '' },
    { outcome: 'refused', code: 131009, reason: 'request', retry: false, title: '' },
  );
  const text = { kind: 'text', ...way, body: '' } as const;
  assert.equal((await outcomeOf(text)).outcome, 'refused');
  const card = (kind: 'image' | 'video') => ({
    header: { kind, link: image },
    body: '',
    action: [{ id: '1', title: 'a' }],
  });
  const mixed = await outcomeOf({
    kind: 'carousel',
    ...way,
    body: 'b',
    cards: [card('image'), card('video')],
  });
  assert.deepEqual([mixed.outcome, 'code' in mixed && mixed.code], ['refused', 131009]);
});
