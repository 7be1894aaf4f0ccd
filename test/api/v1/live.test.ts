import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newClient, SOURCE, startChat, templateId } from '../../channels/chat-api/support.ts';
import { addPerson, signedIn } from '../../support/console.ts';
import { newPhone } from '../../support/phones.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openStream } from './live-support.ts';
import { json, v1 } from './support.ts';

/** `/v1/live`, on the sandbox. The database is not the embedded one: hints go over its notifications. */
const service = await startChat();
const api = v1(service.url, DEMO_TOKEN);
const open = (query: string, headers?: Record<string, string>) =>
  openStream(`${service.url}/v1/live?${query}`, DEMO_TOKEN, headers);

async function send(phones: readonly string[], over: object = {}): Promise<string> {
  const body = JSON.stringify({ source: 'Shop', message: 'Live', phones, ...over });
  const headers = { 'content-type': 'application/json' };
  return (await json<{ shipment_id: string }>(api.post('/sms', body, headers), 202)).shipment_id;
}

const soon = () => new Date(service.appContext.clock.now() + 600_000).toISOString();

test('a shipment and its message light up step by step, and the phone rings', async (context) => {
  const phone = newPhone();
  const id = await send([phone], { at: soon() });
  const stream = await open(`shipments=${id}&phones=${phone}`);
  context.after(() => stream.close());
  const isMessage = (state: string) => (event: { type: string; data: Readonly<Record<string, unknown>> }) =>
    event.type === 'message' && event.data.shipment_id === id && event.data.state === state;
  await stream.until('it waits', isMessage('waiting'));
  await stream.until(
    'so does its shipment',
    ({ type, data }) => type === 'shipment' && data.state === 'scheduled',
  );
  await service.advance(700);
  const delivered = await stream.until('it is delivered', isMessage('delivered'));
  assert.ok(delivered.data.submitted_at && delivered.data.ended_at);
  assert.ok(!('text' in delivered.data));
  await stream.until(
    'its shipment is through',
    ({ type, data }) => type === 'shipment' && data.state === 'finished',
  );
  const rang = await stream.until('the phone rings', ({ type }) => type === 'phone');
  assert.deepEqual(
    [rang.data.phone, rang.data.kind, (rang.data.sms as { text: string }).text],
    [phone, 'sms', 'Live'],
  );
});

test('a chat message arrives at a watched phone, and is read', async (context) => {
  const client = newClient();
  const stream = await open(`phones=${client}`);
  context.after(() => stream.close());
  const sent = await json<{ id: string }>(
    api.post(
      '/chat/messages',
      JSON.stringify({ source: SOURCE, to: client, template_id: templateId('plain') }),
      { 'content-type': 'application/json' },
    ),
    202,
  );
  const rang = await stream.until('it comes', ({ type }) => type === 'phone');
  assert.equal(rang.data.kind, 'chat');
  const watching = await open(`messages=${sent.id}`);
  context.after(() => watching.close());
  await watching.until('it is delivered or read', ({ data }) =>
    ['delivered', 'read'].includes(String(data.state)),
  );
});

test('a client that reconnects gets the events that it missed, and no others', async () => {
  const [known, missed] = [newPhone(), newPhone()];
  const first = await send([known]);
  const stream = await open(`shipments=${first}&phones=${missed}`);
  await stream.until('it is delivered', ({ type, data }) => type === 'message' && data.state === 'delivered');
  await stream.close();
  await service.advance(60);
  const last = String(service.appContext.clock.now());
  const second = await send([missed]);
  await waitFor('it arrives', async () => (await service.phone(missed)).length === 1);
  const again = await open(`shipments=${first},${second}&phones=${missed}`, { 'last-event-id': last });
  await again.until('what came to the phone meanwhile', ({ type }) => type === 'phone');
  await again.until(
    'what became of the other',
    ({ type, data }) => type === 'message' && data.shipment_id === second,
  );
  await again.until('counts are told again', ({ type, data }) => type === 'shipment' && data.id === first);
  assert.ok(!again.events.some(({ type, data }) => type === 'message' && data.shipment_id === first));
  await again.close();
});

test('an account sees its own alone, and no phones; streams are counted', async () => {
  const id = await send([newPhone()]);
  const { token } = await service.addAccount({ username: 'watcher' });
  const mine = v1(service.url, token);
  const stream = await openStream(`${service.url}/v1/live?shipments=${id}`, token);
  const other = await open(`shipments=${id}`);
  await other.until('the owner is told', ({ type }) => type === 'shipment');
  assert.deepEqual(stream.events, []);
  await json(mine.get('/live?phones=0501234567'), 403);
  const more = await Promise.all(
    Array.from({ length: 99 }, () => openStream(`${service.url}/v1/live`, token)),
  );
  await json(mine.get('/live'), 429);
  await Promise.all([stream, other, ...more].map((one) => one.close()));
  await waitFor('there is room again', async () => {
    const response = await mine.get('/live');
    await response.body?.cancel();
    return response.status === 200;
  });
  for (const query of [
    'messages=x',
    'shipments=1,,2',
    `messages=${Array.from({ length: 101 }, (_, i) => i + 1)}`,
  ]) {
    await json(api.get(`/live?${query}`), 400);
  }
});

describe('a stream ends with the next event once its reader loses the right to read:', () => {
  /** Watches a phone to which messages go on coming, from before `end` until the stream has ended. */
  async function endsAfter(
    caller: { readonly token?: string; readonly cookie?: string },
    end: () => Promise<unknown>,
  ): Promise<void> {
    const phone = newPhone();
    const stream = await openStream(
      `${service.url}/v1/live?phones=${phone}`,
      caller.token,
      caller.cookie ? { cookie: caller.cookie } : {},
    );
    await send([phone]);
    await stream.until('the first message comes', ({ type }) => type === 'phone');
    await end();
    await waitFor('the stream has ended', async () => {
      await send([phone]);
      return stream.ended;
    });
    await stream.close();
  }

  test('their session ended', async () => {
    await addPerson(service, 'leaver', 'owner', service.demo.id);
    const browser = await signedIn(service, 'leaver');
    const cookie = `carillon_session=${browser.cookie}`;
    await endsAfter({ cookie }, () => browser.ask('DELETE', '/session'));
  });

  test('their account demands a second factor that they lack', async () => {
    await addPerson(service, 'careless', 'owner', service.demo.id);
    const browser = await signedIn(service, 'careless');
    const cookie = `carillon_session=${browser.cookie}`;
    await endsAfter(
      { cookie },
      () => service.sql`
        INSERT INTO people_rules (account_id, second_factor_required) VALUES (${service.demo.id}, true)`,
    );
    await service.sql`DELETE FROM people_rules WHERE account_id = ${service.demo.id}`;
  });

  test('their token was revoked', async () => {
    const { tokens } = service.appContext;
    const { id, token } = await tokens.mint(service.demo.id);
    await endsAfter({ token }, () => tokens.revoke(id));
  });
});

test('a service that stops ends its streams', async () => {
  const stream = await open(`shipments=${await send([newPhone()])}`);
  await stream.until('it is open', () => true);
  await service.stop();
  await waitFor('it has ended', () => stream.ended);
});
