import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook as Signer } from 'standardwebhooks';
import { countFailingEndpoints } from '../../../server/engine/events/failing-endpoints.ts';
import { eventTypes } from '../../../server/engine/events/types.ts';
import { type Received, startReceiver } from '../../engine/events/support.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { asPerson, type Calls, withToken } from './calls.ts';

interface Webhook {
  readonly id: string;
  readonly kind: string;
  readonly url: string;
  readonly types: string[] | null;
  readonly state: string;
  readonly off_reason: string | null;
  readonly delivered: number;
  readonly failed: number;
  readonly secret?: string | null;
}
interface Delivery {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly type: string;
  readonly state: string;
  readonly attempts: number;
  readonly next_at: string | null;
  readonly request: { url: string; content_type: string; body: string };
  readonly answer: {
    at: string | null;
    http_status: number | null;
    error: string | null;
    body: string | null;
  };
  readonly recorded_attempts: readonly Attempt[];
}
interface Attempt {
  readonly at: string;
  readonly duration_ms: number;
  readonly http_status: number | null;
  readonly error: string | null;
  readonly body: string | null;
}
interface Deliveries {
  readonly deliveries: Delivery[];
  readonly next: string | null;
}

const service = await startTestService();
const { url, sql } = service;

const webhooksOf = async (calls: Calls) => (await calls.get<{ webhooks: Webhook[] }>('/webhooks')).webhooks;
const deliveriesOf = (calls: Calls, count: number, query = '') =>
  waitFor(`${count} deliveries`, async () => {
    const { deliveries } = await calls.get<Deliveries>(`/webhook-deliveries${query}`);
    return deliveries.length === count && deliveries;
  });

/** Puts a number on the blacklist of the caller: an event. */
async function happen(calls: Calls): Promise<string> {
  const phone = newPhone();
  await calls.post('/blacklist', { phones: [phone] });
  return phone;
}

test('a webhook is registered with its secret, hears of events, and is removed', async () => {
  const account = await service.addAccount({ username: 'hooks' });
  const calls = withToken(url, account.token);
  const receiver = await startReceiver();
  const made = await calls.post<Webhook>('/webhooks', { url: receiver.url, types: ['blacklist.added'] });
  assert.match(made.secret!, /^whsec_/);
  assert.deepEqual([made.kind, made.types, made.state], ['webhook', ['blacklist.added'], 'active']);
  assert.deepEqual(await calls.get(`/webhooks/${made.id}/secret`), { secret: made.secret });
  const [listed] = await webhooksOf(calls);
  assert.deepEqual([listed!.id, 'secret' in listed!], [made.id, false]);

  const phone = await happen(calls);
  await waitFor('the event', () => receiver.received.length === 1);
  assert.equal(JSON.parse(receiver.received[0]!.body).data.phone, stored(phone));
  await waitFor(
    'it is counted',
    async () => (await calls.get<Webhook>(`/webhooks/${made.id}`)).delivered === 1,
  );

  await calls.call('DELETE', `/webhooks/${made.id}`);
  assert.deepEqual(await webhooksOf(calls), []);
  assert.deepEqual(await calls.refused('DELETE', `/webhooks/${made.id}`), ['not-found', undefined, 404]);
});

