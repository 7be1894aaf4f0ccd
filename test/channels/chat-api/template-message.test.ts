import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLocal } from '../../../server/kit/time-zones.ts';
import { covers } from '../../conformance/covers.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type Body, newClient, SOURCE, startChat, startFiles, templateId, website } from './support.ts';

/** A2: one template message; every field, and every reason of its table. */
const chat = await startChat();
const files = await startFiles();
const path = 'send-template-message';

const message = (suffix: string, more: Body = {}): Body => ({
  source: SOURCE,
  destination: newClient(),
  templateId: templateId(suffix),
  ...more,
});
const accepted = (suffix: string, more: Body = {}) => chat.accepted(path, message(suffix, more));
const refused = (suffix: string, more: Body, reason: number, about: RegExp) =>
  chat.refused(path, message(suffix, more), reason, about);
const named = { dynamicFieldsObject: { '1': 'Dana', '2': '1234' } };
/** In two days, as the interface writes times. */
const soon = formatLocal(Date.now() + 2 * 86_400_000, 'Asia/Jerusalem').replace(
  /^(..\/..)\/(..) /,
  '$1/20$2 ',
);

test('1: accepted, answered with every field, and it arrives', covers('A2.answer', 'A2.1'), async () => {
  const client = newClient();
  const before = Math.floor(Date.now() / 1_000);
  const { json } = await accepted('two', { destination: client, ...named });
  const { unique, timestamp, ...ans } = json.ans as Record<string, unknown>;
  assert.deepEqual(Object.keys(json), ['success', 'ans']);
  assert.deepEqual(ans, {
    status: 'OK',
    from: SOURCE,
    to: client,
    body: 'Hello Dana, your order 1234 is on its way.',
    templateTimeLeft: 0,
    conversationTimeLeft: 1440,
    reason: 1,
  });
  assert.equal(typeof unique, 'string');
  assert.ok(Number(timestamp) >= before && Number(timestamp) <= Date.now() / 1_000);
  const [received] = await chat.arrived(client);
  assert.deepEqual([received!.from, received!.body], [SOURCE, ans.body]);
});

test(
  'after the client has written there is time left in both windows',
  covers('windows.templateTimeLeft, conversationTimeLeft'),
  async () => {
    const client = await chat.writingClient();
    const { ans } = await accepted('plain', { destination: client });
    // The platform tells whole seconds of when they wrote.
    assert.ok(Number(ans.templateTimeLeft) >= 1438 && Number(ans.templateTimeLeft) <= 1440);
    assert.equal(ans.conversationTimeLeft, 1440);
  },
);

test(
  'numbers may be numbers, in any spelling, and variables numbers or the text of an object',
  covers('A2.source, destination', 'A2.dynamicFieldsObject'),
  async () => {
    const local = newClient().replace(/^972/, '0');
    for (const more of [
      { source: Number(SOURCE), destination: Number(newClient()) },
      { source: ` +${SOURCE} `, destination: local },
      { dynamicFieldsObject: { 1: 7, 2: true } },
      { dynamicFieldsObject: '{"1": "Dana", "2": "1234"}' },
      { dynamicFieldsObject: { '1': 'Dana', '2': '1234', '3': '' } },
    ]) {
      await accepted('two', { ...named, ...more });
    }
  },
);

test(
  '2: the source is missing, no number, not a business number, or of another account',
  covers('A2.2', 'chat.source'),
  async () => {
    for (const source of [undefined, null, '', 'x', {}, [SOURCE], true, '972550000002', '123']) {
      await refused('plain', { source }, 2, /^source: /);
    }
    const other = await chat.addAccount({ username: 'other' });
    await chat.refused(path, message('plain'), 2, /^source: /, { token: other.token });
  },
);

