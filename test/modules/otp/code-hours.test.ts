import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CodeHours } from '../../../server/modules/otp/code-hours.ts';
import { errorCode } from '../../../server/protocols/smpp/errors.ts';
import { asPerson, withToken } from '../../api/v1/calls.ts';
import { startDispatching } from '../../engine/dispatch/support.ts';
import { mustSend, type Network, startNetwork } from '../../faults/support.ts';
import { createDatabase } from '../../support/database.ts';
import { waitFor } from '../../support/wait-for.ts';
import { wrongCodes } from './support.ts';

/* Sent and used one-time codes by prefix and connector, and routes that prefer connectors whose codes are used. */

const MINUTE_MS = 60_000;
const PREFIX = '97253';
const smpp = await startNetwork();
const alpha = await startNetwork();
const service = await startDispatching(smpp, {}, await createDatabase(), {
  OTP_PER_PHONE_HOUR: '0',
  OTP_PER_ACCOUNT_MINUTE: '0',
});
const { url, sql, clock } = service;
const operator = await asPerson(service, 'operator');
const sender = await service.account('sender', 1_000);
const calls = withToken(url, sender.token);
const codeHours = new CodeHours({ sql, clock });

await operator.post('/operator/connectors', {
  name: 'alpha',
  smpp: { host: '127.0.0.1', port: alpha.port, system_id: 'carillon', password: 'carillon' },
});
const route = await operator.post<{ id: string }>('/operator/routes', {
  prefix: PREFIX,
  leave_codes: ['ESME_RSUBMITFAIL'],
  connectors: [{ connector: 'alpha' }],
});
const change = (body: object) => operator.call('PATCH', `/operator/routes/${route.id}`, body);
const only = (connector: string) => change({ connectors: [{ connector }] });
const isUp = (network: Network) => waitFor('the connector is up', () => network.smsc.boundSessions > 0);
await isUp(alpha);

let phones = 0;
const newPhone = () => `${PREFIX}${1_000_008 + 10 * ++phones}`;

const request = (phone: string, more: object = {}) =>
  calls.post('/otp', { phone, source: 'Shop', ...more }, 202);
/** The code in the last message that a network took for a phone. */
const arrived = (network: Network, phone: string, count = 1) =>
  waitFor(`code ${count} at ${phone}`, () => {
    const found = network.submits.filter(({ to }) => to === phone);
    return found.length >= count && /\d{6}/.exec(found.at(-1)!.text)?.[0];
  });
async function sent(network: Network, phone: string, more: object = {}): Promise<string> {
  await request(phone, more);
  return arrived(network, phone);
}
const check = async (phone: string, code: string) =>
  (await calls.post<{ verified: boolean }>('/otp/check', { phone, code })).verified;

interface Figure {
  readonly connector: string;
  readonly codes: number;
  readonly used_percent: number | null;
  readonly used_lower_bound_percent: number | null;
  readonly code_samples: number;
}
const counted = async () => {
  const rows = await sql<{ connector: string; sent: number; used: number }[]>`
    SELECT connector, sum(sent)::int AS sent, sum(used)::int AS used FROM code_hours
    WHERE account_id = ${sender.id} AND prefix = ${PREFIX} GROUP BY connector ORDER BY connector`;
  return Object.fromEntries(rows.map((row) => [row.connector, [row.sent, row.used]]));
};
/** Waits until the messages have the connectors that they went over. */
const allOut = () =>
  waitFor('the messages are final', async () => {
    const rows = await sql`SELECT FROM messages WHERE final_at IS NULL`;
    return rows.length === 0;
  });

test('a code counts for the connector of the last message, as used only if it was the one that was checked', async () => {
  // Used at the third attempt.
  const guessed = newPhone();
  const code = await sent(alpha, guessed, { tries: 5 });
  for (const wrong of wrongCodes(code, 2)) assert.equal(await check(guessed, wrong), false);
  assert.equal(await check(guessed, code), true);
  assert.equal(await check(guessed, code), false);
  // Guessed too often.
  const blocked = newPhone();
  const right = await sent(alpha, blocked);
  for (const wrong of wrongCodes(right, 3)) assert.equal(await check(blocked, wrong), false);
  assert.equal(await check(blocked, right), false);
  // Sent again over another connector: only the second code can be used.
  const again = newPhone();
  const first = await sent(alpha, again);
  await only('smpp');
  const second = await sent(smpp, again);
  assert.deepEqual([await check(again, first), await check(again, second)], [false, true]);
  // An ordinary message to the same number is no code.
  await mustSend(url, sender, [again]);
  // The carrier of the first connector does not take the code.
  await change({ connectors: [{ connector: 'alpha' }, { connector: 'smpp', priority: 1 }] });
  alpha.smsc.change({ answerStatus: () => errorCode.ESME_RSUBMITFAIL });
  const moved = newPhone();
  assert.equal(await check(moved, await sent(smpp, moved)), true);
  alpha.smsc.change({ answerStatus: null });
  // Checked after it has expired.
  await only('alpha');
  const late = newPhone();
  const expired = await sent(alpha, late, { minutes: 1 });
  await allOut();
  clock.advance(2 * MINUTE_MS);
  assert.equal(await check(late, expired), false);

  await codeHours.run();
  assert.deepEqual(await counted(), {}, 'a code is counted when it can no longer be used');
  clock.advance(16 * MINUTE_MS);
  await Promise.all([codeHours.run(), codeHours.run()]);
  await codeHours.run();
  assert.deepEqual(await counted(), { alpha: [4, 1], smpp: [2, 2] });
});

