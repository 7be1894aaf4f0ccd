import './push/install.ts';

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVERYONE } from '../../server/modules/accounts/prices.ts';
import { json, v1 } from '../api/v1/support.ts';
import { type Received, startReceiver } from '../engine/events/support.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * The contract of a channel (server/channels/contract/channel.ts), by a channel that the product does not have: push notifications
 * to an HTTP service. It is the folder push/ and the line in push/install.ts; nothing else knows it.
 */

interface Message {
  readonly id: string;
  readonly channel: string;
  readonly phone: string;
  readonly price: string;
  readonly state: string;
  readonly text: string | null;
  readonly link: string | null;
  readonly carrier_status: string | null;
  readonly given_back: string | null;
  readonly failure: { readonly key: string; readonly why: string } | null;
}

const devices = await startReceiver();
let served = 0;
devices.answer = (response, { body }) => {
  const { device } = JSON.parse(body) as { device: string };
  if (device === 'gone') response.writeHead(410);
  if (device === 'busy' && served++ === 0) response.writeHead(503);
  response.end(JSON.stringify(response.statusCode === 200 ? { id: String(1_000_000 + served++) } : {}));
};

const service = await startTestService({ settings: { PUSH_URL: devices.url }, schema: 'migrate' });
const api = v1(service.url, DEMO_TOKEN);

async function send(device: string): Promise<string> {
  const body = JSON.stringify({ device, title: 'Sale', body: 'Today only' });
  const headers = { 'content-type': 'application/json' };
  return (await json<{ id: string }>(api.post('/push/messages', body, headers), 202)).id;
}
const ended = (id: string, state: string) =>
  waitFor(`message ${id} is ${state}`, async () => {
    const message = await json<Message>(api.get(`/messages/${id}`));
    return message.state === state && message;
  });

test('a message is charged, goes over its connector, and is delivered', async () => {
  const before = await service.balance();
  const message = await ended(await send('device-1'), 'delivered');
  assert.deepEqual(
    [message.channel, message.phone, message.price, message.text, message.link, message.carrier_status],
    ['push', 'device-1', '0.05', 'Sale', 'push/shop', 'SHOWN'],
  );
  assert.equal(await service.balance(), before - 0.05);
  const arrived = devices.received.find(({ body }) => body.includes('device-1'))!;
  assert.deepEqual(JSON.parse(arrived.body), { device: 'device-1', title: 'Sale', body: 'Today only' });
});

test('what the service refuses for good is refunded, with a reason of the channel', async () => {
  const before = await service.balance();
  const message = await ended(await send('gone'), 'failed');
  assert.deepEqual([message.failure?.key, message.given_back], ['push-gone', '0.05']);
  assert.equal(await service.balance(), before);
  await assert.rejects(send('gone'), 'the channel has a table of devices');
});

test('the end of a message is an event that names the channel', async () => {
  const webhook = await startReceiver();
  const body = JSON.stringify({ url: webhook.url, types: ['message.status'] });
  const headers = { 'content-type': 'application/json' };
  await json(api.post('/webhooks', body, headers));
  const id = await send('device-2');
  const told = await waitFor('the event', () =>
    webhook.received.find((one: Received) => one.body.includes(id)),
  );
  assert.match(told.body, /"channel":"push"/);
  assert.match(told.body, /"status":102/);
});

test('the engine creates, pauses and resumes a campaign, and reports its end', async () => {
  const webhook = await startReceiver();
  const headers = { 'content-type': 'application/json' };
  const types = ['campaign.finished'];
  await json(api.post('/webhooks', JSON.stringify({ url: webhook.url, types }), headers));
  const before = await service.balance();
  const names = Array.from({ length: 40 }, (_, index) => `phone-${index}`);
  const body = JSON.stringify({ devices: [...names, 'gone'], title: 'Sale', body: 'Today only' });
  const { id } = await json<{ id: string }>(api.post('/push/campaigns', body, headers), 202);
  await json(api.post(`/shipments/${id}/pause`));
  await json(api.post(`/shipments/${id}/resume`));
  const told = await waitFor('campaign.finished', () =>
    webhook.received.find((one: Received) => one.body.includes(id)),
  );
  assert.match(told.body, /"channel":"push"/);
  await waitFor('all have arrived', async () => {
    const { messages } = await json<{ messages: Message[] }>(
      api.get(`/messages?shipment_id=${id}&limit=100`),
    );
    return messages.filter(({ state }) => state === 'delivered').length === 40;
  });
  for (const name of names)
    assert.ok(
      devices.received.some((one) => one.body.includes(`"${name}"`)),
      name,
    );
  await waitFor(
    'one is refunded',
    async () => (await service.balance()).toFixed(2) === (before - 2).toFixed(2),
  );
  const { messages } = await json<{ messages: Message[] }>(api.get(`/messages?shipment_id=${id}&limit=100`));
  assert.ok(messages.every(({ text, channel }) => text === 'Sale' && channel === 'push'));
});

test('lists, counts and prices know the channel', async () => {
  const id = await ended(await send('device-3'), 'delivered').then((message) => message.id);
  const found = await json<{ messages: Message[] }>(api.get('/messages?channel=push'));
  assert.ok(found.messages.some((message) => message.id === id));
  assert.ok(found.messages.every(({ channel }) => channel === 'push'));
  await service.appContext.prices.set(EVERYONE, 'push', '', '0.02');
  const cheaper = await ended(await send('device-4'), 'delivered');
  assert.equal(cheaper.price, '0.02');
  const counted = await waitFor(
    'the hour is counted',
    async () => {
      const { totals } = await json<{ totals: { channel: string; delivered: number }[] }>(
        api.get('/overview?'),
      );
      return totals.find(({ channel, delivered }) => channel === 'push' && delivered >= 4);
    },
    60_000,
  );
  assert.ok(counted);
});

test('the tables of the channel are those of the service', async () => {
  const { tables } = service.appContext;
  assert.ok(
    tables.placements.some(({ table, column }) => table === 'push_devices' && column === 'account_id'),
  );
  assert.ok(tables.erased.includes('push_devices'));
  const rows = await service.sql`SELECT name FROM migrations WHERE number = 9000`;
  assert.equal(rows.length, 1);
});

test('the description of the API has its route, and its name among those of channels', async () => {
  const description = await (await fetch(`${service.url}/docs/openapi.json`)).text();
  assert.match(description, /"\/v1\/push\/messages"/);
  assert.match(description, /\["sms","chat","mail","voice","push"\]/);
  const refused = await fetch(`${service.url}/v1/push/messages`, { method: 'POST' });
  assert.equal(refused.status, 401);
});
