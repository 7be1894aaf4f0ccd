import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asPerson } from '../../api/v1/calls.ts';
import { newPhone } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';

/** Which steps of its setup an account has done. */
const service = await startTestService({ settings: { VERIFY_SOURCES: 'on' } });
const none = {
  sender_needed: true,
  sender: false,
  send: false,
  contacts: false,
  token: false,
  webhook: false,
};

test('a step is done as soon as the account has one of what it makes, and open again without any', async () => {
  const { id } = await service.addAccount({ username: 'beginners' });
  const owner = await asPerson(service, 'owner', id);
  const steps = () => owner.get<typeof none>('/first-steps');
  const { tokens } = await owner.get<{ tokens: { id: string }[] }>('/tokens');
  assert.deepEqual(await steps(), { ...none, token: true });
  await owner.call('DELETE', `/tokens/${tokens[0]!.id}`);
  assert.deepEqual(await steps(), none);

  await owner.post('/contact-lists', { name: 'Clients' });
  assert.deepEqual(await steps(), { ...none, contacts: true });
  await owner.post('/webhooks', { url: 'http://127.0.0.1:9/events' });
  assert.deepEqual(await steps(), { ...none, contacts: true, webhook: true });
  await service.appContext.sources.approve(id, 'Shop');
  await owner.post('/sms', { source: 'Shop', message: 'first', phones: [newPhone()] }, 202);
  assert.deepEqual(await steps(), { ...none, sender: true, send: true, contacts: true, webhook: true });

  const viewer = await asPerson(service, 'viewer', id);
  assert.deepEqual(await viewer.refused('GET', '/first-steps'), ['not-allowed', undefined, 403]);
});
