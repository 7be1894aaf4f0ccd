import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { formatLocal } from '../../../server/kit/time-zones.ts';
import { covers } from '../../conformance/covers.ts';
import { assertBooksBalance, countEverything } from '../../support/books.ts';
import { newPhone, newPhones, stored } from '../../support/phones.ts';
import { type Answer, type Content, type Fields, forms, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** The interface's chapter B9, in both forms, and the page behind the link. */
const service = await startTestService({
  settings: { VERIFY_SOURCES: 'on', VERIFY_SMS_SOURCE: 'Verifier', VERIFY_CALL_NUMBER: '03-555 0000' },
});
const { sql } = service;
const { sources, verifiedPhones, accounts } = service.appContext;
afterEach(() => assertBooksBalance(sql));
const rowsOf = (answer: Answer, field: string) => answer.fields[field] as Fields[];
let last = 0;
const newAccount = (more: { name?: string; parentId?: number } = {}, credits = 100) =>
  service.addAccount({ username: `verifier-${++last}`, ...more }, credits);
type User = Awaited<ReturnType<typeof newAccount>>;

let landline = 6_412_000;
/** A landline (`04xxxxxxx`) that no other test uses. */
const newLandline = () => `04${++landline}`;

const requests = async () =>
  (await sql<{ count: number }[]>`SELECT count(*)::int AS count FROM phone_verifications`)[0]!.count;
const everything = async () => ({ ...(await countEverything(sql)), requests: await requests() });

/** The link that arrived at a phone as the `count`th of those by which `account` asked. */
async function linkAt(phone: string, count = 1, account = ''): Promise<string> {
  const all = await waitFor(`${count} messages at the phone`, async () => {
    const found = (await service.phone(phone)).filter(({ text }) => text.includes(account));
    return found.length >= count && found;
  });
  return /http:\S+\/v\/[\w-]{22}/.exec(all.at(-1)!.text)![0];
}

const fetchPage = async (url: string, method = 'GET', headers: Record<string, string> = {}) => {
  const response = await fetch(url, { method, headers, redirect: 'error' });
  return { status: response.status, headers: response.headers, html: await response.text() };
};

for (const form of forms) {
  const caller =
    (account: User) =>
    (root: string, content: Content = {}, path = '/api') =>
      service.call(
        form,
        root,
        { user: { username: account.username }, ...content },
        { token: account.token, path },
      );
  const send = (account: User, source: string) =>
    caller(account)('sms', { source, destinations: { phone: newPhone() }, message: 'Hello' });

  test(
    `${form}: a mobile gets a link; its press, and nothing less, lets the account send from it`,
    covers('B9.verify_phone', 'B9.source'),
    async () => {
      const account = await newAccount({ name: 'Shop & <Sons>' });
      const ask = caller(account);
      const phone = newPhone();
      assert.equal((await send(account, phone)).status, 515);
      const answer = await ask('verify_phone', { phone });
      assert.equal(answer.status, 0, JSON.stringify(answer.fields));
      assert.deepEqual(Object.keys(answer.fields), ['status', 'verify_message']);
      assert.match(String(answer.fields.verify_message), new RegExp(`link.*24 hours.*${phone}`));
      const url = await linkAt(phone);
      const [sms] = await service.phone(phone);
      assert.equal(sms!.from, 'Verifier');
      assert.ok(sms!.text.includes('Shop & <Sons>'));

      for (const method of ['GET', 'HEAD', 'GET']) {
        const page = await fetchPage(url, method);
        assert.equal(page.status, 200);
        if (method === 'GET') {
          assert.ok(page.html.includes('Shop &amp; &lt;Sons&gt;') && !page.html.includes('<Sons>'));
          assert.ok(page.html.includes(`<bdi>${phone}</bdi>`));
          assert.match(page.html, /<form method="post"><button/);
        }
        assert.equal(page.headers.get('cache-control'), 'no-store');
        assert.match(page.headers.get('content-security-policy')!, /default-src 'none'/);
        assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
      }
      assert.deepEqual(rowsOf(await ask('getVerifiedPhones'), 'verified_phones'), []);
      assert.equal((await send(account, phone)).status, 515);

      const pressed = await fetchPage(url, 'POST');
      assert.equal(pressed.status, 200);
      assert.match(pressed.html, /role="status"/);
      assert.ok(!pressed.html.includes('<form'));
      assert.equal((await send(account, phone)).status, 0);
      assert.equal((await send(account, stored(phone).slice(0, 11))).status, 515);
      await assertBooksBalance(sql);
    },
  );

  test(
    `${form}: getVerifiedPhones has the number, whose it is, and two dates`,
    covers('B9.getVerifiedPhones'),
    async () => {
      const account = await newAccount();
      const ask = caller(account);
      const phone = newPhone();
      await ask('verify_phone', { phone });
      await fetchPage(await linkAt(phone), 'POST');
      const [first] = await sql<{ assigned_at: number; updated_at: number }[]>`
      SELECT assigned_at, updated_at FROM sources WHERE account_id = ${account.id}`;
      await service.advance(120);
      await ask('verify_phone', { phone });
      await fetchPage(await linkAt(phone, 2), 'POST');
      const [second] = await sql<{ assigned_at: number; updated_at: number }[]>`
      SELECT assigned_at, updated_at FROM sources WHERE account_id = ${account.id}`;
      assert.equal(second!.assigned_at, first!.assigned_at);
      assert.ok(second!.updated_at >= first!.updated_at + 120_000);
      await sources.approve(account.id, 'AName');
      for (const path of ['/api', '/api/test']) {
        const answer = await ask('getVerifiedPhones', {}, path);
        assert.equal(answer.status, 0);
        assert.deepEqual(Object.keys(answer.fields), ['status', 'message', 'verified_phones']);
        assert.deepEqual(rowsOf(answer, 'verified_phones'), [
          {
            PHONE: phone,
            USER_ID: String(account.id),
            ASSIGNMENT_DATE: formatLocal(second!.assigned_at, 'Asia/Jerusalem'),
            LAST_UPDATE: formatLocal(second!.updated_at, 'Asia/Jerusalem'),
          },
        ]);
      }
    },
  );

  test(
    `${form}: is_subs 1 has the numbers of subscribers too, anything else has not`,
    covers('B9.is_subs'),
    async () => {
      const parent = await newAccount();
      const child = await newAccount({ parentId: parent.id });
      const [own, theirs] = [newPhone(), newPhone()];
      await sources.approve(parent.id, own);
      await sources.approve(child.id, theirs);
      const listed = async (account: User, content: Content) =>
        rowsOf(await caller(account)('getVerifiedPhones', content), 'verified_phones').map((row) => [
          row.PHONE,
          row.USER_ID,
        ]);
      const both = [
        [own, String(parent.id)],
        [theirs, String(child.id)],
      ];
      assert.deepEqual(await listed(parent, { is_subs: 1 }), both);
      assert.deepEqual(await listed(parent, {}), both.slice(0, 1));
      assert.deepEqual(await listed(parent, { is_subs: 0 }), both.slice(0, 1));
      assert.deepEqual(await listed(child, { is_subs: 1 }), both.slice(1));
      assert.equal((await caller(parent)('getVerifiedPhones', { is_subs: 'x' })).status, 2);
    },
  );

  test(
    `${form}: a link works once, and others of its number not after it`,
    covers('B9.verify_phone.link'),
    async () => {
      const account = await newAccount();
      const phone = newPhone();
      await caller(account)('verify_phone', { phone });
      const first = await linkAt(phone);
      await caller(account)('verify_phone', { phone });
      const second = await linkAt(phone, 2);
      assert.notEqual(first, second);
      const presses = await Promise.all(
        Array.from({ length: 6 }, (_, i) => fetchPage(i % 2 ? first : second, 'POST')),
      );
      assert.deepEqual(new Set(presses.map(({ status }) => status)), new Set([200]));
      // What the operator takes away, an old link does not give back.
      await sql`DELETE FROM sources WHERE account_id = ${account.id}`;
      for (const url of [first, second]) {
        assert.match((await fetchPage(url, 'POST')).html, /role="status"/);
        assert.deepEqual(rowsOf(await caller(account)('getVerifiedPhones'), 'verified_phones'), []);
      }
    },
  );

  test(`${form}: a link is good for 24 hours`, covers('B9.verify_phone.link'), async () => {
    const account = await newAccount();
    const [early, late] = [newPhone(), newPhone()];
    await caller(account)('verify_phone', { phone: [early, late] });
    const links = [await linkAt(early), await linkAt(late)];
    await service.advance(24 * 3_600 - 60);
    assert.equal((await fetchPage(links[0]!, 'POST')).status, 200);
    await service.advance(61);
    for (const url of links) {
      for (const method of ['GET', 'POST']) assert.equal((await fetchPage(url, method)).status, 404);
    }
    assert.ok(!(await sources.isApproved(account.id, late)));
    // The next request clears away what is over.
    await caller(account)('verify_phone', { phone: newLandline() });
    const rows = await sql`SELECT 1 FROM phone_verifications WHERE account_id = ${account.id}`;
    assert.equal(rows.length, 1);
  });

  test(
    `${form}: a landline gets the number to call and no SMS, and waits for the operator`,
    covers('B9.verify_phone.landline'),
    async () => {
      const account = await newAccount({}, 0);
      const phone = newLandline();
      const answer = await caller(account)('verify_phone', { phone });
      assert.equal(answer.status, 0, answer.message);
      assert.match(String(answer.fields.verify_message), new RegExp(`${phone}.*call 03-555 0000.*24 hours`));
      const waiting = await verifiedPhones.waiting(stored(phone));
      assert.deepEqual(
        waiting.map(({ username, landline: kind }) => [username, kind]),
        [[account.username, true]],
      );
      assert.equal((await send(account, phone)).status, 515);
      assert.ok(await verifiedPhones.confirmPhone(account.id, stored(phone)));
      assert.ok(await sources.isApproved(account.id, phone));
      assert.ok(!(await verifiedPhones.confirmPhone(account.id, stored(phone))));
      const shipments = await sql`SELECT 1 FROM shipments WHERE account_id = ${account.id}`;
      assert.equal(shipments.length, 0);
    },
  );

  test(
    `${form}: several numbers of both kinds, each once, each SMS with its own link, charged by parts`,
    covers('B9.verify_phone.several'),
    async () => {
      const account = await newAccount();
      const mobiles = newPhones(2);
      const phone = [mobiles[0]!, `+${stored(mobiles[0]!)}`, newLandline(), mobiles[1]!.slice(1)];
      const answer = await caller(account)('verify_phone', { phone });
      assert.equal(answer.status, 0, JSON.stringify(answer.fields));
      assert.match(
        String(answer.fields.verify_message),
        new RegExp(`link.*${mobiles.join(', ')}\\. .*${phone[2]}, call`),
      );
      const links = await Promise.all(mobiles.map((mobile) => linkAt(mobile)));
      assert.notEqual(links[0], links[1]);
      await fetchPage(links[0]!, 'POST');
      assert.ok(await sources.isApproved(account.id, mobiles[0]!));
      assert.ok(!(await sources.isApproved(account.id, mobiles[1]!)));
      const rows = await sql<{ phone: string; parts: number; price: string }[]>`
      SELECT recipient AS phone, parts, price FROM messages WHERE account_id = ${account.id} ORDER BY id`;
      assert.deepEqual(
        rows.map((row) => row.phone),
        mobiles.map(stored),
      );
      const cost = rows.reduce((sum, row) => sum + Number(row.price), 0);
      assert.equal(
        cost,
        rows.reduce((sum, row) => sum + row.parts, 0),
      );
      assert.equal(await service.balance(account.id), 100 - cost);
    },
  );

  test(
    `${form}: what is refused leaves nothing behind`,
    covers('B9.verify_phone.none', 'B9.verify_phone.refused', 'status.510'),
    async () => {
      const account = await newAccount();
      const poor = await newAccount({}, 1);
      const blocked = newPhone();
      await caller(account)('addNumBL', { phones: { phone: blocked } });
      const many = newPhones(101);
      const refused: [User, Content, number, RegExp][] = [
        [account, {}, 510, /^phone/],
        [account, { phone: '' }, 510, /^phone/],
        [account, { phone: [] }, 510, /^phone/],
        [account, { phone: '12' }, 9, /^phone: /],
        [account, { phone: [newPhone(), 'abc'] }, 9, /^phone\[1\]/],
        [account, { phone: [newPhone(), ''] }, 9, /^phone\[1\]/],
        [account, { phone: '1-700-123-456' }, 9, /^phone/],
        [account, { phone: '+9721800123456' }, 9, /^phone: neither/],
        [account, { phone: '+447911123456' }, 9, /^phone: an international/],
        [account, { phone: many }, 2, /^phone: more than 100/],
        [account, { phone: blocked }, 8, /blocked/],
        [poor, { phone: newPhones(2) }, 4, /credit/],
      ];
      const before = await everything();
      for (const [who, content, status, message] of refused) {
        for (const path of ['/api', '/api/test']) {
          const answer = await caller(who)('verify_phone', content, path);
          assert.equal(answer.status, status, `${JSON.stringify(content).slice(0, 80)}: ${answer.message}`);
          assert.match(answer.message, message);
        }
      }
      await accounts.suspend(account.id, true);
      assert.equal((await caller(account)('verify_phone', { phone: newPhone() })).status, 5);
      assert.deepEqual(await everything(), before);
      const abroad = { phone: '+447911123456', includes_international: 1 };
      assert.equal((await caller(poor)('verify_phone', abroad, '/api/test')).status, 4);
    },
  );

  test(
    `${form}: a dry run asks nobody; a number is asked five times within a day`,
    covers('B9.verify_phone.limit'),
    async () => {
      const account = await newAccount();
      const ask = caller(account);
      const phone = newPhone();
      const other = newLandline();
      const content = { phone: [other, other, phone] };
      const before = await everything();
      const dry = await ask('verify_phone', content, '/api/test');
      assert.equal(dry.status, 0);
      assert.match(String(dry.fields.verify_message), new RegExp(phone));
      assert.deepEqual(await everything(), before);
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask('verify_phone', { phone })));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [0, 0, 0, 0, 0, 5, 5, 5]);
      const full = await everything();
      for (const path of ['/api', '/api/test']) {
        const answer = await ask('verify_phone', content, path);
        assert.equal(answer.status, 5);
        assert.match(answer.message, new RegExp(`^phone: ${phone} `));
      }
      assert.deepEqual(await everything(), full);
      // All accounts together ask its owner five times: who owns it did not choose the accounts.
      assert.equal((await caller(await newAccount())('verify_phone', { phone })).status, 5);
      await service.advance(24 * 3_600 + 1);
      assert.equal((await ask('verify_phone', { phone })).status, 0);
    },
  );

  test(
    `${form}: a request belongs to one account: another account can have the number as well, if its owner agrees`,
    covers('B9.source'),
    async () => {
      const [mine, theirs] = [await newAccount(), await newAccount()];
      const phone = newPhone();
      await caller(mine)('verify_phone', { phone });
      await caller(theirs)('verify_phone', { phone });
      await fetchPage(await linkAt(phone, 1, theirs.username), 'POST');
      assert.ok(await sources.isApproved(theirs.id, phone));
      assert.ok(!(await sources.isApproved(mine.id, phone)));
      assert.deepEqual(
        (await verifiedPhones.waiting(stored(phone))).map(({ accountId }) => accountId),
        [mine.id],
      );
    },
  );
}

