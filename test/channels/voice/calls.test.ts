import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLocal } from '../../../server/kit/time-zones.ts';
import { covers } from '../../conformance/covers.ts';
import { countEverything } from '../../support/books.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { type Content, forms } from '../../support/service.ts';
import {
  callAt,
  callsAt,
  finalLegsOf,
  heardIn,
  legsOf,
  likeness,
  newKosher,
  rendered,
  startVoiceService,
} from './support.ts';

/** `sms` with `tts` (interface, B3) and `ttsDlr` (B8), in both forms, against the sandbox's telephone exchange. */
const service = await startVoiceService();
const { sql } = service;
const SMS = 0;
const VOICE = 3;
const minute = 60_000;

function spanOfNow() {
  const now = service.appContext.clock.now();
  return {
    from: formatLocal(now - 30 * minute, 'Asia/Jerusalem'),
    to: formatLocal(now + minute, 'Asia/Jerusalem'),
  };
}

for (const form of forms) {
  const send = (content: Content, options = {}) =>
    service.call(
      form,
      'sms',
      { source: 'Shop', destinations: { phone: newPhone() }, message: 'Hello', ...content },
      options,
    );

  async function refused(content: Content, status: number, field: RegExp) {
    const before = await countEverything(sql);
    for (const path of ['/api', '/api/test']) {
      const answer = await send(content, { path });
      assert.equal(answer.status, status, `${path}: ${answer.message}`);
      assert.match(answer.message, field);
    }
    assert.deepEqual(await countEverything(sql), before);
  }

  test(`${form}: a call says the code, and it can be read back from what was heard`, {
    ...covers('B3.type.4', 'B3.source'),
    timeout: 60_000,
  }, async () => {
    const phone = newPhone();
    const before = await service.balance();
    const answer = await send({
      destinations: { phone },
      message: 'Code 4829',
      tts: { type: 4, rate: 3, repeat: 1 },
    });
    const [leg, ...others] = await finalLegsOf(service, answer);
    assert.equal(others.length, 0);
    assert.deepEqual(
      [leg!.channel, leg!.phone, leg!.source, leg!.parts, leg!.price, leg!.status],
      [VOICE, stored(phone), '97237000000', 1, 1, 102],
    );
    assert.match(leg!.code!, /^HEARD\/\d+$/);
    const call = await callAt(service, phone);
    assert.deepEqual([call.from, call.text, call.ended], ['97237000000', 'Code 4829', 'caller']);
    assert.deepEqual(await service.phone(phone), []);
    const heard = await heardIn(service, call);
    const likenesses = await Promise.all(
      ['4829', '4828', '4929', '8429'].map(async (code) =>
        likeness(heard, await rendered(`Code ${code}`, 3)),
      ),
    );
    assert.equal(likenesses.indexOf(Math.max(...likenesses)), 0, `likenesses ${likenesses}`);
    assert.ok(likenesses[0]! > 0.95, `likeness ${likenesses[0]}`);
    if (form === 'json') assert.equal(await service.balance(), before - 1);
  });

  test(
    `${form}: type 3 is an SMS and a call, each with its own price and status; dlr has the SMS, ttsDlr the call`,
    covers('B3.type.3', 'B8.ttsDlr'),
    async () => {
      const phone = newPhone();
      const id = `both ${phone}`;
      const answer = await send({
        destinations: { phone: { $: { id }, _: phone } },
        message: 'Hi',
        tts: { type: 3, repeat: 1, rate: 10 },
      });
      const legs = await finalLegsOf(service, answer);
      assert.deepEqual(
        legs.map(({ channel, source, price, status }) => [channel, source, price, status]),
        [
          [SMS, 'Shop', 1, 102],
          [VOICE, '97237000000', 1, 102],
        ],
      );
      assert.equal((await service.phone(phone))[0]!.text, 'Hi');
      assert.equal((await callsAt(service, phone)).length, 1);
      const shipment_id = String(answer.fields.shipment_id);
      const dlr = await service.call(form, 'dlr', { transactions: { external_id: [id] }, ...spanOfNow() });
      const rows = dlr.fields.transactions as Record<string, unknown>[];
      assert.deepEqual(
        rows.map((row) => [row.external_id, String(row.status), row.phone]),
        [[id, '102', phone]],
      );
      const voice = await service.call(form, 'ttsDlr', { shipment_id, ...spanOfNow() });
      assert.equal(voice.status, 0);
      const [row, ...more] = voice.fields.transactions as Record<string, unknown>[];
      assert.equal(more.length, 0);
      assert.deepEqual(Object.keys(row!), [
        'shipment_id',
        'status',
        'source',
        'phone',
        'he_message',
        'en_message',
        'date',
      ]);
      assert.deepEqual(
        { ...row, status: Number(row!.status), date: undefined },
        {
          shipment_id,
          status: 102,
          source: '037000000',
          phone,
          he_message: 'הגיע ליעד',
          en_message: 'Delivered',
          date: undefined,
        },
      );
      assert.match(String(row!.date), /^\d\d\/\d\d\/\d\d \d\d:\d\d$/);
    },
  );

  test(
    `${form}: type 2 calls kosher phones, and sends an SMS to all others`,
    covers('B3.type.2'),
    async () => {
      const [kosher, regular] = [newKosher(), newPhone()];
      const answer = await send({
        destinations: { phone: [{ $: { id: `k ${kosher}` }, _: kosher }, regular] },
        message: 'Hi',
        tts: { type: 2, repeat: 1, rate: 10 },
      });
      const legs = await finalLegsOf(service, answer);
      assert.deepEqual(
        legs.map(({ channel, phone, status }) => [channel, phone, status]),
        [
          [VOICE, stored(kosher), 102],
          [SMS, stored(regular), 102],
        ],
      );
      assert.equal((await callsAt(service, regular)).length, 0);
      // Without an SMS beside it, the call is what dlr is about.
      const transactions = { external_id: [`k ${kosher}`] };
      const dlr = await service.call(form, 'dlr', { transactions, ...spanOfNow() });
      assert.equal((dlr.fields.transactions as unknown[]).length, 1);
      const all = await service.call(form, 'dlrByDate', {
        transactions: { external_id: 'null' },
        ...spanOfNow(),
      });
      const mine = (all.fields.transactions as Record<string, unknown>[]).filter(
        (row) => String(row.shipment_id) === String(answer.fields.shipment_id),
      );
      assert.deepEqual(mine.map(({ phone }) => phone).sort(), [kosher, regular].sort());
    },
  );

  test(`${form}: it is said as often as asked for, twice without`, {
    ...covers('B3.repeat'),
    timeout: 60_000,
  }, async () => {
    const [once, twice] = [newPhone(), newPhone()];
    await send({ destinations: { phone: once }, message: 'Go', tts: { type: 4, repeat: 1 } });
    await send({ destinations: { phone: twice }, message: 'Go', tts: { type: 4 } });
    const [first, second] = await Promise.all([callAt(service, once), callAt(service, twice)]);
    // Of what was heard, not of the clock: on a busy machine calls are hung up late.
    const [one, two] = [await heardIn(service, first), await heardIn(service, second)];
    const { length } = await rendered('Go');
    assert.ok(two.length - one.length > length, `${one.length} and ${two.length} of ${length}`);
  });

  test(
    `${form}: tts that cannot be used is refused, and nothing is stored`,
    covers('B1.tts', 'B3.type.refused', 'B3.rate', 'B3.repeat', 'B3.voice'),
    async () => {
      const message = 'Hello';
      await refused({ message, tts: { rate: 0 } }, 2, /^tts\.type: missing/);
      for (const type of [0, 1, 5, 'x', 2.5, -4]) await refused({ tts: { type } }, 2, /^tts\.type/);
      for (const rate of [-11, 11, 'fast', 0.5]) await refused({ tts: { type: 4, rate } }, 2, /^tts\.rate/);
      for (const repeat of [0, 6, 'x', -1]) await refused({ tts: { type: 4, repeat } }, 2, /^tts\.repeat/);
      for (const voice of ['robot', 'YMMALE', 5])
        await refused({ tts: { type: 4, voice } }, 2, /^tts\.voice/);
      await refused(
        { tts: { type: 4 }, message: 'https://example.com/only' },
        989,
        /^message: nothing of it/,
      );
      await refused({ tts: { type: 4 }, message: '' }, 989, /^message/);
      await refused({ tts: { type: 4 }, message: 'x'.repeat(1_006) }, 989, /^message/);
      await refused({ tts: { type: 4 }, source: 'a b' }, 992, /^source/);
      await refused({ tts: { type: 4 }, destinations: { phone: '12' } }, 9, /^destinations\.phone/);
      await refused(
        {
          tts: { type: 3 },
          message: '[link-1]x',
          links: { link: { $: { id: '2' }, _: 'https://a.example' } },
        },
        980,
        /link/,
      );
      await refused({ tts: { type: 4 }, add_dynamic: '1' }, 987, /^add_dynamic/);
    },
  );

  test(
    `${form}: a blacklisted phone is neither called nor charged, in each leg`,
    covers('B3.blacklist'),
    async () => {
      const [blocked, open] = [newPhone(), newPhone()];
      await service.call(form, 'addNumBL', { phones: { phone: blocked } });
      const answer = await send({
        destinations: { phone: [blocked, open] },
        message: 'Hi',
        tts: { type: 3, repeat: 1, rate: 10 },
      });
      const legs = await finalLegsOf(service, answer);
      assert.deepEqual(
        legs.map(({ channel, price, status }) => [channel, price, status]),
        [
          [SMS, 0, 201],
          [VOICE, 0, 201],
          [SMS, 1, 102],
          [VOICE, 1, 102],
        ],
      );
      await refused({ destinations: { phone: blocked }, tts: { type: 4 } }, 8, /blocked list/);
    },
  );

  test(
    `${form}: ttsDlr refuses what dlr refuses, and a shipment that is no number`,
    covers('B8.ttsDlr.refused'),
    async () => {
      const span = spanOfNow();
      const ask = (content: Content) => service.call(form, 'ttsDlr', content);
      assert.equal((await ask({ ...span, shipment_id: 'abc' })).status, 2);
      assert.equal((await ask({ ...span, shipment_id: '1'.repeat(30) })).status, 2);
      assert.equal((await ask({ to: span.to })).status, 2);
      assert.equal((await ask({ from: span.from })).status, 2);
      assert.equal((await ask({ from: '01/01/26 00:00', to: '09/01/26 00:00' })).status, 2);
      assert.deepEqual((await ask({ ...span, shipment_id: '123' })).fields.transactions, []);
      assert.deepEqual((await ask({ from: '01/01/26 00:00', to: '02/01/26 00:00' })).fields.transactions, []);
    },
  );

  test(`${form}: a scheduled call is held, and can be cancelled`, covers('B3.timing'), async () => {
    const before = await service.balance();
    const timing = formatLocal(service.appContext.clock.now() + 60 * minute, 'Asia/Jerusalem');
    const answer = await send({ message: 'Later', timing, tts: { type: 3 } });
    assert.equal(answer.status, 0, answer.message);
    assert.equal((await legsOf(service, answer)).length, 2);
    const cancelled = await service.call(form, 'cancel', { campaign_id: answer.fields.shipment_id });
    assert.equal(cancelled.status, 0, cancelled.message);
    assert.ok((await legsOf(service, answer)).every(({ status }) => status === 104));
    assert.ok((await service.balance()) <= before);
  });
}

test('what a price list says of calls is charged, by prefix and account', covers('B3.price'), async () => {
  const { prices, accounts, tokens, wallets } = service.appContext;
  const account = await service.addAccount({ username: 'caller' }, 10);
  assert.ok(accounts && tokens && wallets);
  await prices.set(account.id, 'voice', '97250', '2.5');
  const answer = await service.call(
    'json',
    'sms',
    {
      user: { username: 'caller' },
      source: 'Shop',
      destinations: { phone: [newPhone(), newPhone()] },
      message: 'Hi',
      tts: { type: 3, repeat: 1, rate: 10 },
    },
    { token: account.token },
  );
  const legs = await finalLegsOf(service, answer);
  assert.deepEqual(
    legs.map(({ price }) => price),
    [1, 2.5, 1, 2.5],
  );
  assert.equal(await service.balance(account.id), 3);
  const tooMuch = await service.call(
    'json',
    'sms',
    {
      user: { username: 'caller' },
      source: 'Shop',
      destinations: { phone: [newPhone(), newPhone()] },
      message: 'Hi',
      tts: { type: 4 },
    },
    { token: account.token },
  );
  assert.equal(tooMuch.status, 4);
});
