import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../../support/service.ts';
import { asPerson } from '../v1/calls.ts';

/* SMPP clients of accounts: `/v1/smpp-clients`. */

const service = await startTestService();
const owner = await asPerson(service, 'owner', service.demo.id);

interface Client {
  readonly id: string;
  readonly system_id: string;
  readonly window: number;
  readonly enabled: boolean;
  readonly binds: readonly unknown[];
}

const body = (over: object = {}) => ({
  system_id: `orders-${Math.random().toString(36).slice(2)}`,
  password: 'kT3c0y2v-and-more',
  name: 'Orders',
  ...over,
});
const create = (over?: object) => owner.post<Client>('/smpp-clients', body(over));

test('a client has defaults, and its password is in no answer', async () => {
  const made = await create();
  assert.equal(made.window, 50);
  assert.deepEqual(made.binds, []);
  const { clients } = await owner.get<{ clients: Client[] }>('/smpp-clients');
  assert.ok(clients.some(({ id }) => id === made.id));
  const { text } = await owner.text('GET', `/smpp-clients/${made.id}`);
  assert.doesNotMatch(text, /password|kT3c0y2v/);
  const [row] = await service.sql<{ password: Buffer }[]>`
    SELECT password FROM smpp_clients WHERE id = ${Number(made.id)}`;
  assert.ok(!row!.password.includes('kT3c0y2v'));
});

test('a change keeps the other fields', async () => {
  const { id, system_id } = await create({ window: 10 });
  const changed = await owner.call<Client>('PATCH', `/smpp-clients/${id}`, { enabled: false });
  assert.deepEqual(
    { system_id: changed.system_id, window: changed.window, enabled: changed.enabled },
    { system_id, window: 10, enabled: false },
  );
});

test('a system id belongs to one client of the installation', async () => {
  const { system_id } = await create();
  assert.deepEqual(await owner.refused('POST', '/smpp-clients', body({ system_id })), [
    'bad-field',
    'system_id',
    400,
  ]);
});

test('wrong values are refused by their fields', async () => {
  for (const [field, value] of [
    ['password', 'short'],
    ['password', 'with a space'],
    ['system_id', 'two words'],
    ['addresses', ['somewhere']],
    ['window', 0],
    ['max_binds', 51],
    ['default_source', '+++'],
  ] as const) {
    const [code, named] = await owner.refused('POST', '/smpp-clients', body({ [field]: value }));
    assert.equal(code, 'bad-field');
    assert.ok(named?.startsWith(field), `${field}: ${named}`);
  }
});

test('a deleted client is gone, and clients of other accounts are not found', async () => {
  const { id } = await create();
  const other = await asPerson(service, 'owner', (await service.addAccount({ username: 'other' })).id);
  assert.equal((await other.refused('DELETE', `/smpp-clients/${id}`))[0], 'not-found');
  await owner.call('DELETE', `/smpp-clients/${id}`);
  assert.equal((await owner.refused('GET', `/smpp-clients/${id}`))[0], 'not-found');
});

test('only owners change clients', async () => {
  const manager = await asPerson(service, 'sender', service.demo.id);
  assert.equal((await manager.refused('POST', '/smpp-clients', body()))[2], 403);
});
