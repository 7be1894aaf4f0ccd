import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../server/database/connection.ts';
import { atEnd, serversOf } from '../support/database.ts';
import { readiness } from '../support/process.ts';
import { forms, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* A database that can be read and not written: a standby, or one that its host has made read-only. */

const service = await startTestService({ settings: { LOG_LEVEL: 'silent' } });
const [{ name }] = await service.sql<[{ name: string }]>`SELECT current_database() AS name`;
const servers = await serversOf(service.sql);
const admins = servers.map((server) => connect(server, { max: 1, application: 'admin' }));
for (const one of admins) atEnd(() => one.end({ timeout: 1 }));
const [admin] = admins as [(typeof admins)[number]];

/** Of new sessions; those that there are end. */
async function setReadOnly(isReadOnly: boolean): Promise<void> {
  for (const one of admins) {
    await one`SET default_transaction_read_only = off`;
    await one.unsafe(
      `ALTER DATABASE ${name} SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
    );
    await one`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = ${name} AND pid <> pg_backend_pid()`;
  }
}

const message = { source: 'Carillon', message: 'Hello', destinations: { phone: '0501234567' } };

test('a read-only database: not ready, requests get 6 and leave nothing, and all work continues when it is writable', async () => {
  assert.deepEqual(await readiness(service.url), { ready: true, problems: [] });
  await setReadOnly(true);
  await waitFor('it is not ready', async () => {
    const { ready, problems } = await readiness(service.url);
    return !ready && problems.includes('database: refuses writes (SQLSTATE 25006)');
  });
  for (const form of forms) {
    const answer = await service.call(form, 'sms', message);
    assert.deepEqual([answer.http, answer.status], [200, 6], answer.message);
    // What only reads is answered.
    await waitFor('the balance', async () => (await service.call(form, 'balance', {})).status === 0);
  }
  const [row] = await admin<{ count: number }[]>`SELECT count(*)::int AS count FROM messages`;
  assert.equal(row!.count, 0);
  await setReadOnly(false);
  await waitFor('it is ready again', async () => (await readiness(service.url)).ready);
  await waitFor(
    'a message is accepted',
    async () => (await service.call('json', 'sms', message)).status === 0,
  );
});