test('an endpoint gets another address, to which goes what waited, and other events', async () => {
  const account = await service.addAccount({ username: 'moving' });
  const calls = withToken(url, account.token);
  const [before, after] = [await startReceiver(), await startReceiver()];
  before.answer = (response) => response.writeHead(503).end();
  const made = await calls.post<Webhook>('/webhooks', { url: before.url });
  const phone = await happen(calls);
  await deliveriesOf(calls, 1, '?state=retrying');
  const change = (body: object) => calls.call<Webhook>('PATCH', `/webhooks/${made.id}`, body);
  const moved = await change({ url: after.url });
  assert.deepEqual([moved.url, moved.types, moved.id], [after.url, null, made.id]);
  await service.advance(60);
  await waitFor('the event', () => after.received.length === 1);
  assert.equal(JSON.parse(after.received[0]!.body).data.phone, stored(phone));
  assert.ok(after.received[0]!.headers['webhook-signature']);

  assert.deepEqual((await change({ types: ['message.status'] })).types, ['message.status']);
  await happen(calls);
  assert.equal((await change({ types: null })).types, null);
  const last = await happen(calls);
  await waitFor('the event of all types', () => after.received.length === 2);
  assert.equal(JSON.parse(after.received[1]!.body).data.phone, stored(last));

  const other = await calls.post<Webhook>('/webhooks', { url: `${after.url}/other` });
  assert.deepEqual(await calls.refused('PATCH', `/webhooks/${other.id}`, { url: after.url }), [
    'url-known',
    'url',
    409,
  ]);
  for (const body of [{ types: [] }, { types: ['no.such'] }, { url: 'ftp://example.com' }, { url: '' }]) {
    const [code, , status] = await calls.refused('PATCH', `/webhooks/${other.id}`, body);
    assert.deepEqual([code, status], ['bad-field', 400]);
  }
  const push = await calls.post<Webhook>('/webhooks', { url: `${after.url}/push`, kind: 'blacklist' });
  const types = ['blacklist.added'];
  assert.equal((await calls.refused('PATCH', `/webhooks/${push.id}`, { types }))[0], 'bad-field');
  const stranger = withToken(url, (await service.addAccount({ username: 'not-theirs' })).token);
  assert.deepEqual(await stranger.refused('PATCH', `/webhooks/${made.id}`, { types: null }), [
    'not-found',
    undefined,
    404,
  ]);
});

test('the events of an endpoint are listed with their outcomes, page by page', async () => {
  const account = await service.addAccount({ username: 'listed-events' });
  const calls = withToken(url, account.token);
  const receiver = await startReceiver();
  const early = await happen(calls);
  const hook = await calls.post<Webhook>('/webhooks', { url: receiver.url, types: ['blacklist.added'] });
  const other = await calls.post<Webhook>('/webhooks', { url: receiver.url, kind: 'dlr' });
  interface Listed {
    readonly event_id: string;
    readonly type: string;
    readonly state: string;
    readonly request: { readonly url: string; readonly body: string };
    readonly recorded_attempts: readonly Attempt[];
    readonly delivery: Delivery | null;
  }
  const list = (of: Webhook, query = '') =>
    calls.get<{ events: Listed[]; next: string | null }>(`/webhooks/${of.id}/events${query}`);
  const phoneOf = ({ request }: Listed) => JSON.parse(request.body).data.phone as string;

  const phones = [await happen(calls), await happen(calls), await happen(calls)];
  await waitFor('all three', () => receiver.received.length === 3);
  const states = async () => (await list(hook)).events.map(({ state }) => state);
  await waitFor('they are delivered', async () => (await states()).every((state) => state === 'delivered'));
  receiver.answer = (response) => response.writeHead(500).end('no room');
  phones.push(await happen(calls));
  await deliveriesOf(calls, 1);
  const { events } = await waitFor('every attempt is recorded', async () => {
    const page = await list(hook);
    return page.events.every(({ recorded_attempts }) => recorded_attempts.length > 0) && page;
  });
  assert.deepEqual(
    events.map(({ recorded_attempts: [last] }) => [last!.http_status, last!.error, last!.body]),
    [[500, 'answered 500', 'no room'], ...phones.slice(1).map(() => [200, null, null])],
  );
  assert.ok(events.every(({ recorded_attempts: [last] }) => last!.duration_ms > 0));
  assert.deepEqual(events.map(phoneOf), phones.toReversed().map(stored));
  assert.ok(!events.map(phoneOf).includes(stored(early)));
  const [failing, delivered] = events;
  assert.deepEqual(
    [failing!.state, failing!.delivery?.attempts, failing!.delivery?.answer.body, failing!.request.url],
    ['retrying', 1, 'no room', hook.url],
  );
  assert.deepEqual([delivered!.state, delivered!.delivery], ['delivered', null]);
  const [sent] = receiver.received.filter(({ headers }) => headers['webhook-id'] === delivered!.event_id);
  assert.equal(delivered!.request.body, sent!.body);
  assert.deepEqual((await list(other)).events, []);

  const seen: string[] = [];
  for (let after = ''; ; ) {
    const page = await list(hook, `?limit=3&after=${after}`);
    seen.push(...page.events.map(phoneOf));
    if (page.next === null) break;
    after = page.next;
  }
  assert.deepEqual(seen, phones.toReversed().map(stored));
  const [code, field] = await calls.refused('GET', `/webhooks/${hook.id}/events?after=7`);
  assert.deepEqual([code, field], ['bad-field', 'after']);
  const stranger = withToken(url, (await service.addAccount({ username: 'other-events' })).token);
  assert.equal((await stranger.refused('GET', `/webhooks/${hook.id}/events`))[2], 404);
});

