import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { type Body, newClient, SOURCE, startChat, startFiles, templateId } from './support.ts';

/** A5: a carousel; every field, and every reason of its table. */
const chat = await startChat();
const files = await startFiles();
const path = 'send-carousel';
/** Nobody answers there. */
const nowhere = 'https://127.0.0.1:1';

/** One who has written, for what is refused. */
const client = await chat.writingClient();
const cards = (numbers: readonly number[], fields: Body): Body =>
  Object.fromEntries(
    numbers.flatMap((number) =>
      Object.entries(fields).map(([field, value]) => [`card${number}_${field}`, value]),
    ),
  );
const one = { headerLink: `${nowhere}/a.jpg`, button1: 'This one' };
const two = { ...one, button2: 'Not this' };
const external = {
  headerLink: `${nowhere}/a.jpg`,
  buttonExternal: 'https://www.example.com/',
  buttonExternalText: 'Open it',
};

const message = (buttons: unknown, more: Body): Body => ({
  source: SOURCE,
  destination: client,
  message: 'Two for you',
  buttons,
  ...more,
});
/** Two cards with one reply button. */
const simple = (more: Body = {}) => message(2, { ...cards([1, 2], one), ...more });
const accepted = (body: Body) => chat.accepted(path, body);
const refused = (body: Body, reason: number, about: RegExp) => chat.refused(path, body, reason, about);

test(
  '1: accepted, answered with every field and the cards, and it arrives',
  covers('A5.answer', 'A5.1', 'sandbox.chat'),
  async () => {
    const destination = await chat.writingClient();
    const shown = { ...cards([1, 2], { headerLink: `${nowhere}/a.jpg`, body: 'Line\nline\nline' }) };
    const { json } = await accepted(simple({ destination, ...shown }));
    const { unique, timestamp, templateTimeLeft, ...ans } = json.ans as Record<string, unknown>;
    assert.deepEqual(Object.keys(json), ['success', 'ans']);
    assert.deepEqual(ans, {
      status: 'OK',
      from: SOURCE,
      to: destination,
      body: 'Two for you',
      ...shown,
      conversationTimeLeft: 1440,
      reason: 1,
    });
    assert.ok(typeof unique === 'string' && Number.isInteger(timestamp));
    assert.ok(Number(templateTimeLeft) >= 1438 && Number(templateTimeLeft) <= 1440);
    const [received] = await chat.arrived(destination);
    assert.equal(received!.body, 'Two for you');
    assert.equal((received!.cards as unknown[]).length, 2);
  },
);

test('each of the three kinds of buttons, 2 to 10 cards, pictures or films', covers('A5.cards'), async () => {
  const all = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  await accepted(message(1, cards(all, external)));
  await accepted(message('2', cards(all, one)));
  await accepted(message(3, cards(all, { ...two, headerLink: `${nowhere}/a.mp4` })));
  await accepted(message(3, cards([1, 2, 3], two)));
  for (const buttonExternal of ['+972550000001', 'shop@example.com']) {
    await accepted(message(1, cards([1, 2], { ...external, buttonExternal })));
  }
});

test(
  'ids of buttons are those given, else 1 and 2',
  covers('A5.cardX_button1ID, cardX_button2ID'),
  async () => {
    const destination = await chat.writingClient();
    const ids = { card1_button1ID: 'red', card1_button2ID: 7 };
    await accepted(message(3, { ...cards([1, 2], two), ...ids, destination }));
    const [row] = await chat.sql<{ text: string }[]>`
    SELECT coalesce(m.payload, s.payload) AS text FROM messages m
    JOIN shipments s ON s.account_id = m.account_id AND s.id = m.shipment_id WHERE m.recipient = ${destination}`;
    const stored = JSON.parse(row!.text) as { cards: { action: { id: string }[] }[] };
    assert.deepEqual(
      stored.cards.map(({ action }) => action.map(({ id }) => id)),
      [
        ['red', '7'],
        ['1', '2'],
      ],
    );
  },
);

