import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import type { ServiceStatus } from '../../server/run/doctor/status.ts';
import { environmentOfRun } from '../support/environment.ts';
import { Installation } from '../support/process.ts';
import { SECRET_KEY } from '../support/secrets.ts';
import { waitFor } from '../support/wait-for.ts';

/* An operator watches a service on the embedded database while it starts, stops and starts again. */

const installation = new Installation();

type Look = Partial<ServiceStatus> & { readonly error?: string };
const looks: Look[] = [];
const child = spawn(process.execPath, ['server/main.ts', 'status', '--watch', '--json'], {
  env: { ...environmentOfRun, DATA_DIR: installation.folder, SECRET_KEY, LOG_LEVEL: 'error' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(child, 'exit');
after(async () => {
  child.kill('SIGINT');
  await ended;
});
createInterface(child.stdout).on('line', (line) => looks.push(JSON.parse(line) as Look));

const isRunning = ({ processes = [] }: Look) => processes.some(({ roles }) => roles !== null);
const look = (what: string, matches: (look: Look) => boolean) =>
  waitFor(what, () => {
    assert.equal(child.exitCode, null, 'the watch goes on');
    return looks.some(matches);
  });

test('status --watch waits for a service, does not block a start, and continues after a stop', async () => {
  for (const start of ['first', 'second']) {
    await look('the watch says that no service runs', ({ error = '' }) => /no service runs/.test(error));
    looks.length = 0;
    const program = await installation.start({ ready: false });
    await look(`the watch shows the ${start} start`, isRunning);
    looks.length = 0;
    await program.stop();
  }
});
