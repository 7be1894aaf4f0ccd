import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { type Body, newClient, SOURCE, startChat, startFiles, templateId } from './support.ts';

/** A4: a message with buttons; every field, and every reason of its table. */
const chat = await startChat();
const files = await startFiles();
const path = 'send-buttons';
/** Nobody answers there. */
const nowhere = 'https://127.0.0.1:1';

/** One who has written, for what is refused. */
const client = await chat.writingClient();
const message = (more: Body = {}): Body => ({
  source: SOURCE,
  destination: client,
  header: '1',
  body: 'Shall we come tomorrow?',
  button1: 'Yes',
  ...more,
});
const accepted = (more: Body = {}) => chat.accepted(path, message(more));
const refused = (more: Body, reason: number, about: RegExp) =>
  chat.refused(path, message(more), reason, about);

test('1: accepted, answered with every field, and it arrives', covers('A4.answer', 'A4.1'), async () => {
  const destination = await chat.writingClient();
  const more = { footer: 'By tonight', button2: 'No', button3: 'Another day' };
  const { json } = await accepted({ destination, ...more });
  const { unique, timestamp, templateTimeLeft, ...ans } = json.ans as Record<string, unknown>;
  assert.deepEqual(Object.keys(json), ['success', 'ans']);
  assert.deepEqual(ans, {
    status: 'OK',
    from: SOURCE,
    to: destination,
    body: 'Shall we come tomorrow?',
    header: '1',
    button1: 'Yes',
    ...more,
    conversationTimeLeft: 1440,
    reason: 1,
  });
  assert.ok(typeof unique === 'string' && Number.isInteger(timestamp));
  assert.ok(Number(templateTimeLeft) >= 1438 && Number(templateTimeLeft) <= 1440);
  const [received] = await chat.arrived(destination);
  assert.deepEqual([received!.from, received!.body, received!.footer], [SOURCE, ans.body, 'By tonight']);
  assert.deepEqual(
    (received!.buttons as { text: string }[]).map(({ text }) => text),
    ['Yes', 'No', 'Another day'],
  );
});

test('an omitted field is returned as an empty text', covers('A4.answer'), async () => {
  const { ans } = await accepted({ header: 1 });
  assert.deepEqual([ans.header, ans.footer, ans.button2, ans.button3], ['1', '', '', '']);
});

test('2: the source is missing or not of the account', covers('A4.2'), async () => {
  for (const source of [undefined, '', 'x', {}, [], '972550000002'])
    await refused({ source }, 2, /^source: /);
  const other = await chat.addAccount({ username: 'other' });
  await chat.refused(path, message(), 2, /^source: /, { token: other.token });
});

test(
  '3: without credit beyond the thousand that are free, or suspended',
  covers('A4.3', 'chat.billing'),
  async () => {
    const { appContext, demo, sql } = chat;
    const { wallets, accounts } = appContext;
    await accounts.suspend(demo.id, true);
    await refused({}, 3, /suspended/);
    await accounts.suspend(demo.id, false);
    await accepted();
    const before = await chat.balance();
    await accepted();
    assert.equal(await chat.balance(), before);
    await sql`UPDATE chat_months SET messages = 1000 WHERE account_id = ${demo.id}`;
    await accepted();
    assert.equal(await chat.balance(), before - 0.5);
    const rest = await wallets.balance(demo.id);
    await wallets.topUp(demo.id, -rest, 'test');
    await refused({}, 3, /credit/);
    await wallets.topUp(demo.id, rest, 'test');
  },
);

test('3: there is no such message of the client to quote', covers('A4.replyTo'), async () => {
  const other = await chat.clientWrites(await chat.writingClient());
  for (const replyTo of ['1', 'x', 'wamid.x', other, '9'.repeat(30)]) {
    await refused({ replyTo }, 3, /^replyTo: /);
  }
  const { ans } = await accepted({ replyTo: '' });
  // What was sent to them is not what they wrote.
  await refused({ replyTo: ans.unique }, 3, /^replyTo: /);
});

