import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { newPhone } from '../../support/phones.ts';
import { waitFor } from '../../support/wait-for.ts';
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

/* Sends with `tts` to lists and to phones that do not take a call; what each operation does in both forms: calls.test.ts. */

const service = await startVoiceService();
const { sql } = service;
const VOICE = 3;

test('what only eyes can use is in the SMS and not in the call', {
  ...covers('B3.fields'),
  timeout: 60_000,
}, async () => {
  const phone = newPhone();
  const answer = await service.call('json', 'sms', {
    source: 'Shop',
    destinations: { phone },
    message: 'Hi [link-1]',
    tag: '#',
    add_unsubscribe: 3,
    links: { link: { $: { id: '1' }, _: 'https://example.com/spring' } },
    tts: { type: 3, repeat: 1, rate: 10 },
  });
  await finalLegsOf(service, answer);
  const [sms] = await service.phone(phone);
  assert.match(sms!.text, /^<#> Hi http\S+\nUnsubscribe: http/);
  const heard = await heardIn(service, await callAt(service, phone));
  assert.ok(likeness(heard, await rendered('Hi', 10)) > 0.95);
});

test('calls to a contact list: estimated, held, written for each contact, and paid', {
  ...covers('B3.lists'),
  timeout: 90_000,
}, async () => {
  const [kosher, regular] = [newKosher(), newPhone()];
  const made = await service.call('json', 'newCL', {
    cl: {
      name: 'callers',
      destinations: {
        destination: [
          { phone: kosher, df1: '7351' },
          { phone: regular, df1: '9462' },
        ],
      },
    },
  });
  const cl_id = (made.fields.identifiers as string[])[0]!;
  const content = {
    source: 'Shop',
    destinations: { cl_id },
    message: 'Code [DYNAMIC_FIELD1]',
    add_dynamic: '1',
  };
  const counts: Record<number, number> = { 2: 2, 3: 4, 4: 2 };
  for (const type of [2, 3, 4]) {
    const before = await service.balance();
    const answer = await service.call('json', 'sms', { ...content, tts: { type, repeat: 1, rate: 10 } });
    assert.equal(answer.status, 0, answer.message);
    await waitFor('the list is through', async () => {
      const [row] = await sql`
        SELECT count(*)::int AS n FROM campaigns
        WHERE id = ${Number(answer.fields.shipment_id)} AND next_at IS NOT NULL`;
      return row!.n === 0;
    });
    const legs = await finalLegsOf(service, answer);
    assert.equal(legs.length, counts[type]);
    assert.ok(legs.every(({ status }) => status === 102));
    assert.equal(before - (await service.balance()), counts[type]);
    const calls = legs.filter(({ channel }) => channel === VOICE);
    assert.deepEqual(
      calls.map(({ text }) => text),
      type === 2 ? ['Code 7351'] : ['Code 9462', 'Code 7351'].sort((a, b) => (a < b ? 1 : -1)),
    );
  }
  const calls = await callsAt(service, kosher);
  assert.equal(calls.length, 3);
  assert.ok(likeness(await heardIn(service, calls[0]!), await rendered('Code 7351', 10)) > 0.95);
});

test(
  'a contact for whom nothing is left to say is not called, and costs nothing',
  covers('B3.lists.silent'),
  async () => {
    const destination = [{ phone: newPhone() }, { phone: newPhone(), df1: 'https://example.com' }];
    const made = await service.call('json', 'newCL', {
      cl: { name: 'silent', destinations: { destination } },
    });
    const before = await service.balance();
    const answer = await service.call('json', 'sms', {
      source: 'Shop',
      destinations: { cl_id: (made.fields.identifiers as string[])[0]! },
      message: '[DYNAMIC_FIELD1]',
      add_dynamic: '1',
      tts: { type: 4 },
    });
    assert.deepEqual(
      (await finalLegsOf(service, answer)).map(({ status, price }) => [status, price]),
      [
        [18, 0],
        [18, 0],
      ],
    );
    assert.equal(await service.balance(), before);
  },
);

test('temp_bl leaves out who was called lately', covers('B3.temp_bl'), async () => {
  const phone = newPhone();
  const call = {
    source: 'Shop',
    destinations: { phone },
    message: 'Hi',
    tts: { type: 4, repeat: 1, rate: 10 },
  };
  await finalLegsOf(service, await service.call('json', 'sms', call));
  assert.equal((await service.call('json', 'sms', { ...call, temp_bl: 1 })).status, 715);
});

test('phones that do not take the call: its outcome, and that it costs nothing', {
  ...covers('B3.outcomes'),
  timeout: 60_000,
}, async () => {
  const [rejects, unknown, hangsUp] = ['0503330003', '0503330007', '0503330004'];
  const before = await service.balance();
  const answer = await service.call('json', 'sms', {
    source: 'Shop',
    destinations: { phone: [rejects, unknown, hangsUp] },
    message: 'A message that is longer than the patience of whoever hears it, and that goes on and on',
    tts: { type: 4 },
  });
  const legs = await finalLegsOf(service, answer);
  assert.deepEqual(
    legs.map(({ status, code }) => [status, code!.split('/')[0]]),
    [
      [108, 'DECLINED'],
      [101, 'NO_SUCH_NUMBER'],
      [101, 'ENDED_EARLY'],
    ],
  );
  // Who answered has been called.
  assert.equal(before - (await service.balance()), 1);
});

test('a call that finds the exchange overloaded is repeated', {
  ...covers('B3.retries'),
  timeout: 60_000,
}, async () => {
  const phone = '0503340005';
  const answer = await service.call('json', 'sms', {
    source: 'Shop',
    destinations: { phone },
    message: 'Hi',
    tts: { type: 4, repeat: 1, rate: 10 },
  });
  await waitFor('the first try', async () =>
    (await legsOf(service, answer))[0]!.code?.startsWith('OVERLOADED'),
  );
  await service.advance(120);
  assert.deepEqual(
    (await finalLegsOf(service, answer)).map(({ status }) => status),
    [102],
  );
});

test('a busy phone is called again some times and no more, and the price comes back', {
  ...covers('B3.retries'),
  timeout: 60_000,
}, async () => {
  const before = await service.balance();
  const answer = await service.call('json', 'sms', {
    source: 'Shop',
    destinations: { phone: '0503350001' },
    message: 'Hi',
    tts: { type: 4, repeat: 1 },
  });
  assert.equal(answer.status, 0, answer.message);
  const tries = async () => {
    const [row] = await sql<{ attempt: number; lease_until: number }[]>`
      SELECT attempt, lease_until FROM dispatch_batches WHERE channel = 3 AND account_id = ${service.demo.id}`;
    return row;
  };
  for (const attempt of [1, 2]) {
    await waitFor(`the pause after try ${attempt}`, async () => (await tries())?.attempt === attempt);
    await service.advance(1_800);
  }
  const [leg] = await finalLegsOf(service, answer);
  assert.deepEqual([leg!.status, leg!.code], [101, 'BUSY/486']);
  assert.equal(await service.balance(), before);
});