test('what did not arrive is shown with its request and the answer, and sent again', async () => {
  const account = await service.addAccount({ username: 'failing' });
  const calls = withToken(url, account.token);
  const receiver = await startReceiver();
  receiver.answer = (response) => response.writeHead(500).end('no room');
  const hook = await calls.post<Webhook>('/webhooks', { url: receiver.url });
  const push = await calls.post<Webhook>('/webhooks', { url: receiver.url, kind: 'blacklist' });
  assert.equal(push.secret, null);
  const phone = await happen(calls);
  const rows = await deliveriesOf(calls, 2);
  const ofHook = rows.find(({ endpoint_id }) => endpoint_id === hook.id)!;
  const ofPush = rows.find(({ endpoint_id }) => endpoint_id === push.id)!;
  assert.deepEqual(
    [ofHook.type, ofHook.state, ofHook.attempts, ofHook.answer.http_status, ofHook.answer.body],
    ['blacklist.added', 'retrying', 1, 500, 'no room'],
  );
  assert.ok(ofHook.next_at! > ofHook.answer.at!);
  const sent = receiver.received.find(({ headers }) => headers['webhook-id'] === ofHook.event_id)!;
  assert.deepEqual(ofHook.request, {
    method: 'POST',
    url: hook.url,
    content_type: sent.headers['content-type'],
    body: sent.body,
  });
  assert.equal(ofPush.request.content_type, 'application/x-www-form-urlencoded');
  assert.equal(new URLSearchParams(ofPush.request.body).get('phone'), phone);
  assert.equal((await deliveriesOf(calls, 1, `?endpoint=${push.id}`))[0]!.id, ofPush.id);
  assert.deepEqual(await deliveriesOf(calls, 0, '?state=done'), []);
  // It would be tried again by itself in seconds.
  await service.sql`UPDATE deliveries SET next_at = next_at + 3600000 WHERE id = ${Number(ofHook.id)}`;
  assert.deepEqual(await calls.post(`/webhook-deliveries/${ofHook.id}/replay`), { count: 1 });
  const retried = await waitFor('it is tried at once', async () =>
    (await deliveriesOf(calls, 2)).find(({ id, attempts }) => id === ofHook.id && attempts > ofHook.attempts),
  );
  assert.equal(retried.state, 'retrying');

  await service.advance(86_400);
  await deliveriesOf(calls, 2, '?state=failed');
  receiver.answer = (response) => response.end();
  const before = receiver.received.length;
  assert.deepEqual(await calls.post(`/webhook-deliveries/${ofHook.id}/replay`), { count: 1 });
  const [done] = await deliveriesOf(calls, 1, '?state=done');
  assert.deepEqual([done!.id, done!.event_id], [ofHook.id, ofHook.event_id]);
  assert.equal(receiver.received[before]!.headers['webhook-id'], ofHook.event_id);
  assert.deepEqual(await calls.post('/webhook-deliveries/replay', {}), { count: 1 });
  await deliveriesOf(calls, 2, '?state=done');
  const from = new Date(Date.parse(ofHook.answer.at!) - 60_000).toISOString();
  const to = new Date(Date.parse(ofHook.answer.at!) + 60_000).toISOString();
  const all = await calls.post('/webhook-deliveries/replay', {
    endpoint_id: hook.id,
    from,
    to,
    delivered: true,
  });
  assert.deepEqual(all, { count: 1 });
});