test(
  'showRequest 1: the request is answered, without the key; accepted or not',
  covers('A5.showRequest'),
  async () => {
    for (const showRequest of [1, '1']) {
      const body = simple({ more: { deep: [1] } });
      const good = await accepted({ ...body, showRequest });
      assert.deepEqual(good.json.request, body);
      const bad = await refused({ ...body, buttons: 9, showRequest }, 11, /./);
      assert.deepEqual(bad.json.request, { ...body, buttons: 9 });
    }
    for (const showRequest of [0, '0', '', null, 2, {}, [1]]) {
      assert.equal('request' in (await accepted(simple({ showRequest }))).json, false);
    }
  },
);

test('2: the source is missing or not of the account', covers('A5.2'), async () => {
  for (const source of [undefined, '', 'x', {}, '972550000002'])
    await refused(simple({ source }), 2, /^source: /);
});

test('3: suspended, or there is no such message to quote', covers('A5.replyTo', 'A5.3'), async () => {
  const { accounts } = chat.appContext;
  await accounts.suspend(chat.demo.id, true);
  await refused(simple(), 3, /suspended/);
  await accounts.suspend(chat.demo.id, false);
  await refused(simple({ replyTo: '1' }), 3, /^replyTo: /);
  const destination = newClient();
  await accepted(simple({ destination, replyTo: await chat.clientWrites(destination) }));
});

test('4: the destination is missing or no number', covers('A5.4'), async () => {
  for (const destination of [undefined, '', 'abc', {}, []]) {
    await refused(simple({ destination }), 4, /^destination: /);
  }
});

test(
  '5: the message is empty or over 1,024 characters',
  covers('A5.5', 'chatLimits.carousel.message'),
  async () => {
    for (const text of [undefined, null, '', ' ', {}, ['x'], 'x'.repeat(1_025)]) {
      await refused(simple({ message: text }), 5, /^message: /);
    }
    await accepted(simple({ message: 'x'.repeat(1_024) }));
  },
);

test(
  '7: a template waits for an answer; 8: the client has never written',
  covers('A5.7', 'A5.8'),
  async () => {
    const destination = await chat.writingClient();
    await chat.accepted('send-template', { source: SOURCE, destination, templateId: templateId('plain') });
    await refused(simple({ destination }), 7, /./);
    await refused(simple({ destination: newClient() }), 8, /./);
  },
);

test(
  '10: cards are not numbered from 1 without gaps, or there are not 2 to 10',
  covers('A5.10', 'chatLimits.carousel'),
  async () => {
    const eleven = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    for (const numbers of [[], [1], [2], [2, 3], [1, 3], [0, 1, 2], [1, 2, 4], [1, 2, 99], eleven]) {
      await refused(message(2, cards(numbers, one)), 10, /cards/);
    }
    await refused(message(2, { ...cards([1], one), card02_headerLink: `${nowhere}/a.jpg` }), 10, /cards/);
    await refused(message(2, { ...cards([1, 2], one), card4_button1ID: 'x' }), 10, /cards/);
    // Empty fields are no card.
    await accepted(simple({ card3_headerLink: '', card3_body: null, card4_body: '  ' }));
  },
);

test('11: buttons is not 1, 2 or 3', covers('A5.11'), async () => {
  for (const buttons of [undefined, null, '', 0, 4, '1.5', 1.5, 'one', {}, [1, 2], true]) {
    await refused(message(buttons, cards([1, 2], one)), 11, /^buttons: /);
  }
});

