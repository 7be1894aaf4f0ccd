import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLocal } from '../../../server/kit/time-zones.ts';
import { covers } from '../../conformance/covers.ts';
import { assertBooksBalance, countEverything } from '../../support/books.ts';
import { newPhone, newPhones, stored } from '../../support/phones.ts';
import { type Answer, type Content, forms, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Sends to contact lists (interface, B1 and B2: `cl_id`, `add_dynamic`), in both forms. */
const service = await startTestService();
const { sql } = service;

interface Row {
  phone: string;
  text: string;
  external_id: string | null;
  parts: number;
  price: number;
  status: number;
}

/** The messages of a shipment once its lists are through. */
async function expanded(answer: Answer): Promise<Row[]> {
  assert.equal(answer.status, 0, answer.message);
  const id = Number(answer.fields.shipment_id);
  await waitFor('its lists are through', async () => {
    const [row] =
      await sql`SELECT count(*)::int AS n FROM campaigns WHERE id = ${id} AND next_at IS NOT NULL`;
    return row!.n === 0;
  });
  return (
    await sql<(Omit<Row, 'price'> & { price: string })[]>`
      SELECT m.recipient AS phone, coalesce(m.payload, s.payload) AS text, m.external_id, m.parts, m.price, m.status
      FROM messages m JOIN shipments s ON s.account_id = m.account_id AND s.id = m.shipment_id
      WHERE m.shipment_id = ${id} ORDER BY m.id`
  ).map((row) => ({ ...row, price: Number(row.price) }));
}

type Entry = string | Record<string, string>;

async function newList(entries: readonly Entry[], options = {}): Promise<string> {
  const destination = entries.map((entry) => (typeof entry === 'string' ? { phone: entry } : entry));
  const content = { cl: { name: 'list', destinations: { destination } } };
  const answer = await service.call('json', 'newCL', content, options);
  assert.equal(answer.status, 0, answer.message);
  return (answer.fields.identifiers as string[])[0]!;
}

const sorted = (phones: readonly string[]) => phones.map(stored).sort();
const phonesOf = (rows: readonly Row[]) => rows.map(({ phone }) => phone).sort();

for (const form of forms) {
  const send = (content: Content, options = {}) =>
    service.call(form, 'sms', { source: 'Shop', message: 'Hello', ...content }, options);

  async function refused(content: Content, status: number, field: RegExp, root = 'sms') {
    const before = await countEverything(sql);
    for (const path of ['/api', '/api/test']) {
      const whole = root === 'sms' ? { source: 'Shop', message: 'Hello', ...content } : content;
      const answer = await service.call(form, root, whole, { path });
      assert.equal(answer.status, status, `${path}: ${answer.message}`);
      assert.match(answer.message, field);
    }
    assert.deepEqual(await countEverything(sql), before);
  }

  test(
    `${form}: a send to a list arrives at each of its phones, and costs what they cost`,
    covers('B1.cl_id', 'B1.cl_id.restart'),
    async () => {
      const phones = newPhones(3);
      const before = await service.balance();
      const rows = await expanded(await send({ destinations: { cl_id: await newList(phones) } }));
      assert.deepEqual(phonesOf(rows), sorted(phones));
      for (const row of rows) assert.deepEqual([row.text, row.parts, row.price], ['Hello', 1, 1]);
      assert.equal(await service.balance(), before - 3);
      for (const phone of phones) {
        const [message] = await waitFor('it arrives', async () => {
          const messages = await service.phone(phone);
          return messages.length > 0 && messages;
        });
        assert.deepEqual([message!.from, message!.text], ['Shop', 'Hello']);
      }
    },
  );

  test(
    `${form}: phones and several lists that share numbers: each number once, singles with their ids`,
    covers('B1.cl_id', 'texts.duplicates'),
    async () => {
      const [single, inBoth, inFirst, inSecond] = newPhones(4) as [string, string, string, string];
      const lists = [await newList([single, inBoth, inFirst]), await newList([inBoth, inSecond, single])];
      const destinations = { phone: { $: { id: 'mine' }, _: single }, cl_id: [...lists, lists[0]!] };
      const rows = await expanded(await send({ destinations }));
      assert.deepEqual(phonesOf(rows), sorted([single, inBoth, inFirst, inSecond]));
      assert.equal(rows.find(({ phone }) => phone === stored(single))!.external_id, 'mine');
    },
  );

  test(
    `${form}: dynamic fields are filled in for each contact, a missing one with nothing`,
    covers('B1.add_dynamic', 'texts.fields'),
    async () => {
      const [full, partly, none] = newPhones(3) as [string, string, string];
      const list = await newList([
        { phone: full, df1: 'Dana', df2: '[DYNAMIC_FIELD1] [link-1]', df6: 'end' },
        { phone: partly, df2: 'x'.repeat(200) },
        none,
      ]);
      const before = await service.balance();
      const message = 'Hi [DYNAMIC_FIELD1]: [DYNAMIC_FIELD2] [DYNAMIC_FIELD6][DYNAMIC_FIELD7]';
      const rows = await expanded(await send({ add_dynamic: 1, message, destinations: { cl_id: list } }));
      const textOf = (phone: string) => rows.find((row) => row.phone === stored(phone))!;
      // What a contact's field says is not read again.
      assert.equal(textOf(full).text, 'Hi Dana: [DYNAMIC_FIELD1] [link-1] end[DYNAMIC_FIELD7]');
      assert.equal(textOf(none).text, 'Hi :  [DYNAMIC_FIELD7]');
      assert.deepEqual([textOf(partly).parts, textOf(partly).price], [2, 2]);
      assert.equal(await service.balance(), before - 4);
    },
  );

  test(
    `${form}: without add_dynamic 1 the placeholders are text`,
    covers('B1.add_dynamic.other'),
    async () => {
      const message = 'Hi [DYNAMIC_FIELD1]';
      const list = await newList([{ phone: newPhone(), df1: 'Dana' }]);
      const [row] = await expanded(await send({ add_dynamic: 0, message, destinations: { cl_id: list } }));
      assert.equal(row!.text, message);
    },
  );

  test(
    `${form}: dynamic fields take one list and no phones`,
    covers('B1.add_dynamic.refused', 'status.987'),
    async () => {
      const [one, two] = [await newList([newPhone()]), await newList([newPhone()])];
      const dynamic = { add_dynamic: 1, message: '[DYNAMIC_FIELD1]' };
      await refused({ ...dynamic, destinations: { cl_id: [one, two] } }, 987, /^add_dynamic/);
      await refused({ ...dynamic, destinations: { cl_id: one, phone: newPhone() } }, 987, /^add_dynamic/);
      await refused({ ...dynamic, destinations: { phone: newPhone() } }, 987, /^add_dynamic/);
      await refused(dynamic, 2, /^destinations\.phone: missing/);
    },
  );

  test(
    `${form}: unknown lists, another account's and empty ones are refused`,
    covers('B1.cl_id.unknown', 'status.988'),
    async () => {
      const username = `lists-${form}`;
      const other = await service.addAccount({ username });
      const theirs = await service.call(
        'json',
        'newCL',
        { user: { username }, cl: { name: 'theirs', destinations: { destination: { phone: newPhone() } } } },
        { token: other.token },
      );
      for (const id of ['1', 'abc', '99999999999999999999', (theirs.fields.identifiers as string[])[0]!]) {
        await refused({ destinations: { cl_id: id, phone: newPhone() } }, 988, /^destinations\.cl_id/);
      }
      await refused({ destinations: { cl_id: await newList([]) } }, 2, /^destinations\.cl_id/);
    },
  );

  test(
    `${form}: who is blocked, abroad, or got a message lately`,
    covers('B1.cl_id.skipped', 'delivery.998'),
    async () => {
      const [blocked, recent, plain] = newPhones(3) as [string, string, string];
      const abroad = `4479460${form === 'xml' ? 0 : 1}${plain.slice(-4)}`;
      await service.call('json', 'addNumBL', { phones: { phone: blocked } });
      await send({ destinations: { phone: recent } });
      const list = await newList([blocked, recent, plain, abroad]);
      const before = await service.balance();
      const rows = await expanded(await send({ temp_bl: 3, destinations: { cl_id: list } }));
      const outcome = new Map(rows.map(({ phone, price, status }) => [phone, price > 0 ? price : status]));
      assert.deepEqual(
        outcome,
        new Map(
          [[stored(blocked), 201] as const, [stored(plain), 1] as const, [abroad, 998] as const].sort(),
        ),
      );
      assert.equal(await service.balance(), before - 1);
      const again = await expanded(await send({ includes_international: 1, destinations: { cl_id: list } }));
      assert.deepEqual(phonesOf(again), [stored(blocked), stored(recent), stored(plain), abroad].sort());
      // Its own status changes as soon as it is sent.
      assert.ok(again.find(({ phone }) => phone === abroad)!.price > 0);
    },
  );

  test(`${form}: not enough credit for the lists is refused whole`, covers('B1.cl_id.credit'), async () => {
    const username = `poor-lists-${form}`;
    const { id, token } = await service.addAccount({ username }, 2);
    const ask = (root: string, content: Content, path = '/api') =>
      service.call(form, root, { user: { username }, ...content }, { token, path });
    const made = await ask('newCL', {
      cl: { name: 'three', destinations: { destination: newPhones(3).map((phone) => ({ phone })) } },
    });
    const list = (made.fields.identifiers as string[])[0]!;
    const before = await countEverything(sql);
    const content = { source: 'Shop', message: 'Hello', destinations: { cl_id: list } };
    for (const path of ['/api', '/api/test']) assert.equal((await ask('sms', content, path)).status, 4);
    assert.deepEqual(await countEverything(sql), before);
    assert.equal(await service.balance(id), 2);
  });

  test(`${form}: a dry run of a send to lists stores and charges nothing`, covers('B1.dry run'), async () => {
    const list = await newList(newPhones(2));
    const before = await countEverything(sql);
    const answer = await send(
      {
        destinations: { cl_id: list },
        message: 'x [link-1]',
        links: { link: { $: { id: 1 }, _: 'https://a.example' } },
      },
      { path: '/api/test' },
    );
    assert.equal(answer.status, 0, answer.message);
    assert.deepEqual(await countEverything(sql), before);
  });

  test(
    `${form}: a scheduled send to a list is sent when it is due, to its members at that time`,
    covers('B1.cl_id.later'),
    async () => {
      const [first, later, single] = newPhones(3) as [string, string, string];
      const list = await newList([first]);
      const timing = formatLocal(service.appContext.clock.now() + 3_600_000, 'Asia/Jerusalem');
      const before = await service.balance();
      const answer = await send({ timing, destinations: { cl_id: list, phone: single } });
      assert.equal(answer.status, 0, answer.message);
      assert.equal(await service.balance(), before - 2);
      await service.call('json', 'addNumCL', {
        cl: { id: list, destinations: { destination: { phone: later } } },
      });
      await service.advance(3_700);
      assert.deepEqual(phonesOf(await expanded(answer)), sorted([first, later, single]));
      for (const phone of [first, later, single]) {
        await waitFor('it arrives', async () => (await service.phone(phone)).length === 1);
      }
      assert.equal(await service.balance(), before - 3);
      await assertBooksBalance(sql);
    },
  );

  test(
    `${form}: a scheduled send to a list is cancelled, and what was held comes back`,
    covers('B11.scheduled'),
    async () => {
      const before = await service.balance();
      const timing = formatLocal(service.appContext.clock.now() + 3_600_000, 'Asia/Jerusalem');
      const phones = newPhones(3);
      const answer = await send({ timing, destinations: { cl_id: await newList(phones) } });
      assert.equal(await service.balance(), before - 3);
      const cancelled = await service.call(form, 'cancel', { campaign_id: answer.fields.shipment_id });
      assert.equal(cancelled.status, 0, cancelled.message);
      assert.match(cancelled.message, /before it was sent, 3 messages/);
      assert.equal(await service.balance(), before);
      assert.deepEqual(await expanded(answer), []);
      const again = await service.call(form, 'cancel', { campaign_id: answer.fields.shipment_id });
      assert.equal(again.status, 955);
      await service.advance(3_700);
      const marker = newPhone();
      await send({ destinations: { phone: marker } });
      await waitFor('a later one arrives', async () => (await service.phone(marker)).length === 1);
      for (const phone of phones) assert.equal((await service.phone(phone)).length, 0);
    },
  );

  test(
    `${form}: bulk is sent to lists of each message and to the common lists; each text once a number`,
    covers('B2.cl_id'),
    async () => {
      const [one, two, three] = newPhones(3) as [string, string, string];
      const everywhere = await newList([one, two]);
      const own = await newList([two, three]);
      const answer = await service.call(form, 'bulk', {
        messages: {
          sms: [
            { source: 'Shop', message: 'first', destinations: { phone: one, cl_id: own } },
            { source: 'Other', message: 'second' },
          ],
        },
        cl_id: everywhere,
      });
      const rows = await expanded(answer);
      const of = (text: string) => rows.filter((row) => row.text === text).map(({ phone }) => phone);
      assert.deepEqual(of('first').sort(), sorted([one, two, three]));
      assert.deepEqual(of('second').sort(), sorted([one, two]));
      await waitFor('both arrive', async () => (await service.phone(one)).length === 2);
      assert.deepEqual((await service.phone(one)).map(({ from }) => from).sort(), ['Other', 'Shop']);
    },
  );

  test(
    `${form}: a text that is too long for a contact is sent to nobody, costs nothing and has a reason`,
    covers('B1.add_dynamic', 'delivery.18'),
    async () => {
      const phone = newPhone();
      const long = 'y'.repeat(1_000);
      const list = await newList([{ phone, df1: long, df2: long }]);
      const before = await service.balance();
      const [row] = await expanded(
        await service.call(form, 'sms', {
          source: 'Shop',
          message: 'a [DYNAMIC_FIELD1][DYNAMIC_FIELD2]',
          add_dynamic: 1,
          destinations: { cl_id: list },
        }),
      );
      assert.deepEqual([row!.status, row!.price], [18, 0]);
      assert.equal(await service.balance(), before);
    },
  );

  test(
    `${form}: when the credit runs out on the way, the rest fails with status 7 and costs nothing`,
    covers('B1.cl_id.credit', 'delivery.7'),
    async () => {
      const username = `runs-out-${form}`;
      const { id, token } = await service.addAccount({ username }, 600);
      // The cost is estimated by the first 500, in the order of their numbers: those after them get longer texts.
      const destination = Array.from({ length: 700 }, (_, index) => ({
        phone: `05${81_000_000 + index}`,
        ...(index >= 500 && { df1: 'z'.repeat(200) }),
      }));
      const ask = (root: string, content: Content) =>
        service.call(form, root, { user: { username }, ...content }, { token });
      const made = await ask('newCL', { cl: { name: 'growing', destinations: { destination } } });
      const cl_id = (made.fields.identifiers as string[])[0]!;
      await service.appContext.wallets.topUp(id, 1_500_000, 'test');
      const rows = await expanded(
        await ask('sms', {
          source: 'Shop',
          message: 'a [DYNAMIC_FIELD1]',
          add_dynamic: 1,
          destinations: { cl_id },
        }),
      );
      // 750 credits: 500 of one part and 125 of two.
      assert.deepEqual([rows.length, rows.filter(({ status }) => status === 7).length], [700, 75]);
      assert.equal(await service.balance(id), 0);
      await assertBooksBalance(sql);
    },
  );

  test(`${form}: a removed list receives nothing`, covers('B1.cl_id.later'), async () => {
    const [phone, single] = newPhones(2) as [string, string];
    const list = await newList([phone]);
    const timing = formatLocal(service.appContext.clock.now() + 3_600_000, 'Asia/Jerusalem');
    const content = {
      source: 'Shop',
      message: 'Hello',
      timing,
      destinations: { cl_id: list, phone: single },
    };
    const before = await service.balance();
    const answer = await service.call(form, 'sms', content);
    await service.call('json', 'removeCL', { cl: { id: list } });
    await service.advance(3_700);
    await waitFor('the single one arrives', async () => (await service.phone(single)).length === 1);
    assert.deepEqual(phonesOf(await expanded(answer)), sorted([single]));
    assert.equal(await service.balance(), before - 1);
  });

  test(`${form}: a blocked contact of a list is in the report`, covers('B1.cl_id.skipped'), async () => {
    const phone = newPhone();
    await service.call('json', 'addNumBL', { phones: { phone } });
    const list = await newList([phone]);
    await expanded(
      await service.call(form, 'sms', { source: 'Shop', message: 'Hello', destinations: { cl_id: list } }),
    );
    const report = await service.call(form, 'dlrByDate', {
      from: formatLocal(service.appContext.clock.now() - 3_600_000, 'Asia/Jerusalem'),
      to: formatLocal(service.appContext.clock.now() + 60_000, 'Asia/Jerusalem'),
    });
    const rows = report.fields.transactions as { phone: string; status: string | number }[];
    assert.deepEqual(
      rows.filter((row) => row.phone === phone).map(({ status }) => Number(status)),
      [201],
    );
  });
}
