import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Installation } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * Somebody who can look at a child of the service (as its user, in its core dump, by a fault in it) learns no secret of the
 * service from it; somebody with an account on the machine learns nothing from the database's log.
 */

const CANARY = 'canary-in-the-environment';
const server = fileURLToPath(new URL('../../server/', import.meta.url));

test('children get no setting of the service, and the log of the database is for nobody else', async () => {
  const installation = new Installation({
    SANDBOX: 'on',
    CARILLON_DEMO_TOKEN: `${CANARY}-token-token`,
    VOICE_SPEECH_KEY: CANARY,
    AWS_SECRET_ACCESS_KEY: CANARY,
    LC_CTYPE: 'C.UTF-8',
    VOICE_ENGINE: 'espeak-ng',
    VOICE_ESPEAK: './speaks',
  });
  // A speaker that says what it was given.
  const seen = join(installation.folder, 'seen');
  const speaker = join(installation.folder, 'speaks');
  writeFileSync(speaker, `#!/bin/sh\nenv > ${seen}.new && mv ${seen}.new ${seen}\n`);
  chmodSync(speaker, 0o755);
  // As an earlier version left it.
  mkdirSync(installation.folder, { recursive: true });
  writeFileSync(join(installation.folder, 'postgres.log'), 'STATEMENT: earlier', { mode: 0o644 });
  // The canary in `.env`, too, which the program itself reads into its environment.
  writeFileSync(join(installation.folder, '.env'), `SECRET_OF_DOT_ENV=${CANARY}\n`);

  const program = await installation.start();
  assert.ok(readFileSync(`/proc/${program.pid}/environ`, 'utf8').includes(CANARY), 'the canary is there');

  await waitFor('the speaker was started', () => readdirSync(installation.folder).includes('seen'));
  const environment = readFileSync(seen, 'utf8');
  assert.ok(!environment.includes(CANARY), environment);
  assert.match(environment, /^PATH=/m);
  assert.match(environment, /^LC_CTYPE=C\.UTF-8$/m);

  const children = descendants(program.pid);
  assert.ok(children.length >= 5, `PostgreSQL has processes: ${children.length}`);
  for (const pid of children) {
    const environ = environOf(pid);
    assert.ok(!environ.includes(CANARY), `process ${pid} has ${environ.replaceAll('\0', ' ')}`);
  }

  const sql = await installation.sql();
  const secret = 'a text that nobody may read';
  await assert.rejects(sql`SELECT ${secret}::text::bigint`);
  await assert.rejects(sql.unsafe(`SELECT '${secret}' FROM no_such_table`));
  await assert.rejects(sql.unsafe(`DO $$ BEGIN RAISE WARNING '${secret}'; PERFORM 1/0; END $$`));
  const folder = join(installation.folder, 'postgres', 'log');
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(folder).sort(), ['postgres.log', 'postgres.log.earlier']);
  for (const name of readdirSync(folder))
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
  assert.ok(!readdirSync(installation.folder).includes('postgres.log'));
  const log = readFileSync(join(folder, 'postgres.log'), 'utf8');
  assert.match(log, /ready to accept connections/);
  assert.ok(!log.includes(secret) && !/STATEMENT|no_such_table/.test(log), log);

  // A crash of a session is told with what it was doing.
  const asleep = sql.unsafe(`SELECT pg_sleep(60), '${secret}'`).catch(() => {});
  const busy = () => sql<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'`;
  await waitFor('the session works', async () => (await busy()).length === 1);
  process.kill((await busy())[0]!.pid, 'SIGKILL');
  await asleep;
  await waitFor('the crash is in the log', () =>
    /terminated by signal 9/.test(readFileSync(join(folder, 'postgres.log'), 'utf8')),
  );
  assert.ok(!readFileSync(join(folder, 'postgres.log'), 'utf8').includes(secret));
});

test('programs are started in one place, and processes of our own in another', () => {
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const filesWith = (pattern: RegExp) =>
    files.filter((file) => pattern.test(readFileSync(join(server, file), 'utf8')));
  assert.deepEqual(
    filesWith(/(?:import (?!type\b)[^;]*from|import\(|require\()\s*'(?:node:)?child_process'/),
    ['kit/child-processes.ts'],
  );
  // These have our whole environment. The others that load node:cluster only ask whether they are such a process.
  assert.deepEqual(filesWith(/\b(?:fork|setupPrimary|setupMaster)\(/), ['commands/processes/supervisor.ts']);
});

/** All processes below one. */
function descendants(root: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      // The name, in brackets, may have anything in it.
      const fields = readFileSync(`/proc/${entry}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      parents.set(Number(entry), Number(fields[1]));
    } catch {
      // Gone meanwhile.
    }
  }
  const found = [root];
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child);
  return found.slice(1);
}

/** Its environment; '' when it has ended meanwhile. */
function environOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOENT');
    return '';
  }
}