test(
  'a number of a subscriber is sent from with the token of its parent, and paid by the subscriber',
  covers('A2.subscriber'),
  async () => {
    const parent = await chat.addAccount({ username: 'parent' });
    const child = await chat.addAccount({ username: 'child', parentId: parent.id });
    const phone = '972550000077';
    const { sql } = chat;
    const now = Date.now();
    const portfolio = chat.appContext.ids.next();
    await sql`
    INSERT INTO chat_portfolios (id, account_id, name, tier, platform_id, access_token, created_at)
    VALUES (${portfolio}, ${child.id}, 'theirs', 250, 'their-portfolio',
      ${chat.appContext.secrets.seal('token', 'chat_portfolios.access_token', portfolio)}, ${now})`;
    await sql`
    INSERT INTO chat_numbers (phone, account_id, portfolio_id, name, platform_id, messages_per_second, created_at)
    VALUES (${phone}, ${child.id}, ${portfolio}, 'theirs', 'their-number', 80, ${now})`;
    await sql`
    INSERT INTO chat_templates (account_id, id, template_id, phone, name, language, category, content, status,
      status_at, created_at)
    SELECT ${child.id}, ${chat.appContext.ids.next()}, ${`1_${phone}_plain`}, ${phone}, name, language, category,
      content, status, status_at, created_at FROM chat_templates WHERE template_id = ${templateId('plain')}`;
    const body = { source: phone, destination: newClient(), templateId: `1_${phone}_plain` };
    const before = [await chat.balance(parent.id), await chat.balance(child.id)];
    await waitFor('the number is known', async () => {
      const answer = await chat.post(path, body, { token: parent.token });
      return answer.success === true;
    });
    assert.equal(await chat.balance(parent.id), before[0]);
    assert.ok((await chat.balance(child.id)) < before[1]!);
    await chat.refused(path, { ...body, destination: newClient() }, 2, /^source: /);
  },
);

test('3: without credit, or suspended', covers('A2.3'), async () => {
  const { demo } = chat;
  const { wallets, accounts } = chat.appContext;
  const everything = await wallets.balance(demo.id);
  await wallets.topUp(demo.id, -everything, 'test');
  await refused('plain', {}, 3, /credit/);
  await wallets.topUp(demo.id, everything, 'test');
  await accounts.suspend(demo.id, true);
  await refused('plain', {}, 3, /suspended/);
  await accounts.suspend(demo.id, false);
  await accepted('plain');
});

test('4: the destination is missing or no number', covers('A2.4'), async () => {
  for (const destination of [undefined, null, '', 'abc', '12', '1'.repeat(30), {}, ['x'], false]) {
    await refused('plain', { destination }, 4, /^destination: /);
  }
});

test(
  '6: a template that is not approved, in every status; and paused ones after six hours',
  covers(
    'templateStatus.0',
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
    'A2.6',
    'chat.not approved',
    'sandbox.demo.templates',
  ),
  async () => {
    for (const suffix of ['pending', 'rejected', 'banned']) await refused(suffix, {}, 6, /^templateId: /);
    for (const status of [0, 2, 3, 4, 5, 6, 7, 9]) {
      await chat.addTemplate(`status${status}`, {}, { status });
      await refused(`status${status}`, {}, 6, new RegExp(`status ${status}`));
    }
    for (const status of [1, 10, 11]) {
      await chat.addTemplate(`status${status}`, {}, { status });
      await accepted(`status${status}`);
    }
    const hours = 3_600_000;
    const now = chat.appContext.clock.now();
    await chat.addTemplate('rested', {}, { status: 6, statusAt: now - 6 * hours });
    await accepted('rested');
    await chat.addTemplate('resting', {}, { status: 6, statusAt: now - 6 * hours + 60_000 });
    await refused('resting', {}, 6, /status 6/);
  },
);

