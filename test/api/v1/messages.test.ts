import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { leaseClock } from '../../../server/database/lease-clock.ts';
import { newPhone } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { json, v1 } from './support.ts';

/** `/v1/messages`, on the sandbox. */
const service = await startTestService();
const api = v1(service.url, DEMO_TOKEN);

interface Shown {
  readonly id: string;
  readonly shipment_id: string;
  readonly phone: string;
  readonly state: string;
  readonly status: number;
  readonly text: string | null;
  readonly failure: { key: string; fault: string; why: string; todo: string } | null;
}
interface MessageTimeline extends Shown {
  readonly steps: { step: string; at: string }[];
  readonly carrier_ids: { part: number; id: string }[];
  readonly waiting: {
    lane: string;
    attempts: number;
    due_at: string;
    in_hand: boolean;
    because: string | null;
  } | null;
  readonly given_back: string | null;
  readonly link: string | null;
  readonly price: string;
  readonly carrier_status: string | null;
  readonly campaign_name: string | null;
  readonly pushes: { kind: string; url: string; state: string; type: string }[];
}
interface Page {
  readonly messages: Shown[];
  readonly next: string | null;
}

const search = (query: Record<string, string>) =>
  json<Page>(api.get(`/messages?${new URLSearchParams(query)}`));
const timeline = (id: string) => json<MessageTimeline>(api.get(`/messages/${id}`));

async function send(phones: readonly string[], over: Record<string, unknown> = {}): Promise<string> {
  const answer = await json<{ shipment_id: string }>(
    api.post('/sms', JSON.stringify({ source: 'Shop', message: 'Spring is here', phones, ...over }), {
      'content-type': 'application/json',
    }),
    202,
  );
  return answer.shipment_id;
}

const stateOf = async (shipment: string, state: string, count = 1) =>
  waitFor(`${count} of ${shipment} are ${state}`, async () => {
    const { messages } = await search({ shipment_id: shipment, state });
    return messages.length === count && messages;
  });

test('a message is found by number in any spelling, id, own id, shipment, campaign, state, channel and time', async () => {
  const phone = newPhone();
  const other = newPhone();
  const from = new Date(service.appContext.clock.now()).toISOString();
  const shipment = await send([{ phone, id: `order ${phone}` }, other] as never, {
    campaign_name: `C ${phone}`,
  });
  await stateOf(shipment, 'delivered', 2);
  const [mine] = (await search({ phone })).messages;
  assert.equal(mine!.phone, phone);
  assert.equal(mine!.text, 'Spring is here');
  for (const query of [
    { phone: `+972 ${phone.slice(1, 3)}-${phone.slice(3)}` },
    { id: mine!.id },
    { external_id: `order ${phone}` },
    { shipment_id: shipment, phone },
    { campaign_name: `C ${phone}`, phone },
    { phone, state: 'delivered' },
    { phone, channel: 'sms', from },
  ] as Record<string, string>[]) {
    const found = await search(query);
    assert.deepEqual(
      found.messages.map(({ id }) => id),
      [mine!.id],
      JSON.stringify(query),
    );
    assert.equal(found.next, null);
  }
  assert.equal((await search({ shipment_id: shipment })).messages.length, 2);
  assert.equal((await search({ campaign_name: `C ${phone}` })).messages.length, 2);
  assert.equal((await search({ campaign_name: `C ${phone}`, state: 'delivered' })).messages.length, 2);
  for (const nothing of [
    { phone, state: 'failed' },
    { phone, channel: 'chat' },
    { phone, to: from },
    { shipment_id: '1' },
    { campaign_name: 'no such name' },
    { shipment_id: shipment, state: 'waiting' },
  ] as Record<string, string>[]) {
    assert.deepEqual(await search(nothing), { messages: [], next: null }, JSON.stringify(nothing));
  }
});

test('by state alone the newest come with the first page, though nothing says until when', async () => {
  const stem = newPhone().slice(0, 6);
  const shipment = await send([`${stem}0001`]);
  await stateOf(shipment, 'failed');
  const { messages } = await search({ state: 'failed', limit: '1' });
  assert.deepEqual(
    messages.map(({ phone }) => phone),
    [`${stem}0001`],
  );
});

