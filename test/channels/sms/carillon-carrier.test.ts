import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readyAt, settingsOf, startConnector } from '../../protocols/http-carrier/support.ts';
import { newPhone } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/* One service sends through another by the ready description of `POST /api`. */

const service = await startTestService();
const settings = settingsOf({
  description: readyAt('carillon', service.url),
  secrets: { token: DEMO_TOKEN, username: 'demo', webhook: 'whsec_c2VjcmV0' },
});

test('a message reaches the phone, and a repeated request sends nothing', async (t) => {
  const { send } = startConnector(t, settings);
  const phone = newPhone();
  const message = { id: 9_001, destination: `972${phone.slice(1)}`, payload: 'Through another service "ש"' };
  assert.deepEqual(await send(message), { kind: 'accepted', carrierIds: ['9001'] });
  assert.deepEqual(await send(message), { kind: 'accepted', carrierIds: ['9001'] });
  await waitFor('the message', async () => (await service.phone(phone)).length > 0);
  // A copy would have been accepted before this message.
  const later = newPhone();
  await send({ ...message, id: 9_002, destination: `972${later.slice(1)}` });
  await waitFor('the later message', async () => (await service.phone(later)).length > 0);
  assert.deepEqual(
    (await service.phone(phone)).map(({ text, from }) => [text, from]),
    [[message.payload, 'Shop']],
  );
});

test('a wrong token takes the connector down', async (t) => {
  const secrets = { ...settings.secrets, token: 'another' };
  const { send, connector } = startConnector(t, { ...settings, secrets });
  assert.deepEqual(await send({ id: 9_003 }), { kind: 'again' });
  assert.equal(connector.fault?.reason, 'access');
});