test(
  '12: no such template, or variables that are no object of single values',
  covers('A2.dynamicFieldsObject', 'A2.12'),
  async () => {
    for (const id of [undefined, null, '', 'plain', '1_972550000002_plain', {}, 7]) {
      await refused('plain', { templateId: id }, 12, /^templateId: /);
    }
    for (const dynamicFieldsObject of [
      'Dana',
      '[]',
      '{"1": ',
      '{"1": "a\\u0000", "2": "b"}',
      ['Dana', '1234'],
      7,
      true,
      { '1': ['Dana'], '2': 'x' },
      { '1': { value: 'Dana' }, '2': 'x' },
      { '1': 'Dana', '2': 'x', '6': 'y' },
      { name: 'Dana' },
      { '01': 'Dana' },
    ]) {
      await refused('two', { dynamicFieldsObject }, 12, /^dynamicFieldsObject: /);
    }
  },
);

test('13: the language differs from that of the template', covers('A2.13'), async () => {
  for (const language of ['2', 2, 'en', null]) await accepted('plain', { language });
  for (const language of ['', '1', 1, 'en_US', 'x', {}, ['2']]) {
    await refused('plain', { language }, 13, /^language: /);
  }
});

test(
  '14: another type than that of the header, or variables with line breaks or four spaces',
  covers('A2.14'),
  async () => {
    for (const value of ['a\nb', 'a\r\nb', 'a\tb', 'a    b', '    a']) {
      await refused('two', { dynamicFieldsObject: { '1': 'Dana', '2': value } }, 14, /variable 2/);
    }
    await accepted('two', { dynamicFieldsObject: { '1': 'a   b', '2': 'c' } });
    const one = { dynamicFieldsObject: { '1': 'Dana' } };
    for (const file of ['10/a.mp4', '10/a.pdf', '10/a.exe', '10/a.html']) {
      await refused('image', { ...one, headerLink: `${files}/${file}` }, 14, /^headerLink: .*png/);
    }
    await chat.addTemplate('heading', { header: { kind: 'text', text: 'For {{1}}', sample: 'Dana' } });
    await refused('heading', { headerLink: 'a\nb' }, 14, /^headerLink: /);
  },
);

test(
  '15: the link of a header is missing, no address, too large or leads nowhere',
  covers('A2.headerLink', 'A2.15'),
  async () => {
    const one = { dynamicFieldsObject: { '1': 'Dana' } };
    const link = (headerLink: unknown) => ({ ...one, headerLink });
    for (const bad of [undefined, null, '', [], {}, 'a.jpg', 'ftp://example.com/a.jpg', 'https://']) {
      await refused('image', link(bad), 15, /^headerLink: /);
    }
    const mib = 1024 * 1024;
    await refused('image', link(`${files}/${5 * mib + 1}/a.jpg`), 15, /over 5 MB/);
    await refused('image', link(`${files}/nothing.jpg`), 15, /404/);
    await accepted('image', link(`${files}/${5 * mib}/a.jpg`));
    await accepted('image', link(` ${files}/10/a.png `));
    // Nobody answers there: left to the platform.
    await accepted('image', link('https://127.0.0.1:1/a.jpeg'));
    const client = newClient();
    await accepted('image', { ...link(`${files}/10/seen.jpg`), destination: client });
    const [received] = await chat.arrived(client);
    assert.deepEqual(received!.header, { type: 'image', link: `${files}/10/seen.jpg` });
  },
);

test('15: videos and documents have their own types and sizes', covers('A2.headerLink'), async () => {
  const mib = 1024 * 1024;
  await chat.addTemplate('film', { header: { kind: 'video', sample: '' } });
  await chat.addTemplate('paper', { header: { kind: 'document', sample: '' } });
  const nowhere = 'https://127.0.0.1:1';
  for (const type of ['mp4', 'avi', '3gpp', '3gp']) {
    await accepted('film', { headerLink: `${nowhere}/a.${type}` });
  }
  for (const type of ['pdf', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'ppts', 'zip', 'txt', 'rar']) {
    await accepted('paper', { headerLink: `${nowhere}/a.${type}` });
  }
  await refused('film', { headerLink: `${files}/${16 * mib + 1}/a.mp4` }, 15, /over 16 MB/);
  await refused('paper', { headerLink: `${files}/${100 * mib + 1}/a.pdf` }, 15, /over 100 MB/);
  await refused('film', { headerLink: `${nowhere}/a.jpg` }, 14, /mp4/);
  await refused('paper', { headerLink: `${nowhere}/a.mp4` }, 14, /pdf/);
});