test(
  'the page speaks the language of the browser, from right to left where it is written so',
  covers('B9.verify_phone'),
  async () => {
    const account = await newAccount();
    const phone = newPhone();
    await service.call(
      'json',
      'verify_phone',
      { user: { username: account.username }, phone },
      { token: account.token },
    );
    const url = await linkAt(phone);
    for (const [accepted, language, direction] of [
      ['he-IL,he;q=0.9,en;q=0.8', 'he', 'rtl'],
      ['ar', 'ar', 'rtl'],
      ['ru-RU', 'ru', 'ltr'],
      ['de', 'en', 'ltr'],
      ['', 'en', 'ltr'],
    ]) {
      const { html } = await fetchPage(url, 'GET', { 'accept-language': accepted! });
      assert.match(html, new RegExp(`<html lang="${language}" dir="${direction}">`));
    }
  },
);

test('a name that looks like a place for the number stays a name', async () => {
  const account = await newAccount({ name: '{phone} & $&' });
  const phone = newPhone();
  await service.call(
    'json',
    'verify_phone',
    { user: { username: account.username }, phone },
    { token: account.token },
  );
  const { html } = await fetchPage(await linkAt(phone));
  assert.ok(html.includes('<bdi>{phone} &amp; $&amp;</bdi>') && html.includes(`<bdi>${phone}</bdi>`), html);
});

