import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TokenScope } from '../../server/api/access/scopes.ts';
import { asPerson, withToken } from '../api/v1/calls.ts';
import { newPhone } from '../support/phones.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * "I have a token, or a job, that somebody will take away": what I leave behind acts for me. Rules, webhook endpoints and campaigns
 * act with the rights that their author has now, and tell no more than their author may read.
 */

const service = await startTestService();
const { url, sql, demo } = service;
const { tokens } = service.appContext;

async function newToken(...scopes: TokenScope[]) {
  const { id, token } = await tokens.mint(demo.id, { scopes });
  return { id, calls: withToken(url, token) };
}

const lowBalance = { name: 'Balance', kind: 'low-balance', thresholds: { below: '1' } };
const recipients = { owners: true };

test('a token that may not read balances of subscribers cannot have an alert rule mail them', async () => {
  const { calls } = await newToken('send');
  const body = { ...lowBalance, recipients, thresholds: { below: '1000000', subscribers: true } };
  assert.deepEqual(await calls.refused('POST', '/alert-rules', body), ['not-allowed', undefined, 403]);
  const own = { ...body, thresholds: { below: '1', subscribers: false } };
  const { id } = await calls.post<{ id: string }>('/alert-rules', own);
  const change = { thresholds: { subscribers: true } };
  assert.deepEqual(await calls.refused('PATCH', `/alert-rules/${id}`, change), [
    'not-allowed',
    undefined,
    403,
  ]);
  const billing = await newToken('send', 'billing');
  await billing.calls.post('/alert-rules', body);
});

/** What acts for its author: how it is made, what shows that it stopped, and how an owner takes it over. */
const kinds = {
  'an alert rule': {
    scopes: ['send'],
    path: '/alert-rules',
    body: { ...lowBalance, recipients, thresholds: { below: '1', subscribers: false } },
    stopped: (row: { stopped: string }) => row.stopped === 'author',
    takeOver: ['PATCH', '', { enabled: true }],
  },
  'a conversation rule': {
    scopes: ['send', 'read'],
    path: '/conversation-rules',
    body: { name: 'Prices', keywords: ['price'], reply_text: 'Soon' },
    stopped: (row: { stopped: string }) => row.stopped === 'author',
    takeOver: ['PATCH', '', { enabled: true }],
  },
  'a webhook endpoint': {
    scopes: ['webhooks'],
    path: '/webhooks',
    body: { url: 'http://127.0.0.1:9/left-behind' },
    stopped: (row: { state: string }) => row.state === 'off',
    takeOver: ['POST', '/enable', undefined],
  },
} as const;

for (const [name, { scopes, path, body, stopped, takeOver }] of Object.entries(kinds)) {
  const isStopped = async (id: string) =>
    (stopped as (row: object) => boolean)(
      await (await asPerson(service, 'owner', demo.id)).get<object>(`${path}/${id}`),
    );

  test(`${name} stops when its token is revoked, and an owner can take it over`, async () => {
    const { id: tokenId, calls } = await newToken(...scopes);
    const { id } = await calls.post<{ id: string }>(path, body);
    assert.equal(await isStopped(id), false);
    await tokens.revoke(tokenId, demo.id);
    await waitFor('it is switched off', () => isStopped(id));
    const entries = await sql<{ action: string }[]>`
      SELECT action FROM audit_log WHERE account_id = ${demo.id} AND object_id = ${id} AND action = 'author lost the right'`;
    assert.equal(entries.length, 1);
    const owner = await asPerson(service, 'owner', demo.id);
    const [method, suffix, change] = takeOver;
    await owner.call(method, `${path}/${id}${suffix}`, change);
    assert.equal(await isStopped(id), false);
    await owner.call('DELETE', `${path}/${id}`);
  });

  test(`${name} stops when its person loses the role`, async () => {
    const owner = await asPerson(service, 'owner', demo.id);
    const { id } = await owner.post<{ id: string }>(path, body);
    await sql`UPDATE people SET role = 'viewer' WHERE id = (SELECT max(id) FROM people WHERE role = 'owner')`;
    await waitFor('it is switched off', () => isStopped(id));
    await (await asPerson(service, 'owner', demo.id)).call('DELETE', `${path}/${id}`);
  });
}

test('an away message stops when its token is revoked, and an owner takes it over by setting it again', async () => {
  const owner = await asPerson(service, 'owner', demo.id);
  const { id: tokenId, calls } = await newToken('send', 'read');
  const path = '/conversation-settings';
  await calls.call('PATCH', path, { away_message: 'Write to me elsewhere' });
  const stopped = async () => (await owner.get<{ away_stopped: string | null }>(path)).away_stopped;
  assert.equal(await stopped(), null);
  await tokens.revoke(tokenId, demo.id);
  await waitFor('it is stopped', async () => (await stopped()) === 'author');
  await owner.call('PATCH', path, { close_after_days: 14 });
  assert.equal(await stopped(), 'author', 'another change does not take it over');
  await owner.call('PATCH', path, { away_message: 'We are closed' });
  assert.equal(await stopped(), null);
  await owner.call('PATCH', path, { away_message: null });
});

test('a scheduled campaign pauses when its token is revoked, and continues when an owner resumes it', async () => {
  const owner = await asPerson(service, 'owner', demo.id);
  const { id: list } = await owner.post<{ id: string }>('/contact-lists', { name: 'All' });
  const phone = newPhone();
  await owner.post(`/contact-lists/${list}/contacts`, { contacts: [{ phone }] });
  const { id: tokenId, calls } = await newToken('send');
  const at = new Date(service.appContext.clock.now() + 3_600_000).toISOString();
  const { shipment_id: id } = await calls.post<{ shipment_id: string }>(
    '/sms',
    { source: 'Shop', message: 'Hello', lists: [list], at },
    202,
  );
  const pausedAt = async () =>
    (await sql<{ paused_at: number | null }[]>`SELECT paused_at FROM shipments WHERE id = ${Number(id)}`)[0]!
      .paused_at;
  await tokens.revoke(tokenId, demo.id);
  await waitFor('it is paused', async () => (await pausedAt()) !== null);
  await owner.post(`/shipments/${id}/resume`);
  const [row] = await sql<{ author_token_id: number | null; author_person_id: number | null }[]>`
    SELECT author_token_id, author_person_id FROM campaigns WHERE id = ${Number(id)}`;
  assert.deepEqual([row!.author_token_id, row!.author_person_id !== null], [null, true]);
  await service.advance(2 * 3_600);
  await waitFor('the message arrives', async () => (await service.phone(phone)).length === 1);
});