test('15: the variable of a text header is missing or has formatting', covers('A2.15'), async () => {
  await chat.addTemplate('title', { header: { kind: 'text', text: 'For {{1}}', sample: 'Dana' } });
  for (const headerLink of [undefined, '', 'a *b*', 'a_b', '~a~', '`a`', 'x'.repeat(60)]) {
    await refused('title', { headerLink }, 15, /^headerLink: /);
  }
  await accepted('title', { headerLink: 'Dana' });
});

test('17: not as many variables as the template has, or an empty one', covers('A2.17'), async () => {
  for (const dynamicFieldsObject of [
    undefined,
    null,
    '',
    {},
    { '1': 'Dana' },
    { '2': '1234' },
    { '1': '', '2': '1234' },
    { '1': '  ', '2': '1234' },
    { '1': null, '2': '1234' },
    { '1': 'Dana', '2': '1234', '3': 'more' },
  ]) {
    await refused('two', { dynamicFieldsObject }, 17, /variable/);
  }
  await refused('plain', { dynamicFieldsObject: { '1': 'Dana' } }, 17, /variable/);
});

test(
  '17: the code of an authentication template is missing or over 15 characters',
  covers('A2.17'),
  async () => {
    for (const otp of [undefined, null, '', [], 'x'.repeat(16)]) await refused('otp', { otp }, 17, /^otp: /);
    for (const otp of ['123456', 123456, 'a-b c!', 'x'.repeat(15)]) await accepted('otp', { otp });
  },
);

test(
  '18: the variable of a website button is missing or not allowed in an address',
  covers('A2.websiteVariable, websiteVariable2', 'A2.18'),
  async () => {
    for (const websiteVariable of [undefined, null, '', {}, 'a b', 'a\nb', 'x'.repeat(2_001)]) {
      await refused('website', { websiteVariable }, 18, /^websiteVariable: /);
    }
    const client = newClient();
    await accepted('website', { websiteVariable: 1234, destination: client });
    const [received] = await chat.arrived(client);
    assert.match(JSON.stringify(received!.buttons), /invoices\/1234/);

    const dynamic = (name: string) => website(`https://www.example.com/${name}/`, true);
    await chat.addTemplate('sites', { buttons: [dynamic('one'), dynamic('two')] });
    await refused('sites', { websiteVariable: 'a' }, 18, /^websiteVariable2: /);
    await refused('sites', { websiteVariable: 'a', websiteVariable2: [] }, 18, /^websiteVariable2: /);
    await refused('sites', { websiteVariable2: 'b' }, 18, /^websiteVariable: /);
    await accepted('sites', { websiteVariable: 'a', websiteVariable2: 'b' });
  },
);

test('19: over 1,024 characters with the variables', covers('A2.19'), async () => {
  await chat.addTemplate('long', { body: `{{1}}${'x'.repeat(1_000)}` });
  await accepted('long', { dynamicFieldsObject: { '1': 'y'.repeat(24) } });
  await refused('long', { dynamicFieldsObject: { '1': 'y'.repeat(25) } }, 19, /1024/);
});