test(
  'unknown and misshapen tokens are not found, and whoever guesses is stopped',
  covers('B9.verify_phone'),
  async () => {
    const guesses = ['x'.repeat(22), 'x', '%00', '..%2f', 'x'.repeat(400), "'%20OR%201=1"];
    for (const guess of guesses) {
      for (const method of ['GET', 'POST']) {
        const { status, html } = await fetchPage(`${service.url}/v/${guess}`, method);
        assert.equal(status, 404, guess);
        assert.match(html, /not valid/);
      }
    }
    let stopped = 0;
    for (let i = 0; i < 60; i++) {
      const { status, headers } = await fetchPage(`${service.url}/v/${String(i).padStart(22, 'x')}`);
      if (status !== 429) continue;
      assert.equal(headers.get('retry-after'), '60');
      stopped++;
    }
    assert.ok(stopped > 0);
  },
);

test(
  'without a number to call, a landline is referred to the operator',
  covers('B9.verify_phone.landline'),
  async () => {
    const plain = await startTestService({ sandbox: false });
    const { username, token } = await plain.addAccount({ username: 'plain' });
    const content = { user: { username }, phone: newLandline() };
    const answer = await plain.call('json', 'verify_phone', content, { token });
    assert.match(String(answer.fields.verify_message), /operator/);
  },
);