test('one event is replayed to one endpoint, also if it was accepted at the first attempt', async () => {
  const account = await service.addAccount({ username: 'replayed-once' });
  const calls = withToken(url, account.token);
  const receiver = await startReceiver();
  const hook = await calls.post<Webhook>('/webhooks', { url: receiver.url });
  await happen(calls);
  await happen(calls);
  await waitFor('both events', () => receiver.received.length === 2);
  const key = receiver.received[0]!.headers['webhook-id'];
  const replay = () => calls.post(`/webhooks/${hook.id}/replay`, { event_id: key });
  assert.deepEqual(await replay(), { count: 1 });
  await waitFor('the event again', () => receiver.received.length === 3);
  assert.equal(receiver.received[2]!.headers['webhook-id'], key);
  await deliveriesOf(calls, 1, '?state=done');
  assert.deepEqual(await replay(), { count: 1 });
  await waitFor('the event a third time', () => receiver.received.length === 4);
  assert.equal(receiver.received[3]!.headers['webhook-id'], key);

  const unknown = await calls.refused('POST', `/webhooks/${hook.id}/replay`, { event_id: 'evt_1_0' });
  assert.deepEqual([unknown[0], unknown[2]], ['not-found', 404]);
  const stranger = withToken(url, (await service.addAccount({ username: 'other-replays' })).token);
  const theirs = await stranger.refused('POST', `/webhooks/${hook.id}/replay`, { event_id: key });
  assert.equal(theirs[2], 404);
});

test('deliveries come page by page', async () => {
  const account = await service.addAccount({ username: 'paging' });
  const calls = withToken(url, account.token);
  const receiver = await startReceiver();
  receiver.answer = (response) => response.writeHead(500).end();
  await calls.post('/webhooks', { url: receiver.url });
  for (let more = 0; more < 5; more++) await happen(calls);
  const all = await deliveriesOf(calls, 5);
  const found: string[] = [];
  for (let next: string | null = ''; next !== null; ) {
    const page: Deliveries = await calls.get(`/webhook-deliveries?limit=2&after=${next}`);
    found.push(...page.deliveries.map(({ id }) => id));
    next = page.next;
  }
  assert.deepEqual(
    found,
    all.map(({ id }) => id),
  );
});

test('one that is switched off says why, and is enabled by its owner, or by an operator for all', async () => {
  const account = await service.addAccount({ username: 'gone' });
  const calls = withToken(url, account.token);
  const operator = await asPerson(service, 'operator');
  const receiver = await startReceiver();
  receiver.answer = (response) => response.writeHead(410).end();
  const { id } = await calls.post<Webhook>('/webhooks', { url: receiver.url });
  const isOff = () =>
    waitFor('it is off', async () => {
      const hook = await calls.get<Webhook>(`/webhooks/${id}`);
      return hook.state === 'off' && hook;
    });
  await happen(calls);
  assert.equal((await isOff()).off_reason, 'answered 410 Gone');
  assert.deepEqual(await calls.refused('POST', '/webhook-deliveries/replay', { endpoint_id: id }), [
    'bad-field',
    undefined,
    400,
  ]);
  // Attempts are counted a moment after the endpoint was switched off.
  const off = await waitFor('the attempt is counted', async () => {
    const found = await failingWebhook(operator, id);
    return found?.last_status !== null && found;
  });
  assert.deepEqual(
    [off.username, off.account_id, off.state, off.last_status],
    ['gone', String(account.id), 'off', 410],
  );
  assert.equal((await calls.post<Webhook>(`/webhooks/${id}/enable`)).state, 'active');
  await happen(calls);
  await isOff();
  const enabled = await operator.post<FailingWebhook>(`/operator/webhooks/${id}/enable`);
  assert.deepEqual([enabled.state, enabled.username], ['active', 'gone']);
  assert.deepEqual(await operator.refused('POST', `/operator/webhooks/${id}/enable`), [
    'not-found',
    undefined,
    404,
  ]);
});

