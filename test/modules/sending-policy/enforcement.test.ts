import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DateTime } from 'luxon';
import { asPerson, type Calls } from '../../api/v1/calls.ts';
import { newPhone, newPhones } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { everyDay, HOUR, hoursFrom, MINUTE, messagesOf as messagesIn, newAccountWith } from './support.ts';

/*
 * What the sending policy of an account does with sends by SMS: each test has an account of its own, in UTC, whose hours are
 * set by the clock of the sandbox.
 */

const service = await startTestService({ settings: { VERIFY_SOURCES: 'off' } });
const { clock } = service.appContext;

interface Timeline {
  readonly id: string;
  readonly state: string;
  readonly status: number;
  readonly carrier_status: string | null;
  readonly price: string;
  readonly given_back: string | null;
  readonly failure: { readonly key: string } | null;
  readonly waiting: { readonly due_at: string; readonly because: string | null } | null;
  readonly waits: readonly { readonly reason: string; readonly from: string; readonly until: string }[];
}

let accounts = 0;

/** A new account with a policy. */
const newAccount = (policy: object) => newAccountWith(service, `quiet-${++accounts}`, policy);

const send = (calls: Calls, body: object) =>
  calls.post<{ shipment_id: string }>('/sms', { source: 'Shop', message: 'hello', ...body }, 202);

const messagesOf = (calls: Calls, shipmentId: string) => messagesIn<Timeline>(calls, shipmentId);

const messageOf = async (calls: Calls, shipmentId: string) => (await messagesOf(calls, shipmentId))[0]!;

/** Asserts that a message that was sent waited for this reason alone until a time. */
async function assertWaited(calls: Calls, shipmentId: string, reason: string, until: number) {
  const [wait, ...others] = (await messageOf(calls, shipmentId)).waits;
  assert.deepEqual([wait!.reason, Date.parse(wait!.until)], [reason, until]);
  assert.ok(Date.parse(wait!.from) < until - MINUTE);
  // The clock is moved on a little further than to that time.
  assert.ok(others.every((other) => other.reason === 'turn'));
}

const arrives = (phone: string) =>
  waitFor('it arrives', async () => (await service.phone(phone)).length === 1);

/** Moves the clock to a time and a little on. */
const advanceTo = (time: number) => service.advance(Math.ceil((time - clock.now()) / 1_000) + 5);

describe('outside the hours', () => {
  test('a message waits, visibly, with its credit held, and goes when it is permitted', async () => {
    const { week, begins } = hoursFrom(clock, 3);
    const { account, calls } = await newAccount({ hours: week, applies_to: 'all' });
    const phone = newPhone();
    const { shipment_id: id } = await send(calls, { phones: [phone] });
    const { state, waiting } = await messageOf(calls, id);
    assert.deepEqual(
      [state, waiting!.because, Date.parse(waiting!.due_at)],
      ['waiting', 'sending-hours', begins],
    );
    assert.equal((await calls.get<{ state: string }>(`/shipments/${id}`)).state, 'scheduled');
    assert.equal(await service.balance(account.id), 999);
    assert.deepEqual(await service.phone(phone), []);
    await advanceTo(begins);
    await arrives(phone);
    assert.equal(await service.balance(account.id), 999);
    await assertWaited(calls, id, 'sending-hours', begins);
  });

  test('a send is refused if the policy requires it, and nothing is stored or charged', async () => {
    const { week, begins } = hoursFrom(clock, 3);
    const { account, calls } = await newAccount({ hours: week, applies_to: 'all', outside_hours: 'refuse' });
    const phone = newPhone();
    const body = { source: 'Shop', message: 'hello', phones: [phone] };
    const { error } = await calls.post<{ error: { code: string; reason?: string } }>('/sms', body, 409);
    assert.deepEqual([error.code, error.reason], ['not-now', 'outside-hours']);
    const sms = { user: { username: account.username }, source: 'Shop', message: 'hello' };
    const answer = await service.call(
      'json',
      'sms',
      { ...sms, destinations: { phone: [phone] } },
      { token: account.token },
    );
    assert.equal(answer.status, 5);
    assert.match(answer.message, /not permitted at this time/);
    assert.equal(await service.balance(account.id), 1_000);
    const [row] = await service.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM shipments WHERE account_id = ${account.id}`;
    assert.equal(row!.count, 0);
    // Of one for a permitted time nothing is refused.
    const at = new Date(begins + MINUTE).toISOString();
    await send(calls, { phones: [phone], at });
    assert.deepEqual(
      await calls.refused('POST', '/sms', { ...body, at: new Date(begins + 3 * HOUR).toISOString() }),
      ['not-now', undefined, 409],
    );
  });

  test('single messages go when the policy is for campaigns alone', async () => {
    const { calls } = await newAccount({ hours: hoursFrom(clock, 3).week });
    const phone = newPhone();
    await send(calls, { phones: [phone] });
    await arrives(phone);
  });

  test('codes and verifications are exempt', async () => {
    const { owner, calls } = await newAccount({
      hours: hoursFrom(clock, 3).week,
      applies_to: 'all',
      outside_hours: 'refuse',
      caps: [{ messages: 1, hours: 24, channel: null }],
    });
    const phone = newPhone();
    await calls.post('/otp', { phone, source: 'Shop', text: '[code]' }, 202);
    await arrives(phone);
    const mine = newPhone();
    await owner.post('/sources/verify', { phones: [mine] });
    await arrives(mine);
  });

  test('a campaign to a list waits, and its messages are created when it continues', async () => {
    const { week, begins } = hoursFrom(clock, 3);
    const { account, calls } = await newAccount({ hours: week });
    const phones = newPhones(3);
    const list = await listOf(account, phones);
    const { shipment_id: id } = await send(calls, { lists: [list] });
    const waits = await waitFor('it waits', async () => {
      const shown = await calls.get<{ waits_until: string | null; messages: number }>(`/campaigns/${id}`);
      return shown.waits_until !== null && shown;
    });
    assert.deepEqual([Date.parse(waits.waits_until!), waits.messages], [begins, 0]);
    await advanceTo(begins);
    for (const phone of phones) await arrives(phone);
    assert.equal((await calls.get<{ waits_until: string | null }>(`/campaigns/${id}`)).waits_until, null);
    for (const { waits: waited } of await messagesOf(calls, id)) {
      assert.deepEqual(
        waited
          .filter(({ reason }) => reason !== 'turn')
          .map(({ reason, until }) => [reason, Date.parse(until)]),
        [['sending-hours', begins]],
      );
    }
    const [stored] = await service.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM waits WHERE account_id = ${account.id}`;
    assert.equal(stored!.count, 1);
    await waitFor('what was held is settled', async () => (await service.balance(account.id)) === 997);
  });
});

