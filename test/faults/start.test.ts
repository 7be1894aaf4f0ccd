import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createDatabase } from '../support/database.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { Installation } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';

/* Starts that meet something that is not as it should be. */

test('a start finds the killed postmaster still in the process table, and starts another', async (t) => {
  if (process.platform !== 'linux') return t.diagnostic('needs /proc');
  const installation = new Installation();
  const first = await installation.start({ ready: false });
  const postmaster = installation.postmaster()!;
  assert.ok(postmaster);
  // Its parent stands still and reads no child's end: what was killed stays in the table.
  process.kill(first.pid, 'SIGSTOP');
  process.kill(postmaster, 'SIGKILL');
  const second = await installation.start({ ready: false });
  assert.notEqual(installation.postmaster(), undefined);
  assert.notEqual(installation.postmaster(), postmaster);
  await first.kill();
  assert.deepEqual(await second.stop(), { code: 0, signal: null });
});

test('a start that has to wait says for what', async () => {
  const { target } = await createDatabase();
  const proxy = await DatabaseProxy.start(join(target.host, `.s.PGSQL.${target.port}`));
  after(() => proxy.stop());
  proxy.holdNew();
  const installation = new Installation({
    DATABASE_URL: `postgres://carillon:${encodeURIComponent(target.password)}@127.0.0.1:${proxy.port}/${target.database}`,
  });
  let output = () => '';
  const starting = installation.start({
    ready: false,
    spawned: (said) => {
      output = said;
    },
  });
  await waitFor('it says what it waits for', () => /the start waits: the database answers/.test(output()));
  proxy.resume();
  const program = await starting;
  assert.deepEqual(await program.stop(), { code: 0, signal: null });
});