test('operators see the failing endpoints of all accounts by host, with the last answer and what waits', async () => {
  const account = await service.addAccount({ username: 'broken' });
  const calls = withToken(url, account.token);
  const operator = await asPerson(service, 'operator');
  const receiver = await startReceiver();
  receiver.answer = (response) => response.writeHead(503).end('a secret of the receiver');
  const address = `${receiver.url}/secret-path?key=secret-key`;
  const { id } = await calls.post<Webhook>('/webhooks', { url: address });
  assert.equal(await failingWebhook(operator, id), undefined);
  await happen(calls);
  const failing = await waitFor('it is listed', async () => {
    const found = await failingWebhook(operator, id);
    return found?.waiting === 1 && found;
  });
  const { username, account_id, host, state, off_reason, last_status, last_error } = failing;
  assert.deepEqual(
    { username, account_id, host, state, off_reason, last_status, last_error },
    {
      username: 'broken',
      account_id: String(account.id),
      host: new URL(receiver.url).host,
      state: 'failing',
      off_reason: null,
      last_status: 503,
      last_error: 'answered 503',
    },
  );
  assert.ok(failing.since && failing.last_failure_at);
  assert.doesNotMatch(JSON.stringify(failing), /secret/);

  const { clock } = service.appContext;
  const failingFor = async (ms: number) => (await countFailingEndpoints(sql, clock.now() - ms)).failing;
  // Endpoints of other tests may begin to fail between the two answers.
  await waitFor(
    'the count equals the list',
    async () => (await failingFor(0)) === (await failingHere(operator)),
  );
  assert.ok(
    (await failingFor(3_600_000)) < (await failingFor(0)),
    'this one has failed for less than an hour',
  );
  receiver.answer = (response) => response.writeHead(204).end();
  await happen(calls);
  await waitFor('it works again', async () => (await failingWebhook(operator, id)) === undefined);
});

interface FailingWebhook {
  readonly id: string;
  readonly account_id: string;
  readonly username: string;
  readonly host: string;
  readonly state: string;
  readonly since: string | null;
  readonly off_reason: string | null;
  readonly waiting: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly last_failure_at: string | null;
}

const failingHere = async (operator: Calls) =>
  (await operator.get<{ webhooks: FailingWebhook[] }>('/operator/webhooks')).webhooks.filter(
    ({ state }) => state === 'failing',
  ).length;

const failingWebhook = async (operator: Calls, id: string) =>
  (await operator.get<{ webhooks: FailingWebhook[] }>('/operator/webhooks')).webhooks.find(
    (hook) => hook.id === id,
  );

