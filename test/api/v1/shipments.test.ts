import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { newPhone, newPhones } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { json, v1 } from './support.ts';

/** `/v1/shipments`, on the sandbox. */
const service = await startTestService();
const api = v1(service.url, DEMO_TOKEN);

interface Shown {
  readonly id: string;
  readonly campaign_name: string | null;
  readonly source: string | null;
  readonly state: string;
  readonly messages: number;
  readonly cost: string;
  readonly text?: string | null;
  readonly progress: {
    waiting: number;
    submitted: number;
    delivered: number;
    failed: number;
    cancelled: number;
    failures: { key: string; fault: string; count: number }[];
  } | null;
}

async function send(phones: readonly string[], over: Record<string, unknown> = {}): Promise<string> {
  const body = JSON.stringify({ source: 'Shop', message: 'hello', phones, ...over });
  const headers = { 'content-type': 'application/json' };
  return (await json<{ shipment_id: string }>(api.post('/sms', body, headers), 202)).shipment_id;
}

const show = (id: string) => json<Shown>(api.get(`/shipments/${id}`));
const list = (query = '') =>
  json<{ shipments: Shown[]; next: string | null }>(api.get(`/shipments?${query}`));

test('a shipment from its acceptance to its end, with failures by reason', async () => {
  const stem = newPhone().slice(0, 6);
  const id = await send([...newPhones(3), `${stem}0001`, `${stem}0002`], { campaign_name: 'Progress' });
  const ended = await waitFor('it is through', async () => {
    const shown = await show(id);
    return shown.progress?.delivered === 3 && shown.progress.failed === 2 && shown;
  });
  assert.deepEqual(
    [ended.state, ended.messages, ended.cost, ended.source, ended.text, ended.campaign_name],
    ['finished', 5, '5', 'Shop', 'hello', 'Progress'],
  );
  assert.deepEqual(ended.progress!.failures.map(({ key, fault, count }) => [key, fault, count]).sort(), [
    ['undelivered', 'network', 1],
    ['unreachable', 'recipient', 1],
  ]);
});

test('the list has campaigns alone, or everything; by name, and page by page', async () => {
  const single = await send([newPhone()]);
  const named = [
    await send([newPhone()], { campaign_name: 'Listed' }),
    await send(newPhones(2), { campaign_name: 'Listed' }),
  ];
  const campaigns = await list();
  assert.ok(!campaigns.shipments.some(({ id }) => id === single));
  assert.deepEqual(
    (await list('name=Listed')).shipments.map(({ id }) => id),
    named.toReversed(),
  );
  assert.ok((await list('kind=all')).shipments.some(({ id }) => id === single));
  const first = await list('name=Listed&limit=1');
  const second = await list(`name=Listed&limit=1&after=${first.next}`);
  assert.deepEqual(
    [first.shipments[0]!.id, second.shipments[0]!.id, second.next],
    [named[1], named[0], null],
  );
});

test('cancelled, its credit comes back; what is over cannot be', async () => {
  const at = new Date(service.appContext.clock.now() + 3_600_000).toISOString();
  const before = await service.balance();
  const id = await send(newPhones(2), { at });
  assert.equal((await show(id)).state, 'scheduled');
  assert.equal(await service.balance(), before - 2);
  assert.deepEqual(await json(api.post(`/shipments/${id}/cancel`)), {
    id,
    cancelled: 2,
    submitted: 0,
    refunded: '2',
  });
  assert.equal(await service.balance(), before);
  const shown = await show(id);
  assert.deepEqual([shown.state, shown.progress!.cancelled], ['cancelled', 2]);
  const { error } = await json<{ error: { code: string } }>(api.post(`/shipments/${id}/cancel`), 409);
  assert.equal(error.code, 'not-now');
  await json(api.post('/shipments/1/cancel'), 404);
});

test('its messages as CSV', async () => {
  const phone = newPhone();
  const failing = `${phone.slice(0, 6)}0001`;
  const id = await send([phone, failing]);
  await waitFor('it is through', async () => {
    const { progress } = await show(id);
    return progress!.delivered === 1 && progress!.failed === 1;
  });
  const response = await api.get(`/shipments/${id}/messages.csv`);
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
  const rows = parse(Buffer.from(await response.arrayBuffer()), { bom: true, columns: true }) as Record<
    string,
    string
  >[];
  assert.deepEqual(
    rows.map((row) => [row.phone, row.state, row.status, row.carrier_status]),
    [
      [phone, 'delivered', '102', 'DELIVRD/000'],
      [failing, 'failed', '101', 'UNDELIV/001'],
    ],
  );
  assert.equal(rows[0]!.reason, '');
  assert.match(rows[1]!.reason!, /could not deliver/);
});

test('a large shipment is counted in the background, and shown with what was counted last', async () => {
  const phones = Array.from({ length: 2_100 }, (_, i) => `0521${String(100_100 + i).padStart(6, '0')}`);
  const id = await send(phones, { campaign_name: 'Large' });
  const shown = await waitFor('all of it is known to be through', async () => {
    const { shipments } = await list('name=Large');
    const [one] = shipments;
    const done =
      one?.progress && one.progress.delivered + one.progress.failed + one.progress.submitted === 2_100;
    return done && one;
  });
  assert.equal(shown.id, id);
  const [kept] = await service.sql`SELECT counted_at FROM shipment_counts WHERE shipment_id = ${Number(id)}`;
  assert.ok(kept);
});