test('a message of the client is quoted', covers('A4.replyTo'), async () => {
  const destination = newClient();
  const replyTo = await chat.clientWrites(destination);
  await accepted({ destination, replyTo });
  await accepted({ destination, replyTo: Number(replyTo) });
  const { id, accountId } = { id: Number(replyTo), accountId: chat.demo.id };
  const [wrote] = await chat.sql`
    SELECT platform_id FROM chat_incoming WHERE account_id = ${accountId} AND id = ${id}`;
  const rows = await chat.sql<{ text: string }[]>`
    SELECT coalesce(m.payload, s.payload) AS text FROM messages m
    JOIN shipments s ON s.account_id = m.account_id AND s.id = m.shipment_id WHERE m.recipient = ${destination}`;
  for (const { text } of rows) assert.equal(JSON.parse(text).replyTo, wrote!.platform_id);
  assert.equal(rows.length, 2);
});

test('4: the destination is missing or no number', covers('A4.4'), async () => {
  for (const destination of [undefined, '', 'abc', '12', {}, []])
    await refused({ destination }, 4, /^destination: /);
});

test('5: the body is empty or too long', covers('A4.5'), async () => {
  for (const body of [undefined, null, '', '  ', {}, ['x'], 'x'.repeat(1_025)]) {
    await refused({ body }, 5, /^body: /);
  }
  const { ans } = await accepted({ body: 'x'.repeat(1_024) });
  assert.equal(ans.body, 'x'.repeat(1_024));
});

test(
  "7: over 24 hours since the client's last message, or a template waits for their answer",
  covers('A4.7'),
  async () => {
    const destination = await chat.writingClient();
    await chat.accepted('send-template', { source: SOURCE, destination, templateId: templateId('plain') });
    await refused({ destination }, 7, /./);
    await chat.clientWrites(destination);
    await accepted({ destination });
  },
);

test('8: the client has never written', covers('A4.8'), async () => {
  await refused({ destination: newClient() }, 8, /./);
  const destination = newClient();
  await chat.accepted('send-template', { source: SOURCE, destination, templateId: templateId('plain') });
  await refused({ destination }, 8, /./);
});

test('9: the header is missing or none of the four', covers('A4.9'), async () => {
  for (const header of [undefined, null, '', '0', '5', 'image', {}, ['1'], 1.5]) {
    await refused({ header }, 9, /^header: /);
  }
});

test('10: the footer is too long, or no text', covers('A4.10'), async () => {
  for (const footer of ['x'.repeat(61), {}, ['x']]) await refused({ footer }, 10, /^footer: /);
  await accepted({ footer: 'x'.repeat(60) });
});

test(
  '11: the first button is missing or too long, or has an emoji with an address',
  covers('A4.11', 'chatLimits.buttons'),
  async () => {
    for (const button1 of [undefined, null, '', ' ', {}, ['x'], 'x'.repeat(21)]) {
      await refused({ button1 }, 11, /^button1: /);
    }
    await accepted({ button1: 'x'.repeat(20) });
    const buttonExternal = 'https://www.example.com/';
    for (const button1 of ['Go 🚀', '❤ it', '1️⃣', '🇮🇱', '']) {
      await refused({ button1, buttonExternal }, 11, /^button1: /);
    }
    await accepted({ button1: 'Go 🚀' });
    await accepted({ button1: 'Shop™ 1 © קנה', buttonExternal });
  },
);

test(
  '12: the second or third button is too long, or says the same as another',
  covers('A4.12', 'chatLimits.buttons'),
  async () => {
    for (const bad of ['x'.repeat(21), {}, ['x'], 'Yes']) {
      await refused({ button2: bad }, 12, /^button2: /);
      await refused({ button2: 'No', button3: bad }, 12, /^button3: /);
    }
    await refused({ button2: 'No', button3: 'No' }, 12, /^button3: /);
    await accepted({ button2: 'x'.repeat(20), button3: 'y'.repeat(20) });
    await accepted({ button3: 'Third' });
  },
);