async function listOf(account: { id: number; token: string; username: string }, phones: readonly string[]) {
  const destination = phones.map((phone) => ({ phone }));
  const answer = await service.call(
    'json',
    'newCL',
    { user: { username: account.username }, cl: { name: 'list', destinations: { destination } } },
    { token: account.token },
  );
  assert.equal(answer.status, 0, answer.message);
  return (answer.fields.identifiers as string[])[0]!;
}

describe('by the zone of the recipient', () => {
  /** Hours that are open now in Israel, and nowhere in America. */
  const israeliHours = () => hoursFrom(clock, -1, { zone: 'Asia/Jerusalem' }).week;
  const american = '12125550123';

  test('one that is not permitted fails with status 16, uncharged, and the others go', async () => {
    const { account, calls } = await newAccount({
      hours: israeliHours(),
      zone: 'recipient',
      outside_hours: 'refuse',
    });
    const phones = [...newPhones(2), american];
    const { shipment_id: id } = await send(calls, { phones, includes_international: true });
    const failed = (await messagesOf(calls, id)).filter(({ state }) => state === 'failed');
    assert.deepEqual(
      failed.map(({ status, carrier_status, price, failure }) => [
        status,
        carrier_status,
        price,
        failure!.key,
      ]),
      [[16, 'SENDING_HOURS', '0', 'sending-hours']],
    );
    for (const phone of phones.slice(0, 2)) await arrives(phone);
    assert.equal(await service.balance(account.id), 998);
  });

  test('one that is not permitted waits until it is, in all zones of its country', async () => {
    const { calls } = await newAccount({ hours: everyDay('08:00-20:00'), zone: 'recipient' });
    const check = await calls.get<{ permitted_from: string; time_zones: string[] }>(
      `/sending-policy/check?to=%2B${american}`,
    );
    assert.ok(check.time_zones.includes('Pacific/Honolulu'));
    for (const zone of check.time_zones) {
      const { hour } = DateTime.fromISO(check.permitted_from, { zone });
      assert.ok(hour >= 8 && hour < 20, `${zone} ${hour}`);
    }
  });
});

