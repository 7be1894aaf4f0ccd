import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLocal } from '../../../server/kit/time-zones.ts';
import { covers } from '../../conformance/covers.ts';
import { countEverything } from '../../support/books.ts';
import { newPhone, newPhones, stored } from '../../support/phones.ts';
import { type Answer, type Content, forms, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** The interface's chapter B10, in both forms. */
const service = await startTestService();
const { sql, demo } = service;
const minute = 60_000;
const rows = (answer: Answer) => answer.fields.transactions as Record<string, string>[];

function span(back = 5 * minute, ahead = minute) {
  const now = service.appContext.clock.now();
  return { from: formatLocal(now - back, 'Asia/Jerusalem'), to: formatLocal(now + ahead, 'Asia/Jerusalem') };
}

for (const form of forms) {
  const ask = (root: string, content: Content, options = {}) => service.call(form, root, content, options);
  const listed = async () => rows(await ask('blacklist', span())).map((row) => row.phone);

  test(`${form}: who is removed before a scheduled send is due does not get it, and it costs nothing`, async () => {
    const [removed, other] = newPhones(2) as [string, string];
    const before = await service.balance();
    const timing = formatLocal(service.appContext.clock.now() + 60 * minute, 'Asia/Jerusalem');
    const sent = await ask('sms', {
      source: 'Shop',
      destinations: { phone: [removed, other] },
      message: 'Hello',
      timing,
    });
    assert.equal(sent.status, 0, sent.message);
    await ask('addNumBL', { phones: { phone: removed } });
    await service.advance(3_700);
    await waitFor('the other one arrives', async () => (await service.phone(other)).length === 1);
    assert.equal((await service.phone(removed)).length, 0);
    const [row] = await sql`
      SELECT status FROM messages WHERE shipment_id = ${Number(sent.fields.shipment_id)} AND recipient = ${stored(removed)}`;
    assert.equal(row!.status, 201);
    assert.equal(await service.balance(), before - 1);
  });

  test(
    `${form}: added numbers are listed with their date, once each, in any spelling`,
    covers('B10.blacklist', 'B10.addNumBL', 'status.946'),
    async () => {
      const [a, b] = [newPhone(), newPhone()];
      const answer = await ask('addNumBL', {
        phones: { phone: [a, b.slice(1), `+${stored(a)}`, stored(b)] },
      });
      assert.equal(answer.status, 946);
      assert.deepEqual(Object.keys(answer.fields), ['status', 'message']);
      assert.match(answer.message, /^2 numbers added, 0 present already/);
      const found = rows(await ask('blacklist', span())).filter((row) => [a, b].includes(row.phone!));
      assert.deepEqual(found.map((row) => row.phone).sort(), [a, b].sort());
      assert.match(found[0]!.date!, /^\d\d\/\d\d\/\d\d \d\d:\d\d$/);
      assert.match(
        (await ask('addNumBL', { phones: { phone: a } })).message,
        /^0 numbers added, 1 present already/,
      );
    },
  );

  test(
    `${form}: removed numbers are gone, and the reason is kept`,
    covers('B10.rmNumBL', 'status.944'),
    async () => {
      const [a, b, c] = [newPhone(), newPhone(), newPhone()];
      await ask('addNumBL', { phones: { phone: [a, b] } });
      const answer = await ask('rmNumBL', {
        phones: { phone: [a, c] },
        reason: `asked to <be> back ${form}`,
      });
      assert.equal(answer.status, 944);
      assert.match(answer.message, /^1 numbers removed, 1 not present/);
      assert.deepEqual(
        (await listed()).filter((phone) => [a, b, c].includes(phone!)),
        [b],
      );
      const [kept] = await sql<{ phones: string[]; reason: string }[]>`
      SELECT phones, reason FROM blacklist_removals WHERE account_id = ${demo.id} ORDER BY id DESC LIMIT 1`;
      assert.deepEqual({ ...kept }, { phones: [stored(a)], reason: `asked to <be> back ${form}` });
    },
  );

  test(
    `${form}: invalid entries are listed in errors with the others added; if all are invalid, it is 933`,
    covers('B10.addNumBL.refused', 'B10.rmNumBL.refused', 'status.933'),
    async () => {
      const good = newPhone();
      const added = await ask('addNumBL', { phones: { phone: [good, '12', 'abc', ''] } });
      assert.equal(added.status, 946);
      assert.match(added.message, /^1 numbers added/);
      assert.equal((added.fields.errors as string[]).length, 3);
      assert.match((added.fields.errors as string[])[0]!, /^phones\.phone\[1\]/);
      const removed = await ask('rmNumBL', { phones: { phone: [good, '12'] }, reason: 'why not' });
      assert.equal(removed.status, 944);
      assert.deepEqual((removed.fields.errors as string[]).length, 1);
      const before = await countEverything(sql);
      for (const phone of ['12', ['12', 'abc']]) {
        assert.equal((await ask('addNumBL', { phones: { phone } })).status, 933);
        assert.equal((await ask('rmNumBL', { phones: { phone }, reason: 'x' })).status, 933);
      }
      assert.deepEqual(await countEverything(sql), before);
    },
  );

  test(
    `${form}: required fields`,
    covers('B10.blacklist.refused', 'B10.addNumBL.refused', 'B10.rmNumBL.refused', 'status.933'),
    async () => {
      const phones = { phone: newPhone() };
      const refused: [string, Content, number, RegExp][] = [
        ['addNumBL', {}, 2, /^phones/],
        ['addNumBL', { phones: '' }, 2, /^phones/],
        ['addNumBL', { phones: { phone: [] } }, 2, /^phones/],
        ['rmNumBL', { phones }, 2, /^reason/],
        ['rmNumBL', { phones, reason: '' }, 933, /^reason/],
        ['rmNumBL', { reason: 'x' }, 2, /^phones/],
        ['blacklist', {}, 2, /^from/],
        ['blacklist', { from: span().from }, 2, /^to/],
        ['blacklist', { to: span().to }, 2, /^from/],
        ['blacklist', { ...span(), to: 'x' }, 2, /^to/],
        ['blacklist', span(-minute, 0), 2, /^to/],
      ];
      const before = await countEverything(sql);
      for (const [root, content, status, field] of refused) {
        const answer = await ask(root, content);
        assert.equal(answer.status, status, `${root} ${JSON.stringify(content)}: ${answer.message}`);
        assert.match(answer.message, field);
      }
      assert.deepEqual(await countEverything(sql), before);
    },
  );

  test(
    `${form}: the list is of one account, of the span asked for, and as long as it is`,
    covers('B10.blacklist'),
    async () => {
      const account = await service.addAccount({ username: `list-${form}` });
      const user = { username: account.username };
      const options = { token: account.token };
      const phones = newPhones(4_100);
      const added = await ask('addNumBL', { user, phones: { phone: phones } }, options);
      assert.match(added.message, /^4100 numbers added/);
      const all = rows(await ask('blacklist', { user, ...span(30 * 86_400_000, minute) }, options));
      assert.deepEqual(new Set(all.map((row) => row.phone)), new Set(phones));
      assert.equal(all.length, phones.length);
      assert.deepEqual(
        rows(await ask('blacklist', { user, ...span(60 * minute, -30 * minute) }, options)),
        [],
      );
      assert.ok(!(await listed()).includes(phones[0]!));
    },
  );

  test(`${form}: dry runs count and change nothing`, covers('B10.dry run'), async () => {
    const [on, off] = [newPhone(), newPhone()];
    await ask('addNumBL', { phones: { phone: on } });
    const before = await countEverything(sql);
    const path = '/api/test';
    const phones = { phone: [on, off] };
    assert.match((await ask('addNumBL', { phones }, { path })).message, /^1 numbers added, 1 present/);
    const removed = await ask('rmNumBL', { phones, reason: 'x' }, { path });
    assert.deepEqual([removed.status, removed.message], [944, '1 numbers removed, 1 not present']);
    assert.deepEqual(await countEverything(sql), before);
  });
}
