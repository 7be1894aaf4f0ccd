import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { getExampleNumber } from 'libphonenumber-js/max';
import { highCostKinds, highCostRanges } from '../../server/kit/numbers/high-cost-ranges.ts';
import { PrefixTable } from '../../server/kit/numbers/prefix-table.ts';
import { asPerson, withToken } from '../api/v1/calls.ts';
import { newPhone } from '../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * The attacker earns by what is sent to premium-rate, satellite and personal numbers, and looks for a way by which an account
 * sends there. The rules of the operator come before the table that ships.
 */

const service = await startTestService();
const { sql, demo } = service;
const calls = withToken(service.url, DEMO_TOKEN);
const operator = await asPerson(service, 'operator');
const owner = await asPerson(service, 'owner', demo.id);

/** A number of each kind, and the British personal number that fraud uses most. */
const denied = [
  '19005550123',
  '447012345678',
  '881612345678',
  '870772001234',
  '882351234567',
  '979112345678',
];
const sms = { source: 'Shop', message: 'hello', includes_international: true };
const send = (phones: readonly string[]) => calls.fetch('POST', '/sms', { ...sms, phones });
const problemOf = async (response: Response) => {
  const { error } = (await response.json()) as { error?: { code: string; reason?: string } };
  return [response.status, error?.code, error?.reason];
};
const isDenied = [400, 'bad-destination', 'denied-range'];

test('no mobile number of any country is in the table that ships', () => {
  const table = new PrefixTable(
    highCostKinds.flatMap((kind) =>
      highCostRanges.ranges[kind].map((prefix): [string, string] => [prefix, kind]),
    ),
  );
  const examples = createRequire(import.meta.url)('libphonenumber-js/examples.mobile.json');
  const hit = Object.keys(examples).filter((country) =>
    table.find(getExampleNumber(country as 'IL', examples)!.number.slice(1)),
  );
  assert.deepEqual(hit, []);
  for (const phone of denied) assert.ok(table.find(phone), phone);
});

test('an SMS to a denied range is refused, alone and among others', async () => {
  for (const phone of denied) assert.deepEqual(await problemOf(await send([phone])), isDenied, phone);
  assert.deepEqual(await problemOf(await send(['0501234567', denied[1]!])), isDenied);
  const destinations = { phone: [{ $: {}, _: denied[0] }] };
  const old = { source: 'Shop', destinations, message: 'hello', includes_international: 1 };
  assert.equal((await service.call('json', 'sms', old)).status, 9);
  const rows = await sql`SELECT 1 FROM messages WHERE account_id = ${demo.id}`;
  assert.equal(rows.length, 0);
});

test('calls, codes, estimates and verifications are refused, too', async () => {
  const phones = [denied[1]!];
  const call = { ...sms, phones, tts: { type: 4 } };
  assert.deepEqual(await problemOf(await calls.fetch('POST', '/sms', call)), isDenied);
  const code = { phone: phones[0], source: 'Shop', includes_international: true };
  assert.deepEqual(await problemOf(await calls.fetch('POST', '/otp', code)), isDenied);
  assert.deepEqual(await problemOf(await calls.fetch('POST', '/sms/estimate', { ...sms, phones })), isDenied);
  const verify = { phones, includes_international: true };
  assert.deepEqual(await problemOf(await owner.fetch('POST', '/sources/verify', verify)), isDenied);
});

test('a contact in a denied range gets no message of a campaign', async () => {
  const { id } = await owner.post<{ id: string }>('/contact-lists', { name: 'mixed' });
  const contacts = [{ phone: '0501234999' }, { phone: denied[1] }];
  await owner.post(`/contact-lists/${id}/contacts`, { contacts });
  await calls.post('/sms', { ...sms, lists: [id] }, 202);
  const rows = await waitFor('both contacts have their message', async () => {
    const found = await sql<{ status: number; code: string | null; recipient: string }[]>`
      SELECT status, code, recipient FROM messages WHERE account_id = ${demo.id}`;
    return found.length === 2 && found;
  });
  const refused = rows.find(({ recipient }) => recipient === denied[1])!;
  assert.deepEqual([refused.status, refused.code], [998, 'DENIED_RANGE']);
});

test('the operator permits a range for one account, and denies another for all', async () => {
  const before = await operator.get<{ permitted: boolean; by: string }>(
    `/operator/destinations/find?phone=%2B${denied[2]}`,
  );
  assert.deepEqual([before.permitted, before.by], [false, 'satellite']);
  const own = { account_id: String(demo.id), prefix: '8816' };
  await operator.post('/operator/destinations', { ...own, permitted: true, note: 'fleet trackers' });
  assert.equal((await send([denied[2]!])).status, 202);
  await operator.post('/operator/destinations', { prefix: '99890', permitted: false });
  assert.deepEqual(await problemOf(await send(['998901234567'])), isDenied);
  const { rules } = await operator.get<{ rules: { prefix: string }[] }>('/operator/destinations');
  assert.deepEqual(
    rules.map(({ prefix }) => prefix),
    ['99890', '8816'],
  );
  await operator.post('/operator/destinations/remove', own);
  assert.deepEqual(await problemOf(await send([denied[2]!])), isDenied);
});

test('a rule that is younger than a scheduled message stops it, and its credit goes back', async () => {
  const before = await service.balance();
  const phone = '972501239876';
  const at = new Date(service.appContext.clock.now() + 3_600_000).toISOString();
  const { shipment_id: id } = await calls.post<{ shipment_id: string }>(
    '/sms',
    { ...sms, phones: [phone, newPhone()], at },
    202,
  );
  await operator.post('/operator/destinations', {
    account_id: String(demo.id),
    prefix: phone,
    permitted: false,
  });
  await service.advance(2 * 3_600);
  await waitFor('the other message arrives', async () => {
    const { progress } = await calls.get<{ progress: { delivered: number; failed: number } }>(
      `/shipments/${id}`,
    );
    return progress.delivered === 1 && progress.failed === 1;
  });
  const [row] = await sql<{ status: number; code: string }[]>`
    SELECT status, code FROM messages WHERE shipment_id = ${Number(id)} AND recipient = ${phone}`;
  assert.deepEqual([row!.status, row!.code], [998, 'DENIED_RANGE']);
  await waitFor('it is refunded', async () => (await service.balance()) === before - 1);
});
