import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAUSED_AT } from '../../../server/engine/messages/batch-cutter.ts';
import { newPhone, newPhones } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { asPerson } from './calls.ts';
import { json, v1 } from './support.ts';

/** Pausing sends of SMS, on the sandbox. */
const service = await startTestService();
const api = v1(service.url, DEMO_TOKEN);
const operator = await asPerson(service, 'operator');

interface Shown {
  readonly id: string;
  readonly state: string;
  readonly messages: number;
  readonly unmade: number;
  readonly valid_until: string;
  readonly progress: Record<'waiting' | 'submitted' | 'delivered' | 'failed' | 'cancelled', number>;
}

const jsonBody = { 'content-type': 'application/json' };

/** How many messages a second the network takes; 0: as many as come. */
const setRate = (rate: number) => operator.call('PATCH', '/operator/sandbox', { messages_per_second: rate });

async function send(phones: readonly string[], over: Record<string, unknown> = {}): Promise<string> {
  const body = JSON.stringify({ source: 'Shop', message: 'hello', phones, ...over });
  return (await json<{ shipment_id: string }>(api.post('/sms', body, jsonBody), 202)).shipment_id;
}

const show = (id: string) => json<Shown>(api.get(`/shipments/${id}`));
const act = (id: string, action: string) => json<Shown>(api.post(`/shipments/${id}/${action}`));
const refused = async (id: string, action: string, status = 409) =>
  (await json<{ error: { code: string } }>(api.post(`/shipments/${id}/${action}`), status)).error.code;
const inAnHour = () => new Date(service.appContext.clock.now() + 3_600_000).toISOString();
const finished = (id: string) =>
  waitFor('it is finished', async () => {
    const shown = await show(id);
    return shown.state === 'finished' && shown.progress.submitted === 0 && shown;
  });
const batches = (id: string) => service.sql<{ due_at: number; lease_until: number; count: number }[]>`
  SELECT due_at, lease_until, count FROM dispatch_batches WHERE held_shipment_id = ${Number(id)}`;
const heldBack = (id: string) =>
  waitFor('all that is left of it is kept back', async () => {
    const now = service.appContext.clock.now();
    const rows = await batches(id);
    return rows.every(({ due_at, lease_until }) => due_at === PAUSED_AT && lease_until < now) && rows;
  });

async function contactList(phones: readonly string[]): Promise<string> {
  const { id } = await json<{ id: string }>(
    api.post('/contact-lists', JSON.stringify({ name: `paused ${phones[0]}` }), jsonBody),
  );
  await json(
    api.post(
      `/contact-lists/${id}/contacts`,
      JSON.stringify({ contacts: phones.map((phone) => ({ phone, fields: [] })) }),
      jsonBody,
    ),
  );
  return id;
}

test('a running send stops in place, lets others pass, and continues; no recipient gets it twice', async () => {
  // So slow that most of it waits, however busy the machine is.
  await setRate(5);
  const phones = newPhones(600);
  const id = await send(phones);
  await waitFor('some of it is delivered', async () => (await show(id)).progress.delivered > 0);
  const paused = await act(id, 'pause');
  assert.equal(paused.state, 'paused');
  await setRate(0);
  const left = (await heldBack(id)).reduce((sum, { count }) => sum + count, 0);
  assert.ok(left > 0);
  await waitFor('what was with the network is through', async () => {
    const { progress } = await show(id);
    return progress.waiting === left && progress.submitted === 0;
  });
  // What comes later and goes the same way is sent, and it waits still.
  await finished(await send(newPhones(20)));
  assert.deepEqual([(await show(id)).state, (await show(id)).progress.waiting], ['paused', left]);
  assert.equal((await act(id, 'pause')).state, 'paused');

  assert.equal((await act(id, 'resume')).state, 'running');
  const { progress } = await finished(id);
  assert.equal(progress.delivered, 600);
  const [last, first] = [phones.at(-1)!, phones[0]!];
  assert.deepEqual([(await service.phone(first)).length, (await service.phone(last)).length], [1, 1]);
  assert.equal(await refused(id, 'pause'), 'not-now');
  assert.equal((await act(id, 'resume')).state, 'finished');
});

