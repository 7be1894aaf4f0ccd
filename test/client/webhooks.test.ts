import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  Carillon,
  type EventData,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '../../client/src/index.ts';
import type { WebhookData } from '../../server/engine/events/payloads.ts';
import { startReceiver } from '../engine/events/support.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

const service = await startTestService({ settings: { WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on' } });
const client = new Carillon({ url: service.url, token: DEMO_TOKEN });

/** An object type with its parts written out, in which nothing is optional but what is. */
type Plain<T> = T extends object ? { [Name in keyof T]: Plain<T[Name]> } : T;
type Equal<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

test('the types of events are those that the service records', () => {
  // What differs does not compile: add to client/src/events.ts what is missing there.
  const areEqual: Equal<Plain<EventData>, Plain<WebhookData>> = true;
  assert.ok(areEqual);
});

test('what the service sends is verified, and typed by its event', async () => {
  const receiver = await startReceiver();
  const made = await client.webhooks.create({ url: receiver.url, kind: 'webhook' });
  const { secret } = await client.webhooks.secret(made.id);
  assert.ok(secret);
  const { shipment_id } = await client.sms.send({ source: 'Shop', phones: ['0501234567'], message: 'Hello' });
  const request = await waitFor('the webhook', () => receiver.received[0]);
  const event = await verifyWebhook(secret, request.headers, request.body);
  assert.equal(event.type, 'message.status');
  assert.ok(event.type === 'message.status' && event.data.shipment_id === shipment_id);
  assert.equal(event.id, request.headers['webhook-id']);
  const bytes = new TextEncoder().encode(request.body);
  assert.deepEqual(await verifyWebhook(secret, new Headers(request.headers as never), bytes), event);

  // While a secret takes the place of another, there are two signatures.
  await client.webhooks.rotateSecret(made.id);
  const { secret: newer } = await client.webhooks.secret(made.id);
  assert.ok(newer !== null && newer !== secret);
  await client.webhooks.test(made.id, {});
  const second = await waitFor('the test event', () => receiver.received[1]);
  assert.match(String(second.headers['webhook-signature']), / v1,/);
  for (const one of [secret, newer, [newer, secret]]) {
    await verifyWebhook(one, second.headers, second.body);
  }
});

test('what is changed, late, of another secret or unsigned is not accepted', async () => {
  const secret = `whsec_${Buffer.from('a secret of 32 bytes, as they are').toString('base64')}`;
  const body =
    '{"type":"blacklist.added","timestamp":"2026-07-01T21:05:59.123Z","data":{"phone":"972501000001"}}';
  const at = new Date();
  const headers = {
    'Webhook-Id': 'evt_1_0',
    'Webhook-Timestamp': String(Math.floor(at.getTime() / 1_000)),
    'Webhook-Signature': new Webhook(secret).sign('evt_1_0', at, body),
  };
  const verified: WebhookEvent = await verifyWebhook(secret, headers, body);
  assert.equal(verified.type, 'blacklist.added');
  const refused: readonly Parameters<typeof verifyWebhook>[] = [
    [secret, headers, body.replace('01', '02')],
    [`whsec_${btoa('another secret')}`, headers, body],
    [secret, { ...headers, 'Webhook-Id': 'evt_1_1' }, body],
    [secret, { ...headers, 'Webhook-Signature': 'v1,' }, body],
    [secret, { ...headers, 'Webhook-Signature': 'v1,not base64!' }, body],
    [secret, { ...headers, 'Webhook-Signature': headers['Webhook-Signature'].replace('v1,', 'v2,') }, body],
    [secret, { ...headers, 'Webhook-Signature': undefined }, body],
    [secret, { ...headers, 'Webhook-Timestamp': 'yesterday' }, body],
    [secret, headers, body, { now: at.getTime() + 302_000 }],
    [secret, headers, body, { now: at.getTime() - 302_000 }],
  ];
  for (const given of refused) {
    await assert.rejects(verifyWebhook(...given), WebhookVerificationError, JSON.stringify(given));
  }
  await verifyWebhook(secret, headers, body, { now: at.getTime() + 302_000, toleranceSeconds: 400 });
  await assert.rejects(verifyWebhook('', headers, body), TypeError);
});