test('what cannot be registered or replayed is refused', async () => {
  const calls = withToken(url, DEMO_TOKEN);
  const address = 'https://example.com/hooks';
  await calls.post('/webhooks', { url: address });
  for (const [path, body, ...expected] of [
    ['/webhooks', { url: address }, 'url-known', 'url', 409],
    ['/webhooks', {}, 'bad-field', 'url', 400],
    ['/webhooks', { url: 'ftp://example.com' }, 'bad-field', undefined, 400],
    ['/webhooks', { url: address, kind: 'mail' }, 'bad-field', 'kind', 400],
    ['/webhooks', { url: address, types: ['nothing'] }, 'bad-field', 'types[0]', 400],
    ['/webhooks', { url: address, types: [] }, 'bad-field', undefined, 400],
    ['/webhooks', { url: address, kind: 'dlr', types: ['message.status'] }, 'bad-field', undefined, 400],
    ['/webhook-deliveries/replay', { delivered: true }, 'bad-field', undefined, 400],
    ['/webhook-deliveries/replay', { from: 'yesterday' }, 'bad-field', 'from', 400],
    ['/webhook-deliveries/replay', { endpoint_id: 'x' }, 'bad-field', 'endpoint_id', 400],
    ['/webhook-deliveries/replay', { endpoint_id: '1' }, 'not-found', undefined, 404],
    ['/webhook-deliveries/1/replay', undefined, 'not-found', undefined, 404],
  ] as const) {
    assert.deepEqual(await calls.refused('POST', path, body), expected, JSON.stringify(body));
  }
  const [row] =
    await sql`SELECT count(*)::int AS count FROM event_endpoints WHERE account_id = ${service.demo.id}`;
  assert.equal(row!.count, 1);
});

/** What a secret signs a request with, by another implementation; the clock of the sandbox is ahead of its own. */
function signatureOf(secret: string, { headers, body }: Received): string {
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
  return new Signer(secret).sign(String(headers['webhook-id']), at, body);
}

test('a webhook gets another secret, and the previous one also signs for a day', async () => {
  const account = await service.addAccount({ username: 'rotating' });
  const calls = withToken(url, account.token);
  const receiver = await startReceiver();
  const made = await calls.post<Webhook>('/webhooks', { url: receiver.url });
  const rotated = await calls.post<{ secret: string }>(`/webhooks/${made.id}/secret`);
  assert.match(rotated.secret, /^whsec_/);
  assert.notEqual(rotated.secret, made.secret);
  assert.deepEqual(await calls.get(`/webhooks/${made.id}/secret`), rotated);

  await happen(calls);
  await waitFor('the event', () => receiver.received.length === 1);
  const [first] = receiver.received;
  assert.equal(
    first!.headers['webhook-signature'],
    `${signatureOf(rotated.secret, first!)} ${signatureOf(made.secret!, first!)}`,
  );

  await service.advance(86_400);
  await happen(calls);
  await waitFor('the event of the next day', () => receiver.received.length === 2);
  const second = receiver.received[1]!;
  assert.equal(second.headers['webhook-signature'], signatureOf(rotated.secret, second));

  const push = await calls.post<Webhook>('/webhooks', { url: receiver.url, kind: 'dlr' });
  assert.deepEqual(await calls.refused('POST', `/webhooks/${push.id}/secret`), ['bad-field', undefined, 400]);
});

interface Tested {
  readonly taken: boolean;
  readonly milliseconds: number;
  readonly type: string;
  readonly event_id: string;
  readonly request: { url: string; content_type: string; body: string };
  readonly answer: { http_status: number | null; error: string | null; body: string | null } | null;
}