describe('when a message is about to be submitted', () => {
  const scheduled = async (policy: object) => {
    const { owner, calls, account } = await newAccount({});
    const phone = newPhone();
    const at = clock.now() + HOUR;
    const { shipment_id: id } = await send(calls, { phones: [phone], at: new Date(at).toISOString() });
    // Changed after it was accepted.
    await owner.call('PATCH', '/sending-policy', { applies_to: 'all', ...policy });
    await advanceTo(at);
    return { id, calls, phone, account };
  };

  test('it waits for the hours', async () => {
    const { week, begins } = hoursFrom(clock, 4);
    const { id, calls, phone } = await scheduled({ hours: week });
    const { waiting, carrier_status } = await waitFor('it waits', async () => {
      const shown = await messageOf(calls, id);
      return shown.waiting?.because === 'sending-hours' && shown;
    });
    assert.deepEqual([Date.parse(waiting!.due_at), carrier_status], [begins, 'SENDING_HOURS']);
    await advanceTo(begins);
    await arrives(phone);
    const { waiting: none, waits } = await messageOf(calls, id);
    assert.equal(none, null);
    assert.deepEqual(
      waits.map(({ reason }) => reason).filter((reason) => reason !== 'turn'),
      ['scheduled', 'sending-hours'],
    );
    assert.equal(Date.parse(waits.find(({ reason }) => reason === 'sending-hours')!.until), begins);
  });

  /** Some days from yesterday on, longer than a message is valid. */
  const someDays = () =>
    Array.from({ length: 6 }, (_, day) => ({
      date: new Date(clock.now() + (day - 1) * 24 * HOUR).toISOString().slice(0, 10),
    }));

  test('it waits longer than it is valid, and is delivered', async () => {
    const { id, calls, phone } = await scheduled({ closed_dates: someDays() });
    const { waiting } = await waitFor('it waits', async () => {
      const shown = await messageOf(calls, id);
      return shown.waiting?.because === 'sending-hours' && shown;
    });
    await advanceTo(Date.parse(waiting!.due_at));
    await arrives(phone);
  });

  test('it fails with status 16, and is refunded, where nothing waits and its validity is over by then', async () => {
    const { id, calls, phone, account } = await scheduled({
      closed_dates: someDays(),
      outside_hours: 'refuse',
    });
    const { status, carrier_status, given_back, failure } = await waitFor('it fails', async () => {
      const shown = await messageOf(calls, id);
      return shown.state === 'failed' && shown;
    });
    assert.deepEqual(
      [status, carrier_status, given_back, failure!.key],
      [16, 'SENDING_HOURS', '1', 'sending-hours'],
    );
    await waitFor('it is refunded', async () => (await service.balance(account.id)) === 1_000);
    assert.deepEqual(await service.phone(phone), []);
  });
});

describe('what a send says of itself', () => {
  test('its own hours narrow those of the policy', async () => {
    const own = hoursFrom(clock, 5);
    const { calls } = await newAccount({ hours: hoursFrom(clock, -1, { hours: 12 }).week });
    const phones = newPhones(2);
    const { shipment_id: id } = await send(calls, { phones, sending_hours: own.text });
    const [one] = await messagesOf(calls, id);
    assert.equal(Date.parse(one!.waiting!.due_at), own.begins);
    const again = await calls.get<{ body: { sending_hours: string } }>(`/campaigns/${id}/request`);
    assert.equal(again.body.sending_hours, own.text);
    const told = await calls.post<{ starts_at: string }>('/sms/estimate', {
      message: 'hello',
      phones,
      sending_hours: own.text,
    });
    assert.equal(Date.parse(told.starts_at), own.begins);
    await advanceTo(own.begins);
    for (const phone of phones) await arrives(phone);
    assert.deepEqual(
      await calls.refused('POST', '/sms', { source: 'Shop', message: 'x', phones, sending_hours: '9-17' }),
      ['bad-field', 'sending_hours', 400],
    );
  });

  test('transactional sends go where the policy allows them', async () => {
    const { owner, calls } = await newAccount({ hours: hoursFrom(clock, 3).week });
    const phones = newPhones(2);
    const body = { source: 'Shop', message: 'hello', phones, transactional: true };
    assert.deepEqual(await calls.refused('POST', '/sms', body), ['not-allowed', 'transactional', 403]);
    await owner.call('PATCH', '/sending-policy', { allows_transactional: true });
    await send(calls, body);
    for (const phone of phones) await arrives(phone);
    assert.deepEqual(await calls.refused('POST', '/sms', { ...body, sending_hours: '09:00-17:00' }), [
      'bad-field',
      'sending_hours',
      400,
    ]);
  });
});