test(
  '12: the link of a card is missing, too long, of another type, or too large',
  covers('A5.12', 'chatLimits.carousel.link'),
  async () => {
    const mib = 1024 * 1024;
    const long = `${nowhere}/${'x'.repeat(2_000 - nowhere.length - 5)}.jpg`;
    for (const headerLink of [
      undefined,
      '',
      {},
      ['x'],
      'a.jpg',
      'ftp://example.com/a.jpg',
      `${nowhere}/a.pdf`,
      `${nowhere}/a.gif`,
      `${nowhere}/a`,
      `${files}/10/a.html`,
      `${files}/nothing.jpg`,
      `${files}/${5 * mib + 1}/a.jpg`,
      `${files}/${16 * mib + 1}/a.mp4`,
      `${long}g`,
    ]) {
      await refused(simple({ card2_headerLink: headerLink }), 12, /^card2_headerLink: /);
    }
    assert.equal(long.length, 2_000);
    await accepted(simple({ card1_headerLink: long, card2_headerLink: `${files}/${5 * mib}/a.jpg` }));
  },
);

test('12: all cards have pictures, or all have films', covers('A5.12'), async () => {
  await refused(simple({ card2_headerLink: `${nowhere}/a.mp4` }), 12, /^card2_headerLink: .*kind/);
  const films = cards([1, 2, 3], { ...one, headerLink: `${nowhere}/a.mp4` });
  await refused(message(2, { ...films, card3_headerLink: `${nowhere}/a.png` }), 12, /^card3_headerLink: /);
  // What the server says counts before the name.
  await refused(
    message(2, { ...films, card1_headerLink: `${files}/10/a.jpg` }),
    12,
    /^card2_headerLink: .*kind/,
  );
});

test(
  '13: the text of a card is too long, has three line breaks, or is not on all cards',
  covers('A5.13', 'chatLimits.carousel.body'),
  async () => {
    for (const text of ['x'.repeat(161), 'a\nb\nc\nd', 'a\r\nb\rc\nd', {}, ['x']]) {
      await refused(simple({ card1_body: 'x', card2_body: text }), 13, /^card2_body: /);
    }
    await refused(simple({ card1_body: 'x' }), 13, /^card2_body: /);
    await refused(simple({ card2_body: 'x' }), 13, /^card1_body: /);
    await accepted(simple({ card1_body: 'x'.repeat(160), card2_body: 'a\r\nb\nc' }));
  },
);

test(
  '14: the address of a button is missing or invalid, or the card has replies',
  covers('A5.14', 'chatLimits.carousel.buttons'),
  async () => {
    const whole = cards([1, 2], external);
    for (const address of [
      undefined,
      '',
      'x',
      'http://example.com',
      {},
      ['x'],
      `https://x.com/${'x'.repeat(1_000)}`,
    ]) {
      await refused(message(1, { ...whole, card2_buttonExternal: address }), 14, /^card2_buttonExternal: /);
    }
    for (const [buttons, fields] of [
      [2, one],
      [3, two],
    ] as const) {
      const body = message(buttons, {
        ...cards([1, 2], fields),
        card1_buttonExternal: 'https://www.example.com/',
      });
      await refused(body, 14, /^card1_buttonExternal: /);
    }
    await accepted(message(1, { ...whole, card2_buttonExternal: `https://x.com/${'x'.repeat(1_000 - 14)}` }));
  },
);

test(
  '15: the text of a button is missing or over 20 characters, or the card has replies',
  covers('A5.15'),
  async () => {
    const whole = cards([1, 2], external);
    for (const text of [undefined, '', ' ', {}, ['x'], 'x'.repeat(21)]) {
      await refused(
        message(1, { ...whole, card2_buttonExternalText: text }),
        15,
        /^card2_buttonExternalText: /,
      );
    }
    await refused(simple({ card1_buttonExternalText: 'x' }), 15, /^card1_buttonExternalText: /);
    await accepted(message(1, { ...whole, card2_buttonExternalText: 'x'.repeat(20) }));
  },
);

test(
  '16: the first reply button is missing or too long, or the card has an address',
  covers('A5.16', 'chatLimits.carousel.buttons'),
  async () => {
    for (const buttons of [2, 3]) {
      for (const text of [undefined, null, '', {}, ['x'], 'x'.repeat(21)]) {
        await refused(
          message(buttons, { ...cards([1, 2], two), card2_button1: text }),
          16,
          /^card2_button1: /,
        );
      }
    }
    await refused(message(1, { ...cards([1, 2], external), card1_button1: 'x' }), 16, /^card1_button1: /);
    await accepted(simple({ card2_button1: 'x'.repeat(20) }));
  },
);

