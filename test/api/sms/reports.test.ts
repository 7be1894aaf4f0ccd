import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeOfId } from '../../../server/kit/ids.ts';
import { formatLocal } from '../../../server/kit/time-zones.ts';
import { covers } from '../../conformance/covers.ts';
import { newPhone, newPhones } from '../../support/phones.ts';
import { type Answer, type Content, type Fields, forms, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** The interface's chapter B8, as far as it is about SMS: `dlr`, `dlrByDate`, `incoming`. */
const service = await startTestService();
const { sql } = service;
const zone = 'Asia/Jerusalem';
const minute = 60_000;
const week = 7 * 86_400_000;
const rows = (answer: Answer) => answer.fields.transactions as Record<string, string | number>[];

/** From `back` milliseconds ago to `ahead` from now. */
function span(back = 5 * minute, ahead = minute) {
  const now = service.appContext.clock.now();
  return { from: formatLocal(now - back, zone), to: formatLocal(now + ahead, zone) };
}

async function sms(phone: unknown, options: Content = {}): Promise<number> {
  const content = { source: 'Shop', destinations: { phone }, message: 'Hello', ...options };
  const answer = await service.call('json', 'sms', content);
  assert.equal(answer.status, 0, answer.message);
  return Number(answer.fields.shipment_id);
}

for (const form of forms) {
  const ask = (root: string, content: Content, options = {}) => service.call(form, root, content, options);

  test(
    `${form}: dlr tells of the ids asked for, in the documented fields`,
    covers('B8.dlr', 'texts.shown'),
    async () => {
      const [a, b, silent] = [newPhone(), newPhone(), '0530000004'];
      const shipment = await sms([
        { $: { id: `${form} a` }, _: a },
        { $: { id: `${form} b` }, _: b },
        { $: { id: `${form} silent` }, _: silent },
      ]);
      const ids = [`${form} a`, `${form} silent`, 'nobody knows this one'];
      const found = await waitFor('the report to be final', async () => {
        const all = rows(await ask('dlr', { transactions: { external_id: ids }, ...span() }));
        return Number(all[0]?.status) === 102 && all;
      });
      assert.equal(found.length, 2);
      const [delivered, open] = found;
      assert.deepEqual(
        ['external_id', 'status', 'he_message', 'en_message', 'date', 'shipment_id'].filter(
          (name) => !(name in delivered!),
        ),
        [],
      );
      assert.equal(delivered!.external_id, `${form} a`);
      assert.equal(String(delivered!.shipment_id), String(shipment));
      assert.equal(delivered!.phone, a);
      assert.match(String(delivered!.date), /^\d\d\/\d\d\/\d\d \d\d:\d\d$/);
      assert.deepEqual(
        [Number(open!.status), open!.en_message, open!.he_message],
        [-1, 'Sent, no delivery confirmation', 'נשלח - ללא אישור מסירה'],
      );
    },
  );

  test(
    `${form}: dlr takes a bare id, a number for an id, and 1000 of them; not 1001, none or a week and a minute`,
    covers('B8.dlr.ids', 'B8.dlr.span'),
    async () => {
      const id = form === 'xml' ? 70_001 : 70_002;
      await sms({ $: { id }, _: newPhone() });
      assert.equal(rows(await ask('dlr', { transactions: { external_id: id }, ...span() })).length, 1);
      const many = Array.from({ length: 1_000 }, (_, i) => (i === 999 ? String(id) : `none ${i}`));
      assert.equal(rows(await ask('dlr', { transactions: { external_id: many }, ...span() })).length, 1);
      const refused: [Content, RegExp][] = [
        [
          { transactions: { external_id: [...many, 'x'] }, ...span() },
          /^transactions\.external_id: more than 1000/,
        ],
        [{ transactions: { external_id: [] }, ...span() }, /^transactions/],
        [{ transactions: '', ...span() }, /^transactions/],
        [{ ...span() }, /^transactions/],
        [{ transactions: { external_id: id }, from: span().from }, /^to: missing/],
        [{ transactions: { external_id: id }, to: span().to }, /^from: missing/],
        [{ transactions: { external_id: id }, ...span(), from: '2026-01-01 00:00' }, /^from/],
        [{ transactions: { external_id: id }, ...span(), to: '31/02/26 00:00' }, /^to/],
        [{ transactions: { external_id: id }, ...span(-minute, 0) }, /^to: must not be before/],
        [{ transactions: { external_id: id }, ...span(week, minute) }, /^to: more than one week/],
      ];
      for (const [content, field] of refused) {
        const answer = await ask('dlr', content);
        assert.equal(answer.status, 2, answer.message);
        assert.match(answer.message, field);
      }
      assert.equal((await ask('dlr', { transactions: { external_id: id }, ...span(week, 0) })).status, 0);
    },
  );

  test(`${form}: dlr tells nothing of another account's messages`, covers('B8.isolation'), async () => {
    const id = `mine ${form}`;
    await sms({ $: { id }, _: newPhone() });
    const other = await service.addAccount({ username: `other-${form}` });
    const options = { token: other.token };
    const user = { username: other.username };
    assert.deepEqual(
      rows(await ask('dlr', { user, transactions: { external_id: id }, ...span() }, options)),
      [],
    );
    assert.deepEqual(
      rows(await ask('dlrByDate', { user, transactions: { external_id: 'null' }, ...span() }, options)),
      [],
    );
  });

  test(
    `${form}: dlrByDate and dlrbyDate list every message of the span, also over many pages`,
    covers('B8.dlrByDate'),
    async () => {
      const user = { username: `dates-${form}` };
      const { token, id } = await service.addAccount({ username: user.username }, 10_000);
      const bulk = Array.from({ length: 2 }, () =>
        service.call(
          'json',
          'bulk',
          {
            user,
            messages: {
              sms: newPhones(2_200).map((phone) => ({
                source: 'Shop',
                destinations: { phone },
                message: 'Hello',
              })),
            },
          },
          { token },
        ),
      );
      assert.deepEqual(
        (await Promise.all(bulk)).map((answer) => answer.status),
        [0, 0],
      );
      for (const root of ['dlrByDate', 'dlrbyDate']) {
        const answer = await ask(root, { user, transactions: { external_id: 'null' }, ...span() }, { token });
        assert.equal(answer.status, 0);
        if (form === 'xml') assert.equal(answer.root, root);
        const phones = new Set(rows(answer).map((row) => row.phone));
        assert.equal(rows(answer).length, 4_400);
        assert.equal(phones.size, 4_400);
        assert.equal(rows(answer)[0]!.external_id, '');
      }
      const late = await ask('dlrByDate', { user, ...span(-2 * minute, 60 * minute) }, { token });
      assert.deepEqual(rows(late), []);
      assert.equal((await ask('dlrByDate', { user, ...span(week, minute) }, { token })).status, 2);
      assert.equal((await ask('dlrByDate', { user, to: span().to }, { token })).status, 2);
      await waitFor('all to be sent', async () => {
        const [row] = await sql<{ n: number }[]>`
        SELECT count(*)::int AS n FROM messages WHERE account_id = ${id} AND final_at IS NULL`;
        return row!.n === 0;
      });
    },
  );

  test(
    `${form}: incoming tells what phones sent, whole and as it was written`,
    covers('B8.incoming'),
    async () => {
      const [phone, short] = [newPhone(), newPhone()];
      const text = `${'מה שלומך? '.repeat(30)}<&>`;
      await service.sendFromPhone(phone, '0529999999', text);
      await service.sendFromPhone(short, '12345', 'STOP');
      const found = await waitFor('both to be there', async () => {
        const all = rows(await ask('incoming', span())).filter((row) =>
          [phone, short].includes(String(row.source)),
        );
        return all.length === 2 && all;
      });
      const byPhone = Object.fromEntries(found.map((row) => [row.source, row]));
      assert.deepEqual(Object.keys(byPhone[phone]!), ['source', 'destination', 'message', 'date']);
      assert.equal(byPhone[phone]!.message, text);
      assert.equal(byPhone[phone]!.destination, '0529999999');
      assert.deepEqual([byPhone[short]!.destination, byPhone[short]!.message], ['12345', 'STOP']);
    },
  );

  test(
    `${form}: incoming takes a week at most, from up to a year back`,
    covers('B8.incoming.span'),
    async () => {
      const day = 86_400_000;
      assert.equal((await ask('incoming', span(week, 0))).status, 0);
      assert.equal((await ask('incoming', span(365 * day, -360 * day))).status, 0);
      const refused: [Content, RegExp][] = [
        [span(week, minute), /^to/],
        [span(370 * day, -366 * day), /^from: more than one year/],
        [{ from: span().from }, /^to: missing/],
        [{ to: span().to }, /^from: missing/],
        [{ ...span(), from: 'yesterday' }, /^from/],
      ];
      for (const [content, field] of refused) {
        const answer = await ask('incoming', content);
        assert.equal(answer.status, 2, answer.message);
        assert.match(answer.message, field);
      }
    },
  );

  test(
    `${form}: times are those of the account, and each row is found by the minute that it shows`,
    covers('texts.zone'),
    async () => {
      const account = await service.addAccount({ username: `tokyo-${form}`, timeZone: 'Asia/Tokyo' });
      const user = { username: account.username };
      const sent = await service.call(
        form,
        'sms',
        { user, source: 'Shop', destinations: { phone: '0530000004' }, message: 'Hello' },
        { token: account.token },
      );
      const at = formatLocal(timeOfId(Number(sent.fields.shipment_id)), 'Asia/Tokyo');
      const answer = await service.call(
        form,
        'dlrByDate',
        { user, from: at, to: at },
        { token: account.token },
      );
      const [row] = rows(answer);
      assert.equal(row!.date, at);
      assert.equal(String(row!.shipment_id), String(sent.fields.shipment_id));
    },
  );

  test(
    `${form}: a message to an account that owns the number goes to that account`,
    covers('B8.incoming'),
    async () => {
      const [phone, number] = newPhones(2) as [string, string];
      const owner = await service.addAccount({ username: `owner-${form}` });
      await service.appContext.sources.approve(owner.id, number, { incoming: true });
      await service.sendFromPhone(phone, number, 'For the owner');
      const incoming = (username: string, token?: string): Promise<Fields[]> =>
        service.call(form, 'incoming', { user: { username }, ...span() }, { token }).then(rows);
      const [row] = await waitFor('it to be there', async () => {
        const all = await incoming(owner.username, owner.token);
        return all.length > 0 && all;
      });
      assert.deepEqual([row!.source, row!.message], [phone, 'For the owner']);
      assert.equal((await incoming('demo')).filter((one) => one.source === phone).length, 0);
    },
  );

  test(
    `${form}: international numbers are shown as plain digits`,
    covers('B8.numbers', 'texts.shown'),
    async () => {
      const answer = await service.call(form, 'sms', {
        source: 'Shop',
        destinations: { phone: { $: { id: `far ${form}` }, _: '+44 7911 123456' } },
        message: 'Hello',
        includes_international: 1,
      });
      assert.equal(answer.status, 0);
      const [row] = rows(
        await service.call(form, 'dlr', { transactions: { external_id: `far ${form}` }, ...span() }),
      );
      assert.equal(row!.phone, '447911123456');
    },
  );
}
