import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asPerson, withToken } from '../../api/v1/calls.ts';
import { allFinal, type Caller, mustSend, phones, startNetwork } from '../../faults/support.ts';
import { hoursFrom } from '../../modules/sending-policy/support.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startDispatching } from '../dispatch/support.ts';

/* Reasons of waits in the timelines of messages that were sent: what is stored when messages are postponed. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BUSY = 0x14;
/** The answer to messages to these numbers. */
const answers = new Map<string, number>();
const network = await startNetwork({ answerStatus: ({ to }) => answers.get(to) });
const service = await startDispatching(network);
const { url, sql, clock } = service;

let numbers = 100;
let accounts = 0;
const newAccount = () => service.account(`waits-${++accounts}`, 10_000);
const newPhones = (count: number) => {
  numbers += count;
  return phones(numbers, count);
};

interface Wait {
  readonly reason: string;
  readonly from: string;
  readonly until: string | null;
  readonly attempts: number | null;
  readonly link: string | null;
  readonly carrier_status: string | null;
}

interface Timeline {
  readonly phone: string;
  readonly state: string;
  readonly submitted_at: string | null;
  readonly waits: readonly Wait[];
}

/** The timelines of the messages of a shipment, by phone. */
async function timelinesOf({ token }: Caller, shipmentId: number): Promise<Map<string, Timeline>> {
  const calls = withToken(url, token);
  const rows = await sql<{ id: number; recipient: string }[]>`
    SELECT id, recipient FROM messages WHERE shipment_id = ${shipmentId} ORDER BY id`;
  const timelines = await Promise.all(rows.map(({ id }) => calls.get<Timeline>(`/messages/${id}`)));
  return new Map(rows.map(({ recipient }, at) => [recipient, timelines[at]!]));
}

const timelineOf = async (caller: Caller, shipmentId: number) =>
  [...(await timelinesOf(caller, shipmentId)).values()][0]!;

const reasonsOf = ({ waits }: Timeline) => waits.map(({ reason }) => reason);

const rowsOf = ({ id }: { readonly id: number }) => sql<
  { reason: string; until_at: number | null; message_ids: number[] | null; attempted_at: number[] | null }[]
>`
  SELECT reason, until_at, message_ids, attempted_at FROM waits WHERE account_id = ${id} ORDER BY id`;

/** Waits until the batch of an account has been tried this number of times. */
const triedTimes = ({ id }: { readonly id: number }, attempts: number) =>
  waitFor('the next attempt waits', async () => {
    const [batch] = await sql<{ attempt: number }[]>`
      SELECT attempt FROM dispatch_batches WHERE account_id = ${id} AND attempt = ${attempts}`;
    return batch !== undefined;
  });

test('a message that never waited has no wait, and no row', async () => {
  const account = await newAccount();
  const id = await mustSend(url, account, newPhones(1));
  await allFinal(sql);
  assert.deepEqual((await timelineOf(account, id)).waits, []);
  assert.equal((await rowsOf(account)).length, 0);
});

test('a scheduled message waits until its time', async () => {
  const account = await newAccount();
  const at = new Date(clock.now() + HOUR).toISOString();
  const body = { source: 'Carillon', message: 'Hello', phones: newPhones(1), at };
  const { shipment_id } = await withToken(url, account.token).post<{ shipment_id: string }>(
    '/sms',
    body,
    202,
  );
  clock.advance(HOUR);
  await allFinal(sql);
  const [wait, ...others] = (await timelineOf(account, Number(shipment_id))).waits;
  assert.deepEqual([wait!.reason, wait!.until, others], ['scheduled', at, []]);
  assert.equal((await rowsOf(account)).length, 0);
});