test('an example of an event is sent immediately, and is neither counted nor kept', async () => {
  const account = await service.addAccount({ username: 'trying' });
  const calls = withToken(url, account.token);
  const receiver = await startReceiver();
  const hook = await calls.post<Webhook>('/webhooks', { url: receiver.url, types: ['chat.button'] });
  const taken = await calls.post<Tested>(`/webhooks/${hook.id}/test`, {});
  assert.deepEqual([taken.taken, taken.type, taken.answer], [true, 'chat.button', null]);
  const [got] = receiver.received;
  assert.equal(got!.body, taken.request.body);
  assert.equal(got!.headers['webhook-id'], taken.event_id);
  assert.equal(got!.headers['webhook-signature'], signatureOf(hook.secret!, got!));

  receiver.answer = (response) => response.writeHead(503).end('later');
  const refused = await calls.post<Tested>(`/webhooks/${hook.id}/test`, { type: 'sms.incoming' });
  assert.deepEqual([refused.taken, refused.type], [false, 'sms.incoming']);
  assert.deepEqual(refused.answer, { http_status: 503, error: 'answered 503', body: 'later' });

  const push = await calls.post<Webhook>('/webhooks', { url: receiver.url, kind: 'incoming' });
  const pushed = await calls.post<Tested>(`/webhooks/${push.id}/test`, {});
  assert.equal(pushed.request.content_type, 'application/x-www-form-urlencoded');
  assert.equal(new URLSearchParams(receiver.received.at(-1)!.body).get('message'), 'An example');
  assert.deepEqual(await calls.refused('POST', `/webhooks/${push.id}/test`, { type: 'message.status' }), [
    'bad-field',
    'type',
    400,
  ]);
  assert.deepEqual((await calls.get<Deliveries>('/webhook-deliveries')).deliveries, []);
  const [counted] = await webhooksOf(calls);
  assert.deepEqual([counted!.delivered, counted!.failed], [0, 0]);
});

test('an example of every event can be sent, also to an address that is off or not there', async () => {
  const account = await service.addAccount({ username: 'examples' });
  const calls = withToken(url, account.token);
  const receiver = await startReceiver();
  const hook = await calls.post<Webhook>('/webhooks', { url: receiver.url });
  await sql`UPDATE event_endpoints SET state = 'off', off_at = 1, changed_at = changed_at + 1 WHERE id = ${hook.id}`;
  for (const type of eventTypes) {
    const { taken, request } = await calls.post<Tested>(`/webhooks/${hook.id}/test`, { type });
    assert.deepEqual([taken, JSON.parse(request.body).type], [true, type]);
  }
  assert.equal(receiver.received.length, eventTypes.length);
  await receiver.close();
  const { taken, answer } = await calls.post<Tested>(`/webhooks/${hook.id}/test`, {});
  assert.equal(taken, false);
  assert.equal(answer!.http_status, null);
  assert.match(answer!.error!, /ECONNREFUSED/);
});

test("another account's addresses are not there, and secrets are for owners", async () => {
  const [mine, other] = await Promise.all(
    ['mine', 'other'].map((username) => service.addAccount({ username })),
  );
  const { id } = await withToken(url, mine!.token).post<Webhook>('/webhooks', {
    url: 'https://example.com/a',
  });
  const stranger = withToken(url, other!.token);
  for (const [method, path] of [
    ['GET', `/webhooks/${id}`],
    ['GET', `/webhooks/${id}/secret`],
    ['POST', `/webhooks/${id}/enable`],
    ['POST', `/webhooks/${id}/secret`],
    ['POST', `/webhooks/${id}/test`],
    ['DELETE', `/webhooks/${id}`],
  ] as const) {
    assert.deepEqual(await stranger.refused(method, path), ['not-found', undefined, 404], path);
  }
  assert.deepEqual(await stranger.refused('POST', '/webhook-deliveries/replay', { endpoint_id: id }), [
    'not-found',
    undefined,
    404,
  ]);
  const sender = await asPerson(service, 'sender', mine!.id);
  assert.equal((await webhooksOf(sender)).length, 1);
  for (const [method, path] of [
    ['GET', `/webhooks/${id}/secret`],
    ['POST', `/webhooks/${id}/secret`],
    ['POST', `/webhooks/${id}/test`],
    ['POST', '/webhooks'],
    ['DELETE', `/webhooks/${id}`],
  ] as const) {
    assert.deepEqual(await sender.refused(method, path), ['not-allowed', undefined, 403], path);
  }
  const owner = await asPerson(service, 'owner', mine!.id);
  assert.match((await owner.get<{ secret: string }>(`/webhooks/${id}/secret`)).secret, /^whsec_/);
  assert.deepEqual(await owner.refused('GET', '/operator/webhooks'), ['not-allowed', undefined, 403]);
});
