import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReceiver } from '../../engine/events/support.ts';
import { newPhone } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type OpenStream, openStream, type ServerEvent } from './live-support.ts';
import { json, v1 } from './support.ts';

/** `/v1/events/stream` and `/v1/events/:id`. */
const service = await startTestService({ settings: { WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on' } });
const api = v1(service.url, DEMO_TOKEN);
const typed = { 'content-type': 'application/json' };

async function open(query = '', headers?: Record<string, string>, token = DEMO_TOKEN): Promise<OpenStream> {
  const stream = await openStream(`${service.url}/v1/events/stream?${query}`, token, headers);
  await waitFor('the stream to listen', () => stream.comments.includes(': listening'));
  return stream;
}

/** Something that happens: a number comes onto the blacklist. */
async function happen(): Promise<string> {
  const phone = newPhone();
  await json(api.post('/blacklist', JSON.stringify({ phones: [phone] }), typed), 200);
  return phone;
}

const isAbout = (phone: string) => (event: ServerEvent) =>
  (event.data.data as { phone?: string }).phone === `972${phone.slice(1)}`;

test('events come as a webhook has them, though no endpoint wants them, and are shown by their ids', async (context) => {
  const stream = await open();
  context.after(() => stream.close());
  const phone = await happen();
  const event = await stream.until('the event', isAbout(phone));
  assert.equal(event.type, 'blacklist.added');
  assert.match(event.id, /^evt_\d+_\d+$/);
  const shown = await json<{ event_id: string; type: string; body: string }>(
    api.get(`/events/${event.id}`),
    200,
  );
  assert.deepEqual(
    { ...shown, body: JSON.parse(shown.body) },
    {
      event_id: event.id,
      type: event.type,
      body: event.data,
    },
  );

  // The same as an endpoint receives.
  const receiver = await startReceiver();
  await json(api.post('/webhooks', JSON.stringify({ url: receiver.url, kind: 'webhook' }), typed), 200);
  const second = await happen();
  const streamed = await stream.until('the second event', isAbout(second));
  const sent = await waitFor('the webhook', () =>
    receiver.received.find(({ headers }) => headers['webhook-id'] === streamed.id),
  );
  assert.deepEqual(JSON.parse(sent.body), streamed.data);
  const again = await json<{ body: string }>(api.get(`/events/${streamed.id}`), 200);
  assert.equal(again.body, sent.body);
});

test('a stream that is opened again misses nothing', async () => {
  const stream = await open();
  const first = await happen();
  const { id } = await stream.until('the first', isAbout(first));
  await stream.close();
  const missed = [await happen(), await happen()];
  for (const resume of [await open('', { 'last-event-id': id }), await open(`last_event_id=${id}`)]) {
    for (const phone of missed) await resume.until('what happened meanwhile', isAbout(phone));
    await resume.close();
  }
  // One without an id begins with what happens from now on.
  const fresh = await open();
  const last = await happen();
  await fresh.until('the last', isAbout(last));
  assert.equal(fresh.events.filter(({ id: one }) => one === id).length, 0);
  await fresh.close();
});

test('each event is sent once, and only the requested types', async () => {
  const stream = await open();
  const some = await open('types=message.status,chat.status');
  const phones: string[] = [];
  for (let i = 0; i < 5; i++) phones.push(await happen());
  const body = JSON.stringify({ source: 'Shop', message: 'Hello', phones: [newPhone()] });
  await json(api.post('/sms', body, typed), 202);
  const isStatus = ({ type }: ServerEvent) => type === 'message.status';
  await some.until('the status', isStatus);
  await stream.until('the status', isStatus);
  for (const phone of phones) await stream.until('each event', isAbout(phone));
  assert.equal(new Set(stream.events.map(({ id }) => id)).size, stream.events.length);
  assert.ok(some.events.every(isStatus));
  await stream.close();
  await some.close();
});

test('nobody reads the events of others, and a stream ends with its token', async () => {
  const { appContext } = service;
  const other = await service.addAccount({ username: 'other-events' });
  const theirs = await open('', undefined, other.token);
  const stream = await open();
  const phone = await happen();
  const { id } = await stream.until('the event', isAbout(phone));
  assert.equal(theirs.events.length, 0);
  assert.equal((await v1(service.url, other.token).get(`/events/${id}`)).status, 404);
  const reading = await appContext.tokens.mint(service.demo.id, { scopes: ['read'] });
  for (const path of ['/events/stream', `/events/${id}`]) {
    assert.equal((await v1(service.url, reading.token).get(path)).status, 403);
  }
  const minted = await appContext.tokens.mint(service.demo.id, { scopes: ['webhooks'] });
  const cut = await open('', undefined, minted.token);
  await appContext.tokens.revoke(minted.id);
  await waitFor('the stream to end', async () => {
    await happen();
    return cut.ended;
  });
  await stream.close();
  await theirs.close();
});

test('what cannot be used is refused', async () => {
  const refused: readonly [query: string, field: string][] = [
    ['types=nothing.happened', 'types'],
    ['last_event_id=7', 'last_event_id'],
  ];
  for (const [query, field] of refused) {
    const { error } = await json<{ error: { code: string; field: string } }>(
      api.get(`/events/stream?${query}`),
      400,
    );
    assert.deepEqual([error.code, error.field], ['bad-field', field]);
  }
  const headers = { authorization: `Bearer ${DEMO_TOKEN}`, 'last-event-id': 'seven' };
  const answer = await fetch(`${service.url}/v1/events/stream`, { headers });
  assert.equal(answer.status, 400);
  for (const id of ['evt_1_0', 'evt_1', 'x']) assert.equal((await api.get(`/events/${id}`)).status, 404);
  const open10 = await Promise.all(Array.from({ length: 10 }, () => open()));
  assert.equal((await api.get('/events/stream')).status, 429);
  for (const stream of open10) await stream.close();
});
