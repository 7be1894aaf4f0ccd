import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Calls } from '../../api/v1/calls.ts';
import { withLockedTables } from '../../support/locked-tables.ts';
import { newPhone, newPhones, stored } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { HOUR, messagesOf as messagesIn, newAccountWith } from './support.ts';

/*
 * Marketing messages only with a consent: each test has an account of its own, whose policy asks for it, and a consent log.
 */

const service = await startTestService({ settings: { VERIFY_SOURCES: 'off' } });
const { clock } = service.appContext;
const required = { consent: 'marketing' };
const DAY = 24 * HOUR;

interface Shown {
  readonly phone: string;
  readonly state: string;
  readonly status: number;
  readonly carrier_status: string | null;
  readonly price: string;
  readonly given_back: string | null;
  readonly failure: { readonly key: string } | null;
}

let accounts = 0;

/** A new account with a policy. */
async function newAccount(policy: object) {
  const { account, owner, calls } = await newAccountWith(service, `agreed-${++accounts}`, policy);
  const record = (subject: string, over: object = {}) =>
    calls.post('/consents', {
      consents: [{ subject, channel: 'sms', action: 'given', source: 'form', form: 'news', ...over }],
    });
  return { account, owner, calls, record };
}

const content = { source: 'Shop', message: 'hello' };
const send = (calls: Calls, body: object) =>
  calls.post<{ shipment_id: string }>('/sms', { ...content, ...body }, 202);

const messagesOf = (calls: Calls, shipmentId: string) => messagesIn<Shown>(calls, shipmentId);

const arrives = (phone: string) =>
  waitFor('it arrives', async () => (await service.phone(phone)).length === 1);

const refusedFor = (calls: Calls, body: object) => calls.refused('POST', '/sms', { ...content, ...body });

async function listOf(
  { username, token }: { readonly username: string; readonly token: string },
  phones: readonly string[],
) {
  const destination = phones.map((phone) => ({ phone }));
  const body = { user: { username }, cl: { name: 'list', destinations: { destination } } };
  const answer = await service.call('json', 'newCL', body, { token });
  assert.equal(answer.status, 0, answer.message);
  return (answer.fields.identifiers as string[])[0]!;
}