describe('frequency caps', () => {
  const capped = (over: object = {}) =>
    newAccount({ applies_to: 'all', caps: [{ messages: 2, hours: 5, channel: null }], ...over });

  test('over the cap a message fails with status 16, uncharged, until the time is over', async () => {
    const { account, calls } = await capped();
    const phone = newPhone();
    for (let n = 1; n <= 2; n++) {
      await send(calls, { phones: [phone] });
      await waitFor('it arrives', async () => (await service.phone(phone)).length === n);
    }
    const check = await calls.get<{ permitted: boolean; because: string }>(
      `/sending-policy/check?to=${phone}`,
    );
    assert.deepEqual([check.permitted, check.because], [false, 'frequency-cap']);
    const { shipment_id: id } = await send(calls, { phones: [phone] });
    const { status, carrier_status, failure } = await waitFor('it fails', async () => {
      const shown = await messageOf(calls, id);
      return shown.state === 'failed' && shown;
    });
    assert.deepEqual([status, carrier_status, failure!.key], [16, 'FREQUENCY_CAP', 'frequency-cap']);
    await waitFor('it is refunded', async () => (await service.balance(account.id)) === 998);
    await service.advance(5 * 3_600 + 60);
    await send(calls, { phones: [phone] });
    await waitFor('it arrives', async () => (await service.phone(phone)).length === 3);
  });

  test('or waits until it is within the cap', async () => {
    const caps = [{ messages: 1, hours: 100, channel: 'sms' }];
    const { calls } = await capped({ over_cap: 'wait', caps });
    const phone = newPhone();
    await send(calls, { phones: [phone] });
    await arrives(phone);
    const { shipment_id: id } = await send(calls, { phones: [phone] });
    const { waiting } = await waitFor('it waits', async () => {
      const shown = await messageOf(calls, id);
      return shown.waiting?.because === 'frequency-cap' && shown;
    });
    await advanceTo(Date.parse(waiting!.due_at));
    await waitFor('it arrives', async () => (await service.phone(phone)).length === 2);
    await assertWaited(calls, id, 'frequency-cap', Date.parse(waiting!.due_at));
  });

  test('a message that waits fails with 201, and is refunded, when its recipient is blacklisted', async () => {
    const caps = [{ messages: 1, hours: 24, channel: 'sms' }];
    const { account, calls } = await capped({ over_cap: 'wait', caps });
    const phone = newPhone();
    await send(calls, { phones: [phone] });
    await arrives(phone);
    const { shipment_id: id } = await send(calls, { phones: [phone] });
    await waitFor('it waits', async () => (await messageOf(calls, id)).waiting?.because === 'frequency-cap');
    await calls.post('/blacklist', { phones: [phone] });
    await service.advance(24 * 3_600 + 60);
    const failed = await waitFor('it fails', async () => {
      const message = await messageOf(calls, id);
      return message.state === 'failed' && message;
    });
    assert.deepEqual(
      [failed.status, failed.carrier_status, failed.failure?.key],
      [201, 'BLACKLISTED', 'blacklisted'],
    );
    await waitFor('it is refunded', async () => (await service.balance(account.id)) === 999);
    assert.equal((await service.phone(phone)).length, 1);
  });

  test('concurrent messages never exceed the cap', async () => {
    const { account, calls } = await capped({ caps: [{ messages: 3, hours: 24, channel: null }] });
    const phone = newPhone();
    const sent = await Promise.all(Array.from({ length: 12 }, () => send(calls, { phones: [phone] })));
    await waitFor('all are decided', async () => {
      const all = await Promise.all(sent.map(({ shipment_id: id }) => messageOf(calls, id)));
      return all.every(({ state }) => state === 'failed' || state === 'delivered');
    });
    assert.equal((await service.phone(phone)).length, 3);
    await waitFor('the others are refunded', async () => (await service.balance(account.id)) === 997);
  });
});

test('the policy is read and changed by the owner, and bad values are refused', async () => {
  const { owner, calls, account } = await newAccount({});
  const shown = await calls.get<Record<string, unknown>>('/sending-policy');
  assert.deepEqual(
    [shown.hours, shown.caps, shown.applies_to, shown.permitted_now],
    [null, [], 'campaigns', true],
  );
  const sender = await asPerson(service, 'sender', account.id);
  assert.deepEqual(await sender.refused('PATCH', '/sending-policy', {}), ['not-allowed', undefined, 403]);
  const nothing = everyDay();
  for (const [field, value] of [
    ['hours', nothing],
    ['rest_days.latitude', { rest_days: { latitude: 80, longitude: 0 } }],
    ['caps[0].hours', { caps: [{ messages: 1, hours: 10_000 }] }],
    ['caps[0].channel', { caps: [{ messages: 1, hours: 1, channel: 'fax' }] }],
    ['closed_dates[0].date', { closed_dates: [{ date: '2027-02-30' }] }],
  ] as const) {
    const body = field === 'hours' ? { hours: value } : value;
    assert.deepEqual(await owner.refused('PATCH', '/sending-policy', body), ['bad-field', field, 400]);
  }
});