test(
  '17: the id of the first button is too long or no text',
  covers('A5.17', 'chatLimits.carousel.buttons'),
  async () => {
    for (const id of ['x'.repeat(201), {}, ['x']])
      await refused(simple({ card2_button1ID: id }), 17, /^card2_button1ID: /);
    await accepted(simple({ card2_button1ID: 'x'.repeat(200) }));
  },
);

test(
  '18: the second reply button is missing, too long or the first again, or was not asked for',
  covers('A5.18'),
  async () => {
    const whole = cards([1, 2], two);
    for (const text of [undefined, '', {}, ['x'], 'x'.repeat(21), 'This one']) {
      await refused(message(3, { ...whole, card2_button2: text }), 18, /^card2_button2: /);
    }
    await refused(simple({ card1_button2: 'x' }), 18, /^card1_button2: /);
    await refused(message(1, { ...cards([1, 2], external), card2_button2: 'x' }), 18, /^card2_button2: /);
  },
);

test(
  '19: the id of the second button is too long, no text, or that of the first',
  covers('A5.19'),
  async () => {
    const whole = cards([1, 2], two);
    for (const id of ['x'.repeat(201), {}, ['x'], '1']) {
      await refused(message(3, { ...whole, card2_button2ID: id }), 19, /^card2_button2ID: /);
    }
    await refused(message(3, { ...whole, card1_button1ID: '2' }), 19, /^card1_button2ID: /);
    await accepted(message(3, { ...whole, card2_button2ID: 'x'.repeat(200) }));
    // Without its button an id means nothing.
    await accepted(simple({ card1_button2ID: 'x'.repeat(201) }));
  },
);

test(
  'the order of checks: source, destination, window, then the fields of the table through all cards',
  covers('A5.order', 'chat.order'),
  async () => {
    const long = 'x'.repeat(2_001);
    const bad = { headerLink: 'x', body: long, button1: '', button1ID: long, button2: '', button2ID: long };
    let body: Body = {
      source: 'x',
      destination: 'x',
      message: '',
      buttons: 9,
      ...cards([1, 3], bad),
      replyTo: 'x',
    };
    const steps: [Body, number][] = [
      [{ source: SOURCE }, 2],
      [{ destination: newClient() }, 4],
      [{ destination: client }, 8],
      [{ message: 'Hello' }, 5],
      [{ buttons: 3 }, 11],
      [cards([2], { ...bad, button2: undefined }), 10],
      ...(
        [
          [{ headerLink: `${nowhere}/a.jpg` }, 12],
          [{ body: 'Hello' }, 13],
          [{ button1: 'Yes' }, 16],
          [{ button1ID: '' }, 17],
          [{ button2: 'No' }, 18],
          [{ button2ID: '' }, 19],
        ] as const
      ).flatMap(([fields, reason]): [Body, number][] => [
        // One card that is left as it is decides as much as all of them.
        [cards([1, 2], fields), reason],
        [cards([3], fields), reason],
      ]),
      [{ replyTo: '' }, 3],
    ];
    for (const [repair, reason] of steps) {
      await refused(body, reason, /./);
      body = { ...body, ...repair };
    }
    await accepted(body);
  },
);

test('14 comes before 15, and both after 13', covers('A5.order'), async () => {
  const whole = cards([1, 2], { ...external, body: 'x' });
  const bad = { card2_buttonExternal: '', card1_buttonExternalText: '' };
  await refused(message(1, { ...whole, ...bad, card2_body: '' }), 13, /./);
  await refused(message(1, { ...whole, ...bad }), 14, /./);
  await refused(message(1, { ...whole, card1_buttonExternalText: '' }), 15, /./);
});
