import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newPhone, newPhones } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { contactListsOf, json, v1 } from './support.ts';

/** `/v1/campaigns`, on the sandbox. */
const service = await startTestService();
const api = v1(service.url, DEMO_TOKEN);
const { newList } = contactListsOf(service);
const PATIENCE_MS = 40_000;

interface Shown {
  readonly id: string;
  readonly state: string;
  readonly messages: number;
  readonly unmade: number;
  readonly cost: string;
  readonly net_cost: string;
  readonly refunded: string;
  readonly progress: {
    readonly delivered: number;
    readonly failed: number;
    readonly cancelled: number;
  } | null;
}

async function send(phones: readonly string[], over: Record<string, unknown> = {}): Promise<string> {
  const body = JSON.stringify({ source: 'Shop', message: 'hello', phones, ...over });
  const headers = { 'content-type': 'application/json' };
  return (await json<{ shipment_id: string }>(api.post('/sms', body, headers), 202)).shipment_id;
}

const inAnHour = () => new Date(service.appContext.clock.now() + 3_600_000).toISOString();
const show = (id: string) => json<Shown>(api.get(`/campaigns/${id}`));

test('a campaign is the shipment of the send; single messages are not listed', async () => {
  const [many, single] = [await send(newPhones(2)), await send([newPhone()])];
  const { campaigns } = await json<{ campaigns: Shown[] }>(api.get('/campaigns?limit=5'));
  assert.deepEqual(
    campaigns.map(({ id }) => id),
    [many],
  );
  await waitFor('it is delivered', async () => (await show(many)).progress?.delivered === 2, PATIENCE_MS);
  // Each is counted when it is asked for.
  const counted = (shown: Shown) => ({ ...shown, progress: { ...shown.progress, counted_at: null } });
  assert.deepEqual(counted(await show(many)), counted(await json(api.get(`/shipments/${many}`))));
  for (const path of ['', '/messages.csv', '/failed-recipients']) {
    await json(api.get(`/campaigns/${single}${path}`), 404);
  }
  await json(api.post(`/campaigns/${single}/cancel`), 404);
});

test('paused, resumed and cancelled by either name', async () => {
  const id = await send(newPhones(3), { at: inAnHour() });
  assert.equal((await json<Shown>(api.post(`/campaigns/${id}/pause`))).state, 'paused');
  assert.equal((await json<Shown>(api.post(`/shipments/${id}/resume`))).state, 'scheduled');
  assert.deepEqual(await json(api.post(`/campaigns/${id}/cancel`)), {
    id,
    cancelled: 3,
    submitted: 0,
    refunded: '3',
  });
  const { state, cost, net_cost, refunded } = await show(id);
  assert.deepEqual([state, cost, net_cost, refunded], ['cancelled', '3', '0', '3']);
  const refused = await json<{ error: { code: string } }>(api.post(`/campaigns/${id}/pause`), 409);
  assert.equal(refused.error.code, 'not-now');
});

test('cancelled before its lists are expanded: the reported recipients match, and the held credit is refunded', async () => {
  const list = await newList(...newPhones(4).map((phone) => ({ phone })));
  const id = await send([], { lists: [list], at: inAnHour() });
  assert.deepEqual(await json(api.post(`/campaigns/${id}/cancel`)), {
    id,
    cancelled: 4,
    submitted: 0,
    refunded: '4',
  });
  const { messages, unmade, cost, net_cost, refunded } = await show(id);
  assert.deepEqual([messages, unmade, cost, net_cost, refunded], [0, 4, '0', '0', '4']);
});

test('failed recipients, page by page, each with the reason', async () => {
  const stem = newPhone().slice(0, 6);
  const failing = [`${stem}0001`, `${stem}0002`];
  const id = await send([newPhone(), ...failing]);
  await waitFor('they have failed', async () => (await show(id)).progress?.failed === 2, PATIENCE_MS);
  const seen: [string, string][] = [];
  for (let after: string | null = ''; after !== null; ) {
    const page: { recipients: { recipient: string; failure: { key: string } }[]; next: string | null } =
      await json(api.get(`/campaigns/${id}/failed-recipients?limit=1&after=${after}`));
    assert.equal(page.recipients.length, 1);
    seen.push(...page.recipients.map(({ recipient, failure }): [string, string] => [recipient, failure.key]));
    after = page.next;
  }
  assert.deepEqual(
    seen.map(([recipient]) => recipient),
    failing,
  );
  assert.deepEqual(seen.map(([, key]) => key).sort(), ['undelivered', 'unreachable']);
});