describe('after temporary rejections', () => {
  test('attempts in a row are one wait, with the connector, the code and their number', async () => {
    const account = await newAccount();
    const to = newPhones(1);
    answers.set(to[0]!, BUSY);
    const began = clock.now();
    const id = await mustSend(url, account, to);
    for (let attempts = 1; attempts <= 4; attempts++) {
      await triedTimes(account, attempts);
      if (attempts === 4) answers.delete(to[0]!);
      clock.advance(10 * MINUTE);
    }
    await allFinal(sql);
    const { waits, submitted_at } = await timelineOf(account, id);
    const [wait] = waits;
    assert.deepEqual(
      [wait!.reason, wait!.attempts, wait!.link, wait!.carrier_status],
      ['retry', 4, 'smpp', 'ESME_RMSGQFUL'],
    );
    assert.ok(Date.parse(wait!.from) >= began && Date.parse(wait!.from) < began + MINUTE);
    assert.ok(Date.parse(wait!.until!) > began + 30 * MINUTE);
    assert.ok(wait!.until! <= submitted_at!);
    const rows = await rowsOf(account);
    assert.deepEqual(
      rows.map(({ reason, message_ids, attempted_at }) => [reason, message_ids, attempted_at!.length]),
      [['retry', null, 4]],
    );
  });

  test('only those messages of a batch wait that were rejected', async () => {
    const account = await newAccount();
    const to = newPhones(3);
    answers.set(to[1]!, BUSY);
    const id = await mustSend(url, account, to);
    await triedTimes(account, 1);
    const waiting = (await timelinesOf(account, id)).get(to[1]!)!;
    assert.deepEqual(reasonsOf(waiting), ['retry']);
    assert.ok(Date.parse(waiting.waits[0]!.until!) > clock.now());
    answers.delete(to[1]!);
    clock.advance(MINUTE);
    await allFinal(sql);
    const timelines = await timelinesOf(account, id);
    assert.deepEqual(
      to.map((one) => timelines.get(one)!.waits[0]?.reason),
      [undefined, 'retry', undefined],
    );
    assert.equal((await rowsOf(account))[0]!.message_ids!.length, 1);
  });

  test('a message that expires tells what it waited for', async () => {
    const account = await newAccount();
    const to = newPhones(1);
    answers.set(to[0]!, BUSY);
    const id = await mustSend(url, account, to);
    await triedTimes(account, 1);
    await sql`UPDATE shipments SET valid_until = ${clock.now() + 1} WHERE id = ${id}`;
    clock.advance(MINUTE);
    await allFinal(sql);
    answers.delete(to[0]!);
    const { state, waits } = await timelineOf(account, id);
    assert.deepEqual([state, waits[0]!.reason, waits[0]!.attempts], ['failed', 'retry', 1]);
  });
});

test('messages of a paused campaign wait for as long as it was paused', async () => {
  const account = await newAccount();
  const calls = withToken(url, account.token);
  const at = new Date(clock.now() + HOUR).toISOString();
  const body = { source: 'Carillon', message: 'Hello', phones: newPhones(2), at };
  const { shipment_id: id } = await calls.post<{ shipment_id: string }>('/sms', body, 202);
  await calls.post(`/shipments/${id}/pause`);
  clock.advance(3 * HOUR);
  const paused = await timelineOf(account, Number(id));
  assert.deepEqual(
    paused.waits.map(({ reason, until }) => [reason, until]),
    [
      ['scheduled', at],
      ['paused', null],
    ],
  );
  const resumed = clock.now();
  await calls.post(`/shipments/${id}/resume`);
  await allFinal(sql);
  for (const { waits } of (await timelinesOf(account, Number(id))).values()) {
    assert.deepEqual(
      waits.map(({ reason, from }) => [reason, reason === 'paused' ? from : null]),
      [
        ['scheduled', null],
        ['paused', at],
      ],
    );
    assert.ok(Date.parse(waits[1]!.until!) >= resumed);
  }
  assert.equal((await rowsOf(account)).length, 1);
});