test('a code whose message reached the carrier after it had expired counts for no connector', async () => {
  await operator.call('PATCH', '/operator/connectors/alpha', { is_enabled: false });
  await waitFor('alpha has left', () => alpha.smsc.boundSessions === 0);
  const phone = newPhone();
  await request(phone, { minutes: 1 });
  clock.advance(2 * MINUTE_MS);
  await operator.call('PATCH', '/operator/connectors/alpha', { is_enabled: true });
  await isUp(alpha);
  await arrived(alpha, phone);
  await allOut();
  clock.advance(20 * MINUTE_MS);
  await codeHours.run();
  assert.deepEqual(await counted(), { alpha: [4, 1], smpp: [2, 2] });
});

test('codes prefer a connector whose codes are used, and other messages do not', async () => {
  await sql`UPDATE code_hours SET sent = sent * 25, used = used * 25 WHERE account_id = ${sender.id}`;
  const figures = await waitFor('the deliveries are counted', async () => {
    const found = await operator.get<{ figures: Figure[] }>(`/operator/routes/quality?prefix=${PREFIX}`);
    return found.figures.length === 2 && found.figures;
  });
  const byName = Object.fromEntries(figures.map((figure) => [figure.connector, figure]));
  assert.deepEqual(
    [byName.alpha!.codes, byName.alpha!.used_percent, byName.smpp!.codes, byName.smpp!.used_percent],
    [100, 25, 50, 100],
  );
  assert.ok(byName.alpha!.used_lower_bound_percent! < 25 && byName.alpha!.code_samples <= 100);

  // More than 50 samples, although those of the hour before count less.
  await sql`UPDATE code_hours SET sent = sent * 2, used = used * 2 WHERE account_id = ${sender.id}`;
  const connectors = [
    { connector: 'alpha', price: 0.01 },
    { connector: 'smpp', price: 0.02 },
  ];
  const changed = await operator.call<{ min_used_percent: number; explore_percent: number }>(
    'PATCH',
    `/operator/routes/${route.id}`,
    { connectors, choose: 'cheapest', min_used_percent: 60, explore_percent: 0 },
  );
  assert.deepEqual([changed.min_used_percent, changed.explore_percent], [60, 0]);
  const find = (kind: string) =>
    operator.get<{ connectors: { connector: string; share: number; quality: Figure | null }[] }>(
      `/operator/routes/find?phone=%2B${newPhone()}&kind=${kind}`,
    );
  const found = await waitFor('the figures are learned', async () => {
    const now = await find('code');
    return now.connectors[0]!.connector === 'smpp' && now.connectors.some(({ share }) => share === 1) && now;
  });
  assert.deepEqual(
    found.connectors.map(({ connector, share, quality }) => [connector, share, quality?.used_percent]),
    [
      ['smpp', 1, 100],
      ['alpha', 0, 25],
    ],
  );
  assert.equal((await find('transactional')).connectors[0]!.connector, 'alpha');
  await sent(smpp, newPhone());
  const other = newPhone();
  await mustSend(url, sender, [other]);
  await waitFor('the message is out', () => alpha.taken.has(other));

  interface Totals {
    readonly used: number;
    readonly without_used_share: number;
  }
  const replay = await operator.post<{ codes: number; moved: number; before: Totals; after: Totals }>(
    '/operator/routes/replay',
    { routes: [{ prefix: PREFIX, connectors: [{ connector: 'alpha' }] }] },
    200,
  );
  // All codes so far; the messages that are no codes stay on their connector.
  assert.deepEqual([replay.codes, replay.moved], [8, 8]);
  assert.deepEqual([replay.before.used, replay.after.used], [8, 2]);
  assert.deepEqual([replay.before.without_used_share, replay.after.without_used_share], [0, 0]);
});
