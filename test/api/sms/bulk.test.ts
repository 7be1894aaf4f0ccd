import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLocal } from '../../../server/kit/time-zones.ts';
import { covers } from '../../conformance/covers.ts';
import { countEverything } from '../../support/books.ts';
import { newPhone, newPhones, stored } from '../../support/phones.ts';
import { type Content, forms, oneSms, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** The interface's chapter B2, in both forms. */
const service = await startTestService();
const { sql } = service;

async function rowsOf(shipmentId: unknown) {
  return sql<{ phone: string; source: string; text: string; external_id: string | null; parts: number }[]>`
    SELECT m.recipient AS phone, m.source, coalesce(m.payload, s.payload) AS text, m.external_id, m.parts FROM messages m
    JOIN shipments s ON s.account_id = m.account_id AND s.id = m.shipment_id
    WHERE m.shipment_id = ${Number(shipmentId)} ORDER BY m.id`;
}

for (const form of forms) {
  const send = (sms: unknown, over: Content = {}, options = {}) =>
    service.call(form, 'bulk', { messages: { sms }, ...over }, options);
  async function refused(content: Content, status: number, field: RegExp) {
    const before = await countEverything(sql);
    for (const path of ['/api', '/api/test']) {
      const answer = await service.call(form, 'bulk', content, { path });
      assert.equal(answer.status, status, answer.message);
      assert.match(answer.message, field);
      assert.equal(answer.http, 200);
    }
    assert.deepEqual(await countEverything(sql), before);
  }

  test(
    `${form}: each message is sent with its own source, text and id, and is charged by its parts`,
    covers('B2.answer'),
    async () => {
      const before = await service.balance();
      const [a, b, c] = [newPhone(), newPhone(), newPhone()];
      const answer = await send([
        oneSms({ destinations: { phone: { $: { id: 'a' }, _: a } } }),
        oneSms({
          source: 'Other',
          message: 'א'.repeat(71),
          destinations: { phone: [{ $: { id: 'b' }, _: b }, c] },
        }),
      ]);
      assert.equal(answer.status, 0, answer.message);
      assert.deepEqual(
        (await rowsOf(answer.fields.shipment_id)).map((row) => ({ ...row })),
        [
          { phone: stored(a), source: 'Shop', text: 'Hello', external_id: 'a', parts: 1 },
          { phone: stored(b), source: 'Other', text: 'א'.repeat(71), external_id: 'b', parts: 2 },
          { phone: stored(c), source: 'Other', text: 'א'.repeat(71), external_id: null, parts: 2 },
        ],
      );
      assert.equal(await service.balance(), before - 5);
      for (const [phone, from] of [
        [a, 'Shop'],
        [b, 'Other'],
        [c, 'Other'],
      ] as const) {
        const [sms] = await waitFor('it to arrive', async () => {
          const all = await service.phone(phone);
          return all.length > 0 && all;
        });
        assert.equal(sms!.from, from);
      }
    },
  );

  test(`${form}: a single message may stand bare`, covers('B2.messages.bare'), async () => {
    assert.equal((await send(oneSms())).status, 0);
  });

  test(
    `${form}: a number repeats across messages and not within one`,
    covers('B2.duplicates', 'texts.duplicates'),
    async () => {
      const phone = newPhone();
      const answer = await send([
        oneSms({ destinations: { phone: [phone, phone.slice(1)] } }),
        oneSms({ destinations: { phone }, message: 'Again' }),
      ]);
      assert.deepEqual(
        (await rowsOf(answer.fields.shipment_id)).map((row) => row.text),
        ['Hello', 'Again'],
      );
      await waitFor('both to arrive', async () => (await service.phone(phone)).length === 2);
    },
  );

  test(`${form}: 100,000 phones in all messages are checked, more are refused by name`, async () => {
    const phones = newPhones(40_000);
    const messages = [phones, phones, phones.slice(0, 20_001)].map((phone) =>
      oneSms({ destinations: { phone } }),
    );
    await refused({ messages: { sms: messages } }, 2, /^messages\.sms\[2\]\.destinations\.phone: .*100000/);
  });

  test(`${form}: messages of several statements are stored once each, or none when the credit is too little`, async () => {
    const sms = [
      oneSms({ destinations: { phone: newPhones(6_000) } }),
      oneSms({ destinations: { phone: newPhones(6_000) } }),
    ];
    const answer = await send(sms, { timing: formatLocal(Date.now() + 86_400_000, 'Asia/Jerusalem') });
    assert.equal(answer.status, 0, answer.message);
    const rows = await rowsOf(answer.fields.shipment_id);
    assert.deepEqual([rows.length, new Set(rows.map(({ phone }) => phone)).size], [12_000, 12_000]);
    await service.call(form, 'cancel', { campaign_id: answer.fields.shipment_id });
    const { token } = await service.addAccount({ username: `poor${form}` }, 11_999);
    const before = await countEverything(sql);
    const user = { username: `poor${form}` };
    assert.equal((await send(sms, { user }, { token })).status, 4);
    assert.deepEqual(await countEverything(sql), before);
  });

  test(
    `${form}: 2500 messages are accepted; 2501 and an empty list are refused`,
    covers('B2.messages'),
    async () => {
      const before = await service.balance();
      const all = newPhones(2_500).map((phone) => oneSms({ destinations: { phone } }));
      const answer = await send(all);
      assert.equal(answer.status, 0, answer.message);
      assert.equal((await rowsOf(answer.fields.shipment_id)).length, 2_500);
      assert.equal(await service.balance(), before - 2_500);
      await refused({ messages: { sms: [...all, oneSms()] } }, 2, /^messages\.sms: more than 2500/);
      await refused({ messages: { sms: [] } }, 2, /^messages/);
      await refused({ messages: '' }, 2, /^messages/);
      await refused({}, 2, /^messages/);
      await waitFor('all to be delivered', async () => {
        const [row] = await sql<{ n: number }[]>`
        SELECT count(*)::int AS n FROM messages
        WHERE shipment_id = ${Number(answer.fields.shipment_id)} AND status = 102`;
        return row!.n === 2_500;
      });
    },
  );

  test(
    `${form}: one bad message refuses the request and is named`,
    covers('B2.messages.refused'),
    async () => {
      const bad = (over: Content) => ({ messages: { sms: [oneSms(), oneSms(over)] } });
      await refused(bad({ source: undefined }), 2, /^messages\.sms\[1\]\.source/);
      await refused(bad({ source: 'a b' }), 992, /^messages\.sms\[1\]\.source/);
      await refused(bad({ message: undefined }), 2, /^messages\.sms\[1\]\.message/);
      await refused(bad({ message: '' }), 989, /^messages\.sms\[1\]\.message/);
      await refused(bad({ message: 'x'.repeat(1_006) }), 989, /^messages\.sms\[1\]\.message/);
      await refused(bad({ destinations: undefined }), 2, /^messages\.sms\[1\]\.destinations/);
      await refused(bad({ destinations: { phone: '12' } }), 9, /^messages\.sms\[1\]\.destinations\.phone/);
      await refused(bad({ destinations: { phone: '14155550123' } }), 9, /includes_international/);
      await refused(bad({ destinations: { cl_id: '7' } }), 988, /^messages\.sms\[1\]\.destinations\.cl_id/);
      await refused(bad({ links: { link: 'https://example.org' } }), 980, /^messages\.sms\[1\]\.links/);
      await refused({ messages: { sms: [oneSms(), 'text'] } }, 2, /^messages\.sms\[1\]/);
    },
  );

  test(`${form}: fields of the whole bulk`, covers('B2.cl_id', 'B2.shared'), async () => {
    const whole = (over: Content) => ({ messages: { sms: oneSms() }, ...over });
    await refused(whole({ campaign_name: 'x'.repeat(51) }), 989, /^campaign_name/);
    await refused(whole({ timing: 'soon' }), 2, /^timing/);
    await refused(whole({ temp_bl: 15 }), 714, /^temp_bl/);
    await refused(whole({ cl_id: '7' }), 988, /^cl_id/);
    const due = formatLocal(service.appContext.clock.now() + 7_200_000, 'Asia/Jerusalem');
    const answer = await send(oneSms({ destinations: { phone: '14155550123' } }), {
      campaign_name: 'Autumn',
      timing: due,
      includes_international: 1,
    });
    assert.equal(answer.status, 0, answer.message);
    const [row] = await sql`
      SELECT state, campaign_name, due_at FROM shipments WHERE id = ${Number(answer.fields.shipment_id)}`;
    assert.equal(formatLocal(row!.due_at as number, 'Asia/Jerusalem'), due);
    assert.deepEqual([row!.state, row!.campaign_name], [0, 'Autumn']);
  });

  test(`${form}: blacklist and temp_bl hold for a bulk`, covers('B2.skipped'), async () => {
    const [blocked, recent, good] = [newPhone(), newPhone(), newPhone()];
    const to = (phone: string) => oneSms({ destinations: { phone } });
    await service.call(form, 'addNumBL', { phones: { phone: blocked } });
    assert.equal((await send(to(recent))).status, 0);
    const before = await service.balance();
    const answer = await send([to(blocked), to(recent), to(good)], { temp_bl: 3 });
    assert.equal(answer.status, 0, answer.message);
    assert.deepEqual(
      (await rowsOf(answer.fields.shipment_id)).map((row) => row.phone),
      [stored(blocked), stored(good)],
    );
    assert.equal(await service.balance(), before - 1);
    await refused({ messages: { sms: [to(blocked), to(blocked)] } }, 8, /blocked/);
    await refused({ messages: { sms: [to(recent), to(good)] }, temp_bl: 3 }, 715, /temp_bl/);
  });

  test(
    `${form}: without credit for all of it nothing of it is stored, also in a dry run`,
    covers('B2.credit'),
    async () => {
      const poor = await service.addAccount({ username: `poor-${form}` }, 3);
      const content = (sms: unknown) => ({ user: { username: poor.username }, messages: { sms } });
      const dear = [oneSms(), oneSms({ message: 'a'.repeat(307) })];
      const before = await countEverything(sql);
      for (const path of ['/api', '/api/test']) {
        const answer = await service.call(form, 'bulk', content(dear), { token: poor.token, path });
        assert.equal(answer.status, 4, answer.message);
      }
      assert.deepEqual(await countEverything(sql), before);
      const exact = [oneSms(), oneSms({ message: 'a'.repeat(161) })];
      assert.equal((await service.call(form, 'bulk', content(exact), { token: poor.token })).status, 0);
      assert.equal(await service.balance(poor.id), 0);
    },
  );

  test(`${form}: a dry run leaves nothing behind`, covers('B2.dry run'), async () => {
    const before = await countEverything(sql);
    const answer = await send([oneSms(), oneSms()], {}, { path: '/api/test' });
    assert.equal(answer.status, 0);
    assert.match(String(answer.fields.shipment_id), /^\d+$/);
    assert.deepEqual(await countEverything(sql), before);
  });
}