test('work of a suspended account waits for as long as it is suspended', async () => {
  const { accounts } = service.appContext;
  const account = await newAccount();
  const to = newPhones(1);
  answers.set(to[0]!, BUSY);
  const id = await mustSend(url, account, to);
  await triedTimes(account, 1);
  await accounts.suspend(account.id, true);
  await waitFor('its work rests', async () =>
    (await rowsOf(account)).some(({ reason }) => reason === 'suspended'),
  );
  answers.delete(to[0]!);
  clock.advance(2 * HOUR);
  await accounts.suspend(account.id, false);
  await waitFor('the message is sent', async () => (await timelineOf(account, id)).state === 'delivered');
  const { waits } = await timelineOf(account, id);
  assert.deepEqual(
    waits.map(({ reason }) => reason).filter((reason) => reason !== 'turn'),
    ['retry', 'suspended'],
  );
  const suspended = waits.find(({ reason }) => reason === 'suspended')!;
  assert.ok(Date.parse(suspended.until!) - Date.parse(suspended.from) > HOUR);
});

test('a send that waited for the permitted hours, and was rescheduled, waits until its new time', async () => {
  const account = await newAccount();
  const calls = withToken(url, account.token);
  const owner = await asPerson(service, 'owner', account.id);
  await owner.call('PATCH', '/sending-policy', {
    hours: hoursFrom(clock, 3, { zone: 'Asia/Jerusalem' }).week,
    applies_to: 'all',
  });
  const body = { source: 'Carillon', message: 'Hello', phones: newPhones(2) };
  const { shipment_id: id } = await calls.post<{ shipment_id: string }>('/sms', body, 202);
  clock.advance(HOUR);
  const later = new Date(clock.now() + 3 * HOUR).toISOString();
  await calls.post(`/campaigns/${id}/reschedule`, { at: later });
  clock.advance(3 * HOUR);
  await allFinal(sql);
  const { waits } = await timelineOf(account, Number(id));
  assert.deepEqual(
    waits.map(({ reason, until }) => [reason, reason === 'scheduled' ? until : null]),
    [
      ['sending-hours', null],
      ['scheduled', later],
    ],
  );
});

test('a message waits for a connection during an outage of the carrier', async () => {
  const account = await newAccount();
  await network.smsc.close();
  await waitFor('the outage is stored', async () => {
    const rows = await sql`SELECT FROM connector_outages WHERE until_at IS NULL`;
    return rows.length > 0;
  });
  const id = await mustSend(url, account, newPhones(1));
  clock.advance(HOUR);
  await network.smsc.listen(network.port);
  await allFinal(sql);
  const { waits } = await timelineOf(account, id);
  const [wait] = waits;
  assert.deepEqual([wait!.reason, wait!.link], ['no-connection', 'smpp']);
  assert.ok(Date.parse(wait!.until!) - Date.parse(wait!.from) >= HOUR - MINUTE);
  assert.equal((await rowsOf(account)).length, 0);
  await waitFor('its end is stored', async () => {
    const [row] = await sql<{ open: number }[]>`
      SELECT count(*)::int AS open FROM connector_outages WHERE until_at IS NULL`;
    return row!.open === 0;
  });
});

test('a batch whose process was lost twice rests, and tells that responses may be lost', async () => {
  const account = await newAccount();
  const to = newPhones(1);
  answers.set(to[0]!, BUSY);
  const id = await mustSend(url, account, to);
  await triedTimes(account, 1);
  // As a killed process leaves it that submitted its messages again after the first broken lease.
  await sql`
    UPDATE dispatch_batches SET lease_owner = 'lost', lease_until = 0, breaks = 1, submitting = true, due_at = ${clock.now()}
    WHERE account_id = ${account.id}`;
  await waitFor('it rests', async () =>
    (await rowsOf(account)).some(({ reason }) => reason === 'unanswered'),
  );
  assert.deepEqual(reasonsOf(await timelineOf(account, id)), ['retry', 'unanswered']);
});
