import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDescription } from '../docs/openapi-support.ts';
import { startReceiver } from '../events/support.ts';
import { newPhone } from '../support/phones.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { asPerson, type Calls, withToken } from '../v1/calls.ts';

/*
 * A viewer, or a token that only reads contacts, looks for what is not for them in every answer: texts, keys in
 * addresses of webhooks, and what deliveries carry.
 */

const service = await startTestService();
const { url, demo, foundation } = service;
const owner = await asPerson(service, 'owner', demo.id);
const sender = await asPerson(service, 'sender', demo.id);
const viewer = await asPerson(service, 'viewer', demo.id);
const reader = withToken(url, (await foundation.tokens.mint(demo.id, { scopes: ['read'] })).token);

const receiver = await startReceiver();
receiver.answer = (response) => response.writeHead(500).end('canary-answer');
const phone = newPhone();
const { port } = new URL(receiver.url);
const hook = await owner.post<{ id: string }>('/webhooks', {
  url: `http://localhost:${port}/canary-path?key=canary-query`,
});
const sent = await owner.post<{ shipment_id: string }>(
  '/sms',
  { source: 'Shop', phones: [phone], message: 'canary-text' },
  202,
);
await service.call('json', 'addNumBL', { bl: { phone: newPhone() } });
const delivery = await waitFor('a delivery that fails', async () => {
  const { deliveries } = await owner.get<{ deliveries: { id: string; answer: { body: string | null } }[] }>(
    '/webhook-deliveries',
  );
  return deliveries.find(({ answer }) => answer.body !== null)?.id;
});
const message = await waitFor('the message', async () => {
  const { messages } = await owner.get<{ messages: { id: string }[] }>(
    `/messages?shipment_id=${sent.shipment_id}`,
  );
  return messages[0]?.id;
});

const ids = [hook.id, sent.shipment_id, message, delivery, '1'];
const { operations } = await openDescription(url);
const paths = operations
  .filter(({ method, path }) => method === 'get' && path.startsWith('/v1/') && path !== '/v1/live')
  .flatMap(({ path }) => ids.map((id) => path.replace('/v1', '').replace('{id}', id)));

/** The canaries that somebody finds, by all routes that only read. */
async function found(calls: Calls): Promise<string[]> {
  const seen = new Set<string>();
  for (const path of new Set(paths)) {
    const text = await (await calls.fetch('GET', path)).text();
    for (const [canary] of text.matchAll(/canary-\w+/g)) seen.add(canary);
  }
  return [...seen].toSorted();
}

const everything = ['canary-answer', 'canary-path', 'canary-query', 'canary-text'];

test('an owner finds all of it, so that there is something to be found', async () => {
  assert.deepEqual(await found(owner), everything);
});

test('a sender finds texts and what deliveries carry', async () => {
  assert.deepEqual(await found(sender), ['canary-answer', 'canary-text']);
});

test('a viewer finds nothing', async () => {
  assert.deepEqual(await found(viewer), []);
  const { webhooks } = await viewer.get<{ webhooks: { url: string }[] }>('/webhooks');
  assert.equal(webhooks[0]!.url, `http://localhost:${port}/••••••`);
});

test('a token with read alone finds texts', async () => {
  assert.deepEqual(await found(reader), ['canary-text']);
});