test('pages follow one another, the newest first, without gaps', async () => {
  const phones = Array.from({ length: 7 }, newPhone);
  const name = `pages ${phones[0]}`;
  for (const phone of phones) await stateOf(await send([phone], { campaign_name: name }), 'delivered');
  const queries = [
    { campaign_name: name },
    { campaign_name: name, state: 'delivered' },
    { state: 'delivered' },
    {},
  ];
  for (const query of queries as Record<string, string>[]) {
    const seen: string[] = [];
    let after = '';
    do {
      const page = await search({ ...query, limit: '3', after });
      seen.push(...page.messages.map(({ phone }) => phone));
      after = page.next ?? '';
    } while (after !== '' && seen.length < phones.length);
    assert.deepEqual(seen.slice(0, 7), phones.toReversed());
  }
});

test('what a search finds is exported, the newest first and without texts', async () => {
  const phones = Array.from({ length: 3 }, newPhone);
  const name = `export ${phones[0]}`;
  for (const phone of phones) await stateOf(await send([phone], { campaign_name: name }), 'delivered');
  const exported = async (query: Record<string, string>) => {
    const response = await api.get(`/messages.csv?${new URLSearchParams(query)}`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-disposition'), 'attachment; filename="messages.csv"');
    return parse(Buffer.from(await response.arrayBuffer()), { bom: true, columns: true }) as Record<
      string,
      string
    >[];
  };
  const rows = await exported({ campaign_name: name });
  const found = (await search({ campaign_name: name })).messages;
  assert.deepEqual(
    rows.map(({ id, phone, state, shipment_id }) => [id, phone, state, shipment_id]),
    found.map(({ id, phone, state, shipment_id }) => [id, phone, state, shipment_id]),
  );
  assert.deepEqual(
    rows.map(({ phone }) => phone),
    phones.toReversed(),
  );
  assert.ok(rows.every((row) => !('text' in row)));
  assert.equal((await exported({ campaign_name: name, state: 'failed' })).length, 0);
  assert.equal((await exported({ phone: phones[1]! })).length, 1);
  await json(api.get('/messages.csv?phone=12'), 400);
});

test('the whole way of a message that was delivered', async () => {
  const phone = newPhone();
  const shipment = await send([phone], { campaign_name: 'Way' });
  const [{ id }] = (await stateOf(shipment, 'delivered')) as [Shown];
  const told = await timeline(id);
  assert.deepEqual(
    told.steps.map(({ step }) => step),
    ['accepted', 'submitted', 'delivered'],
  );
  assert.deepEqual(
    [told.shipment_id, told.campaign_name, told.text, told.status, told.link, told.price],
    [shipment, 'Way', 'Spring is here', 102, 'sandbox', '1'],
  );
  assert.equal(told.carrier_status, 'DELIVRD/000');
  assert.deepEqual([told.waiting, told.given_back, told.failure], [null, null, null]);
});

test("a message that waits for its receipt has the carrier's id; one that is refused says why", async () => {
  const stem = newPhone().slice(0, 6);
  const silent = await send([`${stem}0004`]);
  const [{ id }] = (await stateOf(silent, 'submitted')) as [Shown];
  const { carrier_ids: ids } = await timeline(id);
  assert.equal(ids.length, 1);
  assert.equal(ids[0]!.part, 0);

  for (const [ending, key, fault] of [
    ['0001', 'undelivered', 'network'],
    ['0002', 'unreachable', 'recipient'],
    ['0003', 'content', 'customer'],
    ['0006', 'kosher', 'recipient'],
  ] as const) {
    const [failed] = (await stateOf(await send([`${stem}${ending}`]), 'failed')) as [Shown];
    assert.deepEqual([failed.failure!.key, failed.failure!.fault], [key, fault]);
    assert.ok(failed.failure!.why !== '' && failed.failure!.todo !== '');
    assert.deepEqual((await timeline(failed.id)).failure, failed.failure);
  }
});

test('a scheduled message tells where it waits; cancelled, that its price came back', async () => {
  const at = new Date(service.appContext.clock.now() + 3_600_000).toISOString();
  const shipment = await send([newPhone()], { at });
  const [waiting] = (await stateOf(shipment, 'waiting')) as [Shown];
  const before = await timeline(waiting.id);
  assert.deepEqual(
    [before.waiting?.lane, before.waiting?.attempts, before.waiting?.due_at],
    ['single', 0, at],
  );
  assert.ok(before.steps.some(({ step }) => step === 'scheduled'));
  // As the dispatcher leaves a batch whose answers were lost.
  const restsUntil = leaseClock.now() + 7 * 86_400_000;
  await service.sql`
    UPDATE dispatch_batches SET lease_owner = NULL, lease_until = ${restsUntil}
    WHERE first_id <= ${Number(waiting.id)} AND last_id >= ${Number(waiting.id)}`;
  const resting = (await timeline(waiting.id)).waiting!;
  assert.deepEqual(
    [resting.in_hand, resting.because, resting.due_at],
    [false, 'unanswered', new Date(restsUntil).toISOString()],
  );
  await json(api.post(`/shipments/${shipment}/cancel`));
  const after = await timeline(waiting.id);
  assert.deepEqual([after.state, after.waiting, after.given_back], ['cancelled', null, '1']);
  assert.deepEqual(
    after.steps.map(({ step }) => step).filter((step) => step !== 'scheduled'),
    ['accepted', 'cancelled', 'given_back'],
  );
});

test('pushes of a message are listed', async (context) => {
  const { token } = await service.addAccount({ username: 'pushed' });
  const mine = v1(service.url, token);
  const taken: string[] = [];
  const server = createServer((request, response) => {
    taken.push(request.method!);
    request.resume();
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const registered = await service.call(
    'json',
    'push_url',
    { user: { username: 'pushed' }, type: 'dlr', url },
    { token },
  );
  assert.equal(registered.status, 0, registered.message);
  const { shipment_id: shipment } = await json<{ shipment_id: string }>(
    mine.post('/sms', JSON.stringify({ source: 'Shop', message: 'hello', phones: [newPhone()] }), {
      'content-type': 'application/json',
    }),
    202,
  );
  const told = await waitFor('it was pushed', async () => {
    const { messages } = await json<Page>(mine.get(`/messages?shipment_id=${shipment}`));
    const one = await json<MessageTimeline>(mine.get(`/messages/${messages[0]!.id}`));
    return one.pushes.some(({ state }) => state === 'done') && taken.length > 0 && one;
  });
  assert.deepEqual(
    told.pushes.map(({ kind, url: to, type }) => [kind, to, type]),
    [['dlr', url, 'message.status']],
  );
  assert.ok(told.steps.some(({ step }) => step === 'pushed'));
});

test("nobody sees another account's messages, and what is asked wrongly is refused", async () => {
  const [mine] = (await search({ limit: '1' })).messages;
  const { token } = await service.addAccount({ username: 'curious' });
  const theirs = v1(service.url, token);
  await json(theirs.get(`/messages/${mine!.id}`), 404);
  assert.deepEqual((await json<Page>(theirs.get(`/messages?id=${mine!.id}`))).messages, []);
  assert.deepEqual((await json<Page>(theirs.get(`/messages?phone=${mine!.phone}`))).messages, []);
  await json(theirs.get(`/shipments/${mine!.shipment_id}`), 404);
  await json(theirs.get(`/shipments/${mine!.shipment_id}/messages.csv`), 404);
  await json(api.get('/messages/1'), 404);
  await json(api.get('/messages/abc'), 404);
  for (const query of [
    'phone=1',
    'state=lost',
    'channel=fax',
    'id=x',
    'from=yesterday',
    'limit=101',
    'after=-1',
  ]) {
    await json(api.get(`/messages?${query}`), 400);
  }
});