test('a scheduled send to phones and a list waits beyond its time, and begins when it resumes', async () => {
  const [phone, ...members] = newPhones(4) as [string, ...string[]];
  const list = await contactList(members);
  const before = await service.balance();
  const id = await send([phone, newPhone()], { lists: [list], at: inAnHour() });
  assert.equal((await act(id, 'pause')).state, 'paused');
  assert.equal(await service.balance(), before - 5);
  await service.advance(2 * 3_600);
  await finished(await send(newPhones(2)));
  const waiting = await show(id);
  assert.deepEqual([waiting.state, waiting.progress.waiting, waiting.unmade], ['paused', 2, 3]);

  const running = await act(id, 'resume');
  assert.ok(Date.parse(running.valid_until) > Date.parse(waiting.valid_until));
  const { messages, progress } = await finished(id);
  assert.deepEqual([messages, progress.delivered], [5, 5]);
  assert.equal(await service.balance(), before - 5 - 2);
});

test('a send resumed before its time keeps its time', async () => {
  const id = await send(newPhones(2), { at: inAnHour() });
  await act(id, 'pause');
  assert.equal((await act(id, 'resume')).state, 'scheduled');
  const [batch] = await batches(id);
  assert.ok(batch!.due_at > service.appContext.clock.now() + 3_000_000);
  await service.advance(3_700);
  await finished(id);
});

test('results stored by a dispatcher exactly when a send is paused or resumed are brought in line', async () => {
  const id = await send(newPhones(2), { at: inAnHour() });
  await act(id, 'pause');
  const retryAt = service.appContext.clock.now() + 1_800_000;
  await service.sql`UPDATE dispatch_batches SET due_at = ${retryAt} WHERE held_shipment_id = ${Number(id)}`;
  await heldBack(id);
  await act(id, 'resume');
  await service.sql`UPDATE dispatch_batches SET due_at = ${PAUSED_AT} WHERE held_shipment_id = ${Number(id)}`;
  await waitFor('it is due at its time', async () =>
    (await batches(id)).every(({ due_at }) => due_at < PAUSED_AT),
  );
  await act(id, 'cancel');
});

test('cancelled while it is paused, its credit comes back', async () => {
  const list = await contactList(newPhones(3));
  const before = await service.balance();
  const id = await send(newPhones(2), { lists: [list], at: inAnHour() });
  await act(id, 'pause');
  assert.deepEqual(await json(api.post(`/shipments/${id}/cancel`)), {
    id,
    cancelled: 5,
    submitted: 0,
    refunded: '5',
  });
  assert.equal(await service.balance(), before);
  assert.equal((await show(id)).state, 'cancelled');
  assert.deepEqual([await refused(id, 'pause'), await refused(id, 'resume')], ['not-now', 'not-now']);
});

test('of a paused send a message says that it waits for that', async () => {
  const phone = newPhone();
  const id = await send([phone, newPhone()], { at: inAnHour() });
  await act(id, 'pause');
  const { messages } = await json<{ messages: { id: string }[] }>(api.get(`/messages?phone=${phone}`));
  const { waiting } = await json<{ waiting: { paused: boolean } }>(api.get(`/messages/${messages[0]!.id}`));
  assert.equal(waiting.paused, true);
  await act(id, 'cancel');
});

test('a single message, and an unknown id', async () => {
  const id = await send([newPhone()], { at: inAnHour() });
  assert.equal(await refused(id, 'pause'), 'not-now');
  assert.equal(await refused('1', 'pause', 404), 'not-found');
  await act(id, 'cancel');
});

test('returned batches of a paused send that was cancelled are removed', async () => {
  const id = await send(newPhones(3), { at: inAnHour() });
  await act(id, 'pause');
  await act(id, 'cancel');
  const [shipment] = await service.sql<{ account_id: number; first_id: number; last_id: number }[]>`
    SELECT account_id, first_id, last_id FROM shipments WHERE id = ${Number(id)}`;
  const { account_id, first_id, last_id } = shipment!;
  // As the recorder stores the end of a batch that was in memory.
  await service.sql`
    INSERT INTO dispatch_batches (account_id, id, channel, lane, route, due_at, attempt, first_id, last_id, message_ids, count,
      held_shipment_id)
    VALUES (${account_id}, ${service.appContext.ids.next()}, 0, 2, '', ${PAUSED_AT}, 1, ${first_id}, ${last_id},
      ${[first_id]}::bigint[], 1, ${Number(id)})`;
  await waitFor('it is removed', async () => (await batches(id)).length === 0);
});