describe('before a send is accepted', () => {
  test('those who have agreed get it; the others are left out, uncharged, and say why', async () => {
    const { account, calls, record } = await newAccount(required);
    const [bySms, byAny, nobody, gone, byMail, forOther] = newPhones(6) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    await record(bySms);
    await record(byAny, { channel: 'any' });
    await record(gone);
    await record(gone, { channel: 'any', action: 'withdrawn' });
    await record(byMail, { channel: 'mail' });
    await record(forOther, { purpose: 'reminders' });
    const phones = [bySms, byAny, nobody, gone, byMail, forOther];
    const estimate = await calls.post<{ recipients: number; without_consent: number }>('/sms/estimate', {
      ...content,
      phones,
    });
    assert.deepEqual([estimate.recipients, estimate.without_consent], [6, 4]);
    const { shipment_id: id } = await send(calls, { phones });
    const failed = (await messagesOf(calls, id)).filter(({ state }) => state === 'failed');
    assert.deepEqual(
      new Set(failed.map(({ phone }) => stored(phone))),
      new Set([nobody, gone, byMail, forOther].map(stored)),
    );
    for (const { status, carrier_status, price, failure } of failed) {
      assert.deepEqual([status, carrier_status, price, failure!.key], [16, 'NO_CONSENT', '0', 'no-consent']);
    }
    await arrives(bySms);
    await arrives(byAny);
    assert.equal(await service.balance(account.id), 998);
    const progress = await waitFor('it is counted', async () => {
      const shown = await calls.get<{ progress: { failed: number } | null }>(`/campaigns/${id}`);
      return shown.progress?.failed === 4 && shown.progress;
    });
    assert.ok(progress);
  });

  test('a send of which nobody has agreed is refused, and nothing is stored', async () => {
    const { account, calls, record } = await newAccount({ ...required, applies_to: 'all' });
    const phones = newPhones(2);
    assert.deepEqual(await refusedFor(calls, { phones }), ['not-now', undefined, 409]);
    const { error } = await calls.post<{ error: { reason: string } }>('/sms', { ...content, phones }, 409);
    assert.equal(error.reason, 'no-consent');
    const sms = { user: { username: account.username }, ...content };
    const destinations = { phone: [phones[0]] };
    const answer = await service.call('json', 'sms', { ...sms, destinations }, { token: account.token });
    assert.equal(answer.status, 5);
    assert.match(answer.message, /no recipient has a standing consent/);
    const [row] = await service.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM shipments WHERE account_id = ${account.id}`;
    assert.deepEqual([row!.count, await service.balance(account.id)], [0, 1_000]);
    await record(phones[0]!);
    await send(calls, { phones: [phones[0]] });
    await arrives(phones[0]!);
  });

  test('single messages need none where the policy is for campaigns', async () => {
    const { calls } = await newAccount(required);
    const phone = newPhone();
    await send(calls, { phones: [phone] });
    await arrives(phone);
  });

  test('codes, verifications and transactional sends need none', async () => {
    const { owner, calls } = await newAccount({
      ...required,
      applies_to: 'all',
      allows_transactional: true,
    });
    const [phone, mine, other] = newPhones(3) as [string, string, string];
    await calls.post('/otp', { phone, source: 'Shop', text: '[code]' }, 202);
    await arrives(phone);
    await owner.post('/sources/verify', { phones: [mine] });
    await arrives(mine);
    await send(calls, { phones: [other], transactional: true });
    await arrives(other);
  });

  test('what was said last stands, whenever it was recorded', async () => {
    const { calls, record } = await newAccount({ ...required, applies_to: 'all' });
    const phone = newPhone();
    const at = (days: number) => ({ at: new Date(clock.now() - days * DAY).toISOString() });
    await record(phone, { action: 'withdrawn', ...at(10) });
    // An old form that was found later.
    await record(phone, at(20));
    assert.deepEqual(await refusedFor(calls, { phones: [phone] }), ['not-now', undefined, 409]);
    const { standing } = await calls.post<{ standing: { action: string }[] }>('/consents/search', {
      subject: phone,
    });
    assert.deepEqual(
      standing.map(({ action }) => action),
      ['withdrawn'],
    );
    await record(phone, at(5));
    await send(calls, { phones: [phone] });
    await arrives(phone);
  });

  test('an erased consent stays erased when the person agrees to something else', async () => {
    const { owner, calls, record } = await newAccount({ ...required, applies_to: 'all' });
    const phone = newPhone();
    await record(phone);
    const request = { phones: [phone], confirm: phone };
    const { id } = await owner.post<{ id: string }>('/data-subjects/erasures', request, 202);
    await waitFor('it is erased', async () => {
      const { state } = await owner.get<{ state: string }>(`/data-subjects/requests/${id}`);
      return state === 'rechecking';
    });
    await record(phone, { channel: 'mail' });
    assert.deepEqual(await refusedFor(calls, { phones: [phone] }), ['not-now', undefined, 409]);
    const found = await calls.post<{ standing: { channel: string }[] }>('/consents/search', {
      subject: phone,
    });
    assert.deepEqual(
      found.standing.map(({ channel }) => channel),
      ['mail'],
    );
  });

  test('the check says that a consent is missing', async () => {
    const { calls, record } = await newAccount(required);
    const phone = newPhone();
    const check = (channel: string) =>
      calls.get<{ permitted: boolean; because: string | null; permitted_from: string | null }>(
        `/sending-policy/check?to=${phone}&channel=${channel}`,
      );
    await record(phone, { channel: 'voice' });
    const { permitted, because, permitted_from } = await check('sms');
    assert.deepEqual([permitted, because, permitted_from], [false, 'no-consent', null]);
    assert.equal((await check('voice')).permitted, true);
  });

  test('accounts without the option never wait for the log', async () => {
    const { account, calls } = await newAccount({ applies_to: 'all' });
    const phones = newPhones(3);
    const list = await listOf(account, phones.slice(1));
    await withLockedTables(service.sql, ['consents', 'consent_subjects'], 'ACCESS EXCLUSIVE', async () => {
      await send(calls, { phones: phones.slice(0, 1) });
      await send(calls, { lists: [list] });
      for (const phone of phones) await arrives(phone);
    });
  });
});

describe('a campaign to a list', () => {
  test('skips recipients without consent, and refunds their held credit', async () => {
    const { account, calls, record } = await newAccount(required);
    const phones = newPhones(4);
    for (const phone of phones.slice(0, 2)) await record(phone);
    const lists = [await listOf(account, phones)];
    const estimate = await calls.post<{ without_consent: number }>('/sms/estimate', {
      ...content,
      phones: [],
      lists,
    });
    assert.equal(estimate.without_consent, 2);
    const { shipment_id: id } = await send(calls, { lists });
    for (const phone of phones.slice(0, 2)) await arrives(phone);
    const shown = await waitFor('all have a message', async () => {
      const messages = await messagesOf(calls, id);
      return messages.length === 4 && messages;
    });
    assert.deepEqual(
      shown
        .filter(({ state }) => state === 'failed')
        .map(({ status, carrier_status, price }) => [status, carrier_status, price]),
      [
        [16, 'NO_CONSENT', '0'],
        [16, 'NO_CONSENT', '0'],
      ],
    );
    await waitFor('what was held is settled', async () => (await service.balance(account.id)) === 998);
  });
});

describe('when a message is about to be submitted', () => {
  test('a consent withdrawn in the waiting time stops the message, and its price is refunded', async () => {
    const { account, calls, record } = await newAccount({ ...required, applies_to: 'all' });
    const [stays, leaves] = newPhones(2) as [string, string];
    await record(stays);
    await record(leaves);
    const at = clock.now() + HOUR;
    const { shipment_id: id } = await send(calls, {
      phones: [stays, leaves],
      at: new Date(at).toISOString(),
    });
    assert.equal(await service.balance(account.id), 998);
    await record(leaves, { action: 'withdrawn', source: 'agent' });
    await service.advance(Math.ceil((at - clock.now()) / 1_000) + 5);
    await arrives(stays);
    const { carrier_status, status, given_back, failure } = await waitFor('it fails', async () =>
      (await messagesOf(calls, id)).find(({ state }) => state === 'failed'),
    );
    assert.deepEqual(
      [status, carrier_status, given_back, failure!.key],
      [16, 'NO_CONSENT', '1', 'no-consent'],
    );
    await waitFor('it is refunded', async () => (await service.balance(account.id)) === 999);
    assert.deepEqual(await service.phone(leaves), []);
  });
});
