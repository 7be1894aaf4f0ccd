import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findPlace, makeSocketFolder } from '../../server/database/embedded-files.ts';
import { Installation } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';

/* A PostgreSQL that outlived its process, as an earlier version of the program started it. */

const installation = new Installation({ SANDBOX: 'on' });
const place = await findPlace(installation.folder);
const cluster = join(place.folder, 'postgres');
const postmaster = () => {
  try {
    return Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  } catch {
    return undefined;
  }
};

test('a PostgreSQL of an earlier version is restarted with the settings that this one needs', async () => {
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${await makeSocketFolder(place)}`,
    'wal_level=minimal',
    'max_wal_senders=0',
    'fsync=on',
  ];
  const args = ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])];
  spawn(place.binaries.postgres, args, {
    ...place.as,
    cwd: place.folder,
    detached: true,
    stdio: 'ignore',
  }).unref();
  await waitFor('the server of the earlier version runs', () => postmaster() !== undefined);
  const earlier = postmaster();
  const program = await installation.start();
  const warning = program
    .output()
    .split('\n')
    .find((line) => line.includes('restarting it'));
  assert.match(warning ?? '', /wal_level is minimal, needs replica/);
  const restarted = postmaster();
  assert.notEqual(restarted, earlier);
  await installation.command('backup', join(installation.folder, 'backup.tar.gz'));

  await program.kill();
  const again = await installation.start();
  assert.doesNotMatch(again.output(), /restarting it/);
  assert.equal(postmaster(), restarted, 'a server with the same settings is adopted');
  await again.stop();
});
