import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { formatLocal } from '../../../server/kit/time-zones.ts';
import { covers } from '../../conformance/covers.ts';
import { assertBooksBalance, countEverything } from '../../support/books.ts';
import { stored as international, newPhone, newPhones } from '../../support/phones.ts';
import { type Answer, type Content, forms, oneSms, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** The interface's chapter B1, in both forms. */
const service = await startTestService();
const { sql, demo } = service;
const minute = 60_000;

interface Stored {
  phone: string;
  source: string;
  text: string;
  external_id: string | null;
  parts: number;
  price: string;
  status: number;
}

async function stored(answer: Answer): Promise<Stored[]> {
  return [
    ...(await sql<Stored[]>`
      SELECT m.recipient AS phone, m.source, coalesce(m.payload, s.payload) AS text, m.external_id, m.parts, m.price, m.status
      FROM messages m JOIN shipments s ON s.account_id = m.account_id AND s.id = m.shipment_id
      WHERE m.account_id = ${demo.id} AND m.shipment_id = ${Number(answer.fields.shipment_id)} ORDER BY m.id`),
  ];
}

function accepted(answer: Answer): Answer {
  assert.equal(answer.status, 0, answer.message);
  assert.equal(answer.http, 200);
  assert.match(String(answer.fields.shipment_id), /^\d{10,16}$/);
  assert.deepEqual(Object.keys(answer.fields), ['status', 'message', 'shipment_id']);
  return answer;
}

for (const form of forms) {
  const send = (over: Content = {}, options = {}) => service.call(form, 'sms', oneSms(over), options);
  /** Sends what must be refused: that status, the field named, nothing stored, nothing charged. */
  async function refused(over: Content, status: number, field: RegExp) {
    const before = await countEverything(sql);
    for (const path of ['/api', '/api/test']) {
      const answer = await send(over, { path });
      assert.equal(answer.status, status, `${path}: ${answer.message}`);
      assert.match(answer.message, field);
      assert.equal(answer.http, 200);
    }
    assert.deepEqual(await countEverything(sql), before);
  }

  test(
    `${form}: a message reaches the phone, is charged, and dlr reports it delivered`,
    covers('B1.answer', 'status.0'),
    async () => {
      const before = await service.balance();
      const phone = newPhone();
      const id = `order ${phone}`;
      const answer = accepted(
        await send({ destinations: { phone: { $: { id }, _: phone } }, message: 'שלום & <hello>' }),
      );
      assert.equal(answer.form, form);
      const [sms] = await waitFor('the phone to get it', async () => {
        const all = await service.phone(phone);
        return all.length > 0 && all;
      });
      assert.deepEqual([sms!.from, sms!.text], ['Shop', 'שלום & <hello>']);
      const now = service.appContext.clock.now();
      const span = {
        from: formatLocal(now - 10 * minute, 'Asia/Jerusalem'),
        to: formatLocal(now + minute, 'Asia/Jerusalem'),
      };
      const row = await waitFor('dlr to say delivered', async () => {
        const report = await service.call(form, 'dlr', { transactions: { external_id: id }, ...span });
        const [only] = report.fields.transactions as Record<string, unknown>[];
        return Number(only?.status) === 102 && only;
      });
      assert.equal(row.external_id, id);
      assert.equal(String(row.shipment_id), String(answer.fields.shipment_id));
      assert.equal(row.en_message, 'Delivered');
      assert.equal(row.he_message, 'הגיע ליעד');
      assert.equal(await service.balance(), before - 1);
    },
  );

  test(
    `${form}: a long message is charged by its parts and arrives in one piece`,
    covers('delivery.parts', 'credit.parts'),
    async () => {
      const before = await service.balance();
      const phone = newPhone();
      const message = `${'לאורך כל הדרך, '.repeat(60)}סוף`;
      accepted(await send({ destinations: { phone }, message }));
      const [sms] = await waitFor('the phone to get it', async () => {
        const all = await service.phone(phone);
        return all.length > 0 && all;
      });
      assert.equal(sms!.text, message);
      assert.equal(await service.balance(), before - Math.ceil(message.length / 67));
      await waitFor('all parts to be delivered', async () => {
        const [row] = await sql<{ status: number }[]>`
        SELECT status FROM messages WHERE account_id = ${demo.id} AND recipient = ${international(phone)}`;
        return row?.status === 102;
      });
    },
  );

  test(`${form}: parts and price by alphabet and length`, covers('B1.charge', 'credit.parts'), async () => {
    const texts: [string, number][] = [
      ['a'.repeat(160), 1],
      ['a'.repeat(161), 2],
      ['a'.repeat(306), 2],
      ['a'.repeat(307), 3],
      // Of the extension table: two septets each (3GPP TS 23.038, 6.2.1.1).
      ['€'.repeat(80), 1],
      ['€'.repeat(81), 2],
      [`${'a'.repeat(159)}€`, 2],
      // An escape is not parted from what it escapes: 152 septets in the first part.
      [`${'a'.repeat(152)}€${'a'.repeat(151)}`, 2],
      [`${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
      ['ש'.repeat(70), 1],
      ['ש'.repeat(71), 2],
      ['ש'.repeat(134), 2],
      ['ש'.repeat(135), 3],
      ['😀'.repeat(35), 1],
      ['😀'.repeat(36), 2],
      ['a'.repeat(1005), 7],
      ['ש'.repeat(1005), 15],
    ];
    for (const [message, parts] of texts) {
      const before = await service.balance();
      const [row] = await stored(accepted(await send({ message })));
      assert.equal(row!.parts, parts, `${message.slice(0, 3)}… of ${message.length}`);
      assert.equal(Number(row!.price), parts);
      assert.equal(row!.text, message);
      assert.equal(await service.balance(), before - parts);
    }
  });

  test(
    `${form}: message: empty, missing, 1005 and 1006 characters`,
    covers('B1.message', 'status.7', 'status.989'),
    async () => {
      accepted(await send({ message: 'a'.repeat(1005) }));
      await refused({ message: 'a'.repeat(1006) }, 989, /^message: over 1005/);
      await refused({ message: '' }, 989, /^message: empty/);
      await refused({ message: '   ' }, 989, /^message: empty/);
      await refused({ message: undefined }, 2, /^message: missing/);
      await refused({ message: ['one', 'two'] }, 7, /bulk/);
    },
  );

  test(`${form}: source: 1 to 11 digits and English letters`, covers('B1.source', 'status.992'), async () => {
    for (const source of ['A', 'Elevenchars', '0501234567', '12345678901']) {
      const [row] = await stored(accepted(await send({ source })));
      assert.equal(row!.source, source);
    }
    await refused({ source: 'Twelve chars' }, 992, /^source/);
    await refused({ source: 'Twelvechars1' }, 992, /^source: over 11/);
    await refused({ source: '' }, 992, /^source/);
    await refused({ source: 'My-Shop' }, 992, /^source/);
    await refused({ source: '+972501234' }, 992, /^source/);
    await refused({ source: 'חנות' }, 992, /^source/);
    await refused({ source: undefined }, 2, /^source: missing/);
  });

  test(
    `${form}: every spelling of a number is the same number, sent to once, with the first id`,
    covers('B1.phone', 'B1.phone.id', 'texts.spellings'),
    async () => {
      const before = await service.balance();
      const other = newPhone();
      const local = newPhone();
      const bare = local.slice(1);
      const phone = [
        { $: { id: '' }, _: other },
        { $: { id: 'first' }, _: local },
        { $: { id: 'second' }, _: bare },
        `972${bare}`,
        `+972${bare}`,
        `00972${bare}`,
        `${local.slice(0, 3)}-${local.slice(3, 6)} ${local.slice(6)}`,
        Number(bare),
        { _: Number(bare) },
      ];
      const rows = await stored(accepted(await send({ destinations: { phone } })));
      assert.deepEqual(
        rows.map((row) => [row.phone, row.external_id]),
        [
          [international(other), null],
          [international(local), 'first'],
        ],
      );
      assert.equal(await service.balance(), before - 2);
      await waitFor('both phones to have it', async () => {
        const [a, b] = await Promise.all([service.phone(other), service.phone(local)]);
        return a.length === 1 && b.length === 1;
      });
    },
  );

  test(
    `${form}: destinations: missing, empty, not a number, too short, too long`,
    covers('B1.destinations', 'status.9'),
    async () => {
      const field = /^destinations\.phone/;
      await refused({ destinations: undefined }, 2, field);
      await refused({ destinations: '' }, 2, field);
      await refused({ destinations: { phone: '' } }, 2, field);
      await refused({ destinations: { phone: [newPhone(), ''] } }, 9, /^destinations\.phone\[1\]/);
      for (const phone of ['05012345', '050123456789', 'abc', '05012345a7', '0', '-', '+', '1'.repeat(40)]) {
        await refused({ destinations: { phone } }, 9, field);
      }
      await refused({ destinations: { phone: [newPhone(), '123'] } }, 9, /^destinations\.phone\[1\]/);
      await refused({ destinations: { cl_id: '12345' } }, 988, /^destinations\.cl_id/);
    },
  );

  test(
    `${form}: international destinations only with includes_international`,
    covers('B1.includes_international', 'status.9', 'texts.home'),
    async () => {
      const phone = '14155550123';
      for (const flag of [undefined, 0, 2, '']) {
        await refused({ destinations: { phone }, includes_international: flag }, 9, /includes_international/);
      }
      for (const spelling of [phone, `+${phone}`, `00${phone}`, '+1 (415) 555-0123']) {
        const answer = await send({ destinations: { phone: spelling }, includes_international: 1 });
        assert.equal((await stored(accepted(answer)))[0]!.phone, phone);
      }
      await refused({ includes_international: 'maybe' }, 2, /^includes_international/);
    },
  );

  test(
    `${form}: an external id may be 255 characters long, and is refused beyond`,
    covers('B1.phone.id'),
    async () => {
      const id = `${form}${'x'.repeat(251)}`.slice(0, 255).padEnd(255, 'y');
      const [row] = await stored(
        accepted(await send({ destinations: { phone: { $: { id }, _: newPhone() } } })),
      );
      assert.equal(row!.external_id, id);
      // The second does not fit into a page of an index.
      for (const tooLong of [`${id}z`, randomBytes(9_000).toString('base64')]) {
        await refused(
          { destinations: { phone: { $: { id: tooLong }, _: newPhone() } } },
          2,
          /^destinations\.phone\.id/,
        );
      }
    },
  );

  test(`${form}: tag`, covers('B1.tag', 'texts.tag'), async () => {
    const [row] = await stored(accepted(await send({ tag: '#', message: 'Your code is 1234' })));
    assert.equal(row!.text, '<#> Your code is 1234');
    const [plain] = await stored(accepted(await send({ tag: '' })));
    assert.equal(plain!.text, 'Hello');
    const [long] = await stored(accepted(await send({ tag: 'x'.repeat(20) })));
    assert.equal(long!.text, `<${'x'.repeat(20)}> Hello`);
    await refused({ tag: 'x'.repeat(21) }, 2, /^tag/);
  });

  test(`${form}: campaign_name up to 50 characters`, covers('B1.campaign_name', 'status.989'), async () => {
    const name = `${form}ק`.padEnd(50, 'x');
    const answer = accepted(await send({ campaign_name: name }));
    const [row] =
      await sql`SELECT campaign_name FROM shipments WHERE id = ${Number(answer.fields.shipment_id)}`;
    assert.equal(row!.campaign_name, name);
    await refused({ campaign_name: `${name}x` }, 989, /^campaign_name/);
  });

  test(
    `${form}: temp_bl passes over those who got a message lately, and does not charge for them`,
    covers('B1.temp_bl', 'B1.temp_bl.refused', 'status.714', 'texts.filtered'),
    async () => {
      const [a, b] = [newPhone(), newPhone()];
      accepted(await send({ destinations: { phone: a } }));
      const before = await service.balance();
      const rows = await stored(accepted(await send({ destinations: { phone: [a, b] }, temp_bl: 1 })));
      assert.deepEqual(
        rows.map((row) => row.phone),
        [international(b)],
      );
      assert.equal(await service.balance(), before - 1);
      await refused({ destinations: { phone: [a, b] }, temp_bl: '14' }, 715, /temp_bl/);
      for (const days of [0, 15, -1, 1.5, 'x', 'NaN']) await refused({ temp_bl: days }, 714, /^temp_bl/);
    },
  );

  test(
    `${form}: temp_bl looks back as many days as it says`,
    covers('B1.temp_bl', 'status.715'),
    async () => {
      const phone = newPhone();
      // What still waits would expire, and its price come back, while the refused are looked at.
      const atRest = () =>
        waitFor('all to have a final status', async () => {
          const [row] = await sql`SELECT count(*)::int AS n FROM messages WHERE final_at IS NULL`;
          return row!.n === 0;
        });
      for (const days of [1, 14]) {
        accepted(await send({ destinations: { phone } }));
        await atRest();
        await service.advance(days * 86_400 - 60);
        await refused({ destinations: { phone }, temp_bl: days }, 715, /temp_bl/);
        await service.advance(120);
        accepted(await send({ destinations: { phone }, temp_bl: days }));
      }
    },
  );

  test(
    `${form}: blacklisted destinations are skipped, not charged, and 201 in dlr`,
    covers('B1.blacklist', 'status.8', 'delivery.201', 'texts.blacklisted'),
    async () => {
      const [good, bad] = [newPhone(), newPhone()];
      assert.equal((await service.call(form, 'addNumBL', { phones: { phone: bad } })).status, 946);
      const before = await service.balance();
      const answer = accepted(
        await send({
          destinations: {
            phone: [
              { $: { id: `bad ${bad}` }, _: bad },
              { $: { id: `good ${good}` }, _: good },
            ],
          },
        }),
      );
      assert.equal(await service.balance(), before - 1);
      const rows = await stored(answer);
      assert.deepEqual(
        rows.map((row) => [row.phone, row.status === 201, Number(row.price)]),
        [
          [international(bad), true, 0],
          [international(good), false, 1],
        ],
      );
      const now = service.appContext.clock.now();
      const report = await service.call(form, 'dlr', {
        transactions: { external_id: [`bad ${bad}`] },
        from: formatLocal(now - minute, 'Asia/Jerusalem'),
        to: formatLocal(now + minute, 'Asia/Jerusalem'),
      });
      const [row] = report.fields.transactions as Record<string, unknown>[];
      assert.deepEqual([Number(row!.status), row!.en_message], [201, 'Blocked on request']);
      await waitFor('the good one to arrive', async () => (await service.phone(good)).length === 1);
      assert.equal((await service.phone(bad)).length, 0);
      await refused({ destinations: { phone: [bad, bad.slice(1)] } }, 8, /blocked/);
    },
  );

  test(
    `${form}: a time in the past is sent immediately, a future one is held and sent at its time`,
    covers('B1.timing', 'texts.past'),
    async () => {
      const clock = service.appContext.clock;
      const [now, later] = [newPhone(), newPhone()];
      accepted(await send({ destinations: { phone: now }, timing: '01/01/25 08:00' }));
      await waitFor('the past one to arrive', async () => (await service.phone(now)).length === 1);
      const before = await service.balance();
      const due = clock.now() + 90 * minute;
      const answer = accepted(
        await send({ destinations: { phone: later }, timing: formatLocal(due, 'Asia/Jerusalem') }),
      );
      const id = Number(answer.fields.shipment_id);
      assert.equal(await service.balance(), before - 1);
      const [held] = await sql`SELECT state, due_at FROM shipments WHERE id = ${id}`;
      assert.deepEqual({ ...held }, { state: 0, due_at: Math.floor(due / minute) * minute });
      const kinds = async () =>
        (await sql<{ kind: string }[]>`SELECT kind FROM ledger WHERE shipment_id = ${id} ORDER BY id`).map(
          (row) => row.kind,
        );
      assert.deepEqual(await kinds(), ['hold']);
      await service.advance(88 * 60);
      accepted(await send({ destinations: { phone: now } }));
      await waitFor('a message after it to arrive', async () => (await service.phone(now)).length === 2);
      assert.equal((await service.phone(later)).length, 0);
      await service.advance(3 * 60);
      await waitFor('the scheduled one to arrive', async () => (await service.phone(later)).length === 1);
      assert.deepEqual(await kinds(), ['hold', 'release', 'charge']);
      assert.equal(await service.balance(), before - 2);
    },
  );

  test(`${form}: timing that is no time`, covers('B1.timing.refused'), async () => {
    for (const timing of [
      'tomorrow',
      '31/02/27 10:00',
      '01/13/27 10:00',
      '01/01/27 24:01',
      '2027-01-01 10:00',
      '1/1/27',
    ]) {
      await refused({ timing }, 2, /^timing/);
    }
  });

  test(
    `${form}: what this service does not offer is refused and not passed over`,
    covers('B1.add_dynamic.refused', 'status.511'),
    async () => {
      await refused({ add_dynamic: 1 }, 987, /^add_dynamic/);
      for (const no of [0, 1, 'no', ''])
        accepted(await send({ add_unsubscribe: no, add_dynamic: no === 1 ? 0 : no }));
    },
  );

  test(`${form}: a dry run answers as a send and leaves nothing behind`, covers('B1.dry run'), async () => {
    const before = await countEverything(sql);
    accepted(await send({}, { path: '/api/test' }));
    accepted(await send({}, { path: '/api/test/' }));
    assert.deepEqual(await countEverything(sql), before);
  });

  test(
    `${form}: without enough credit nothing is stored, also in a dry run`,
    covers('B1.charge', 'status.4', 'credit.one transaction'),
    async () => {
      const poor = await service.addAccount({ username: `poor-${form}` }, 2);
      const user = { username: poor.username };
      const three = { phone: newPhones(3) };
      const before = await countEverything(sql);
      for (const path of ['/api', '/api/test']) {
        const answer = await send({ user, destinations: three }, { token: poor.token, path });
        assert.equal(answer.status, 4);
      }
      assert.deepEqual(await countEverything(sql), before);
      accepted(await send({ user, message: 'a'.repeat(161) }, { token: poor.token }));
      assert.equal(await service.balance(poor.id), 0);
      assert.equal((await send({ user }, { token: poor.token })).status, 4);
    },
  );

  test(`${form}: prices by account and by the longest prefix`, covers('credit.prices'), async () => {
    const { prices } = service.appContext;
    const dealer = await service.addAccount({ username: `dealer-${form}` }, 100);
    await prices.set(0, 'sms', '1', '0.5');
    await prices.set(0, 'sms', '1415', '0.3333');
    await prices.set(dealer.id, 'sms', '97250', '0.0001');
    await prices.set(dealer.id, 'sms', '49', '0');
    const cost = async (phone: string, message = 'Hello') => {
      const before = await service.appContext.wallets.balance(dealer.id);
      accepted(
        await send(
          {
            user: { username: dealer.username },
            destinations: { phone },
            message,
            includes_international: 1,
          },
          { token: dealer.token },
        ),
      );
      return before - (await service.appContext.wallets.balance(dealer.id));
    };
    assert.equal(await cost('14155550123'), 3_333);
    assert.equal(await cost('14155550123', 'a'.repeat(307)), 9_999);
    assert.equal(await cost('12125550123'), 5_000);
    assert.equal(await cost('0501234567'), 1);
    assert.equal(await cost('0521234567'), 10_000);
    assert.equal(await cost('4915112345678'), 0);
    await prices.set(dealer.id, 'sms', '', '0.25');
    assert.equal(await cost('14155550123'), 2_500, "an account's own row comes before everyone's longer one");
    await assertBooksBalance(sql);
  });
}
