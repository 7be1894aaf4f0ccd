import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLocal } from '../../../server/kit/time-zones.ts';
import { covers } from '../../conformance/covers.ts';
import { startReceiver } from '../../engine/events/support.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { waitFor } from '../../support/wait-for.ts';
import { finalLegsOf, legsOf, startVoiceService } from './support.ts';

/** What is told of calls, and when they ring again. */
const service = await startVoiceService({ VOICE_HOURS: '09:00-17:00' });
const zone = 'Asia/Jerusalem';

test('each leg has its event, with the kind of the leg', {
  ...covers('B3.events'),
  timeout: 60_000,
}, async () => {
  const receiver = await startReceiver();
  const push = { type: 'dlr', url: receiver.url };
  assert.equal((await service.call('json', 'push_url', push)).status, 0);
  const phone = newPhone();
  const answer = await service.call('json', 'sms', {
    source: 'Shop',
    destinations: { phone: { $: { id: 'told' }, _: phone } },
    message: 'Hi',
    tts: { type: 3, repeat: 1, rate: 10 },
  });
  await finalLegsOf(service, answer);
  const told = await waitFor('both to be told', () => receiver.received.length >= 2 && receiver.received);
  const fields = told.map(({ body }) => Object.fromEntries(new URLSearchParams(body)));
  const common = {
    external_id: 'told',
    status: '102',
    shipment_id: String(answer.fields.shipment_id),
    phone,
  };
  for (const channel of [undefined, 'voice']) {
    const one = fields.find((some) => some.channel === channel);
    assert.ok(one, `nothing was told of ${channel ?? 'the SMS'}`);
    const { external_id, status, shipment_id, phone: number } = one;
    assert.deepEqual({ external_id, status, shipment_id, phone: number }, common);
  }
});

test('what was busy at night rings again in the morning of the account’s time zone', {
  ...covers('B3.retries'),
  timeout: 60_000,
}, async () => {
  const { clock } = service.appContext;
  const hourOf = (time: number) => Number(formatLocal(time, zone).slice(9, 11));
  // To 23 o'clock, and a call that somebody wants now.
  await service.advance(((23 - hourOf(clock.now()) + 24) % 24) * 3_600);
  const answer = await service.call('json', 'sms', {
    source: 'Shop',
    destinations: { phone: '0503360001' },
    message: 'Hi',
    tts: { type: 4, repeat: 1 },
  });
  await waitFor('the first try', async () => (await legsOf(service, answer))[0]!.code === 'BUSY/486');
  const [batch] = await waitFor('the batch of the second', async () => {
    const rows = await service.sql<{ due_at: number }[]>`
      SELECT due_at FROM dispatch_batches WHERE channel = 3 AND attempt = 1`;
    return rows.length > 0 && rows;
  });
  assert.match(formatLocal(batch!.due_at, zone), / 09:00$/);
  assert.ok(batch!.due_at > clock.now());
  assert.equal((await legsOf(service, answer))[0]!.phone, stored('0503360001'));
});

test('the description of the service has ttsDlr', async () => {
  const response = await fetch(`${service.url}/docs/openapi.json`);
  const document = (await response.json()) as { paths: Record<string, unknown> };
  assert.ok(document.paths['/api#ttsDlr']);
});
