import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from '../../server/database/connection.ts';
import { attachEmbedded, startEmbedded } from '../../server/database/embedded.ts';
import { dataFolder } from '../commands/support.ts';
import { waitFor } from '../support/wait-for.ts';

/* Commands beside each other on a data folder without a running service: one server, which the last of them stops. */

const isRunning = (folder: string) => existsSync(join(folder, 'postgres', 'postmaster.pid'));

test('two commands that start at the same moment share a server, which the last one stops', async () => {
  const folder = dataFolder();
  const [first, second] = await Promise.all([attachEmbedded(folder), attachEmbedded(folder)]);
  const sql = connect(second.target, { max: 1 });
  assert.equal((await sql`SELECT 1`).length, 1);
  await first.stop();
  assert.equal((await sql`SELECT 1`).length, 1);
  const third = await attachEmbedded(folder);
  await sql.end();
  await second.stop();
  assert.ok(isRunning(folder));
  await third.stop();
  assert.ok(!isRunning(folder));
});

test('a command that comes while the last one stops the server starts it again', async () => {
  const folder = dataFolder();
  let last = await attachEmbedded(folder);
  for (let round = 0; round < 5; round++) {
    const [, next] = await Promise.all([last.stop(), attachEmbedded(folder)]);
    const sql = connect(next.target, { max: 1 });
    assert.equal((await sql`SELECT 1`).length, 1);
    await sql.end();
    last = next;
  }
  await last.stop();
  assert.ok(!isRunning(folder));
});

test('a service that starts while a command runs keeps the server when the command ends', async () => {
  const folder = dataFolder();
  const command = await attachEmbedded(folder);
  const service = await startEmbedded(folder);
  const other = await attachEmbedded(folder);
  await command.stop();
  await other.stop();
  const sql = connect(service.target, { max: 1 });
  assert.equal((await sql`SELECT 1`).length, 1);
  await sql.end();
  await service.stop();
  await waitFor('the server is gone', () => !isRunning(folder));
});