test(
  '13: the link of a header is missing, not https, of another type, or too large',
  covers('A4.header, headerURL', 'A4.13'),
  async () => {
    for (const header of ['2', 3, '4']) {
      for (const headerURL of [
        undefined,
        '',
        {},
        [],
        'a.jpg',
        'https://',
        `${files}/10/a.jpg`,
        `${nowhere}/a.gif`,
        `${nowhere}/a.exe`,
        'https://user:password@127.0.0.1/a.jpg',
      ]) {
        await refused({ header, headerURL }, 13, /^headerURL: /);
      }
    }
    const types = { '2': ['jpg', 'jpeg', 'PNG'], '3': ['mp4'], '4': ['pdf'] };
    for (const [header, extensions] of Object.entries(types)) {
      for (const extension of extensions) await accepted({ header, headerURL: `${nowhere}/a.${extension}` });
      const others = Object.entries(types).filter(([other]) => other !== header);
      for (const extension of others.flatMap(([, some]) => some)) {
        await refused({ header, headerURL: `${nowhere}/a.${extension}` }, 13, /^headerURL: must lead/);
      }
    }
    await accepted({ header: '1', headerURL: 'x' });
  },
);

test('14: the address of a button is invalid', covers('A4.14'), async () => {
  for (const buttonExternal of [
    'x',
    'http://example.com',
    'https://',
    'https://user:password@example.com',
    '12345',
    'a@b',
    'javascript:alert(1)',
    {},
    ['https://example.com'],
    `https://example.com/${'x'.repeat(2_000)}`,
  ]) {
    await refused({ buttonExternal }, 14, /^buttonExternal: /);
  }
});

test(
  'a button that opens an address, calls or writes; the other buttons are not looked at',
  covers('A4.buttonExternal'),
  async () => {
    for (const buttonExternal of ['https://www.example.com/a?b=c', '+972 55-000-0001', 'shop@example.com']) {
      const destination = await chat.writingClient();
      const others = { button2: 'x'.repeat(50), button3: ['x'] };
      const { ans } = await accepted({ destination, button1: 'Open it', buttonExternal, ...others });
      assert.equal(ans.button1, 'Open it');
      const [received] = await chat.arrived(destination);
      const buttons = received!.buttons as unknown[];
      assert.equal(buttons.length, 1);
      assert.match(JSON.stringify(buttons), /Open it/);
    }
  },
);

test('a number to call as it is written at home is dialled from anywhere', async () => {
  const calls = async (buttonExternal: string) => {
    const destination = await chat.writingClient();
    await accepted({ destination, button1: 'Call', buttonExternal });
    const [received] = await chat.arrived(destination);
    return JSON.stringify(received!.buttons);
  };
  assert.match(await calls('055-0000001'), /\?tel=972550000001"/);
  assert.match(await calls('12125550123'), /\?tel=12125550123"/);
});

test(
  'the order of checks: source, destination, window, then the fields of the table',
  covers('A4.order', 'chat.order'),
  async () => {
    const steps: [Body, number][] = [
      [{ source: SOURCE }, 2],
      [{ destination: newClient() }, 4],
      [{ destination: client }, 8],
      [{ header: '2' }, 9],
      [{ headerURL: `${nowhere}/a.jpg` }, 13],
      [{ body: 'Hello' }, 5],
      [{ footer: '' }, 10],
      [{ button1: 'Yes' }, 11],
      [{ button2: 'No' }, 12],
      [{ button3: '' }, 12],
      [{ buttonExternal: '' }, 14],
      [{ replyTo: '' }, 3],
    ];
    const long = 'x'.repeat(100);
    let body: Body = {
      source: 'x',
      destination: 'x',
      header: '7',
      headerURL: 'x',
      body: '',
      footer: long,
      button1: '',
      button2: long,
      button3: long,
      replyTo: 'x',
    };
    for (const [repair, reason] of steps.filter(([, reason]) => reason !== 14)) {
      await chat.refused(path, body, reason, /./);
      body = { ...body, ...repair };
    }
    await chat.accepted(path, body);
    await chat.refused(path, { ...body, buttonExternal: 'x', replyTo: 'x' }, 14, /./);
  },
);

test('7: a day after the client wrote', covers('A4.7'), async () => {
  const destination = await chat.writingClient();
  await chat.advance(86_400 - 120);
  const { ans } = await accepted({ destination });
  assert.ok(Number(ans.templateTimeLeft) >= 0 && Number(ans.templateTimeLeft) <= 2);
  await chat.advance(180);
  await refused({ destination }, 7, /./);
});
