import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../server/database/connection.ts';
import { withToken } from '../api/v1/calls.ts';
import { atEnd, createDatabase } from '../support/database.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/* The operator of the database rotates the password of the service before the service knows the new one (SQLSTATE 28P01). */

const { target, sql } = await createDatabase();
const role = `role_${target.database}`;
await sql.unsafe(`CREATE ROLE ${role} SUPERUSER LOGIN PASSWORD 'first'`);
const admin = connect({ ...target, database: 'postgres' }, { max: 1, application: 'admin' });
atEnd(async () => {
  // The service may have made partitions with it.
  await sql.unsafe(`REASSIGN OWNED BY ${role} TO CURRENT_USER`);
  await admin.unsafe(`DROP ROLE ${role}`);
  await admin.end({ timeout: 1 });
});
const service = await startTestService({
  sandbox: false,
  settings: {
    LOG_LEVEL: 'silent',
    DATABASE_URL: `postgres://${role}:first@localhost:${target.port}/${target.database}?host=${encodeURIComponent(target.host)}`,
  },
});
const { token } = await service.addAccount({ username: 'shop' });

/** Changes the password and ends the sessions, which were opened with the one before. */
async function rotate(password: string): Promise<void> {
  await admin.unsafe(`ALTER ROLE ${role} PASSWORD '${password}'`);
  await admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ${role}`;
}

const balance = () =>
  service
    .post('{"balance": {"user": {"username": "shop"}}}', { token })
    .then(({ http, status }) => ({ http, status }));

test('requests get "try again" while the database refuses the password, and work again afterwards', async () => {
  assert.deepEqual(await balance(), { http: 200, status: 0 });
  await rotate('second');
  assert.deepEqual(await balance(), { http: 200, status: 6 });
  assert.deepEqual(await withToken(service.url, token).refused('GET', '/contact-lists'), [
    'try-again',
    undefined,
    503,
  ]);
  await rotate('first');
  await waitFor('the service signs in again', async () => (await balance()).status === 0);
});