test(
  '20: the coupon or its end is missing, too long or invalid',
  covers('A2.couponCode, couponExpiration', 'A2.20'),
  async () => {
    const coupon = { couponCode: '250000', couponExpiration: soon };
    for (const couponCode of [undefined, null, '', 'abc', '1'.repeat(16), '1.5', ['1'], {}]) {
      await refused('coupon', { ...coupon, couponCode }, 20, /^couponCode: /);
    }
    for (const couponExpiration of [
      undefined,
      '',
      'tomorrow',
      '01/01/26 10:00',
      '31/02/2030 10:00',
      '2030-01-01 10:00',
      '01/01/2020 10:00',
      {},
    ]) {
      await refused('coupon', { ...coupon, couponExpiration }, 20, /^couponExpiration: /);
    }
    await accepted('coupon', coupon);
    await accepted('coupon', { couponCode: 123456789012345, couponExpiration: ` ${soon} ` });
  },
);

test('fields that the template does not ask for are passed over', covers('A2.not asked for'), async () => {
  await accepted('plain', {
    couponCode: '1',
    couponExpiration: 'x',
    headerLink: 'x',
    websiteVariable: 'x',
    otp: 'x',
    more: { x: 1 },
  });
});

test(
  '23: two templates without an answer are the most, until the client writes',
  covers('A2.23', 'windows.two unanswered', 'chat.unanswered'),
  async () => {
    const destination = newClient();
    await accepted('plain', { destination });
    await accepted('plain', { destination });
    await refused('plain', { destination }, 23, /./);
    await chat.clientWrites(destination);
    await accepted('plain', { destination });
  },
);

test(
  'the order of checks: source, destination, template, unanswered, then the fields of the table',
  covers('A2.order', 'chat.order'),
  async () => {
    const destination = newClient();
    await accepted('plain', { destination });
    await accepted('plain', { destination });
    await chat.addTemplate('everything', {
      header: { kind: 'image', sample: '' },
      body: '{{1}}',
      offer: { text: 'x', expires: true },
      buttons: [{ kind: 'coupon', sample: '1' }, website('https://www.example.com/', true)],
    });
    const bad = {
      source: 'x',
      destination: 'x',
      templateId: 'x',
      dynamicFieldsObject: 'x',
      couponCode: 'x',
      couponExpiration: 'x',
      headerLink: 'x',
      websiteVariable: '',
    };
    const id = templateId('everything');
    const steps: [Body, number][] = [
      [{ source: SOURCE }, 2],
      [{ destination }, 4],
      [{ templateId: templateId('pending') }, 12],
      [{ templateId: id }, 6],
      [{ destination: newClient() }, 23],
      [{ dynamicFieldsObject: { '1': '' } }, 12],
      [{ dynamicFieldsObject: { '1': 'Dana' } }, 17],
      [{ couponCode: '1' }, 20],
      [{ couponExpiration: soon }, 20],
      [{ headerLink: `${files}/10/a.mp4` }, 15],
      [{ headerLink: `${files}/10/a.jpg` }, 14],
      [{ websiteVariable: 'x' }, 18],
    ];
    let body: Body = bad;
    for (const [repair, reason] of steps) {
      await chat.refused(path, body, reason, /./);
      body = { ...body, ...repair };
    }
    await chat.accepted(path, body);
  },
);

test('22: the messaging limit of the portfolio', covers('A2.22', 'chat.tier'), async () => {
  const { sql, demo, appContext } = chat;
  const minute = Math.floor(appContext.clock.now() / 60_000);
  const [{ portfolio_id }] = (await sql`
    SELECT portfolio_id FROM chat_numbers WHERE phone = ${SOURCE}`) as unknown as [{ portfolio_id: number }];
  await sql`
    INSERT INTO chat_reach (account_id, portfolio_id, minute, clients) VALUES (${demo.id}, ${portfolio_id}, ${minute}, 250)
    ON CONFLICT (account_id, portfolio_id, minute) DO UPDATE SET clients = 250`;
  await refused('plain', {}, 22, /./);
  // Inside a window that the client has opened nothing is counted.
  await accepted('plain', { destination: await chat.writingClient() });
  await chat.advance(86_400 + 60);
  await accepted('plain');
});
