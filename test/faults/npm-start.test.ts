import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { environmentOfRun } from '../support/environment.ts';
import { Installation } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';

/* `npm start` as a terminal, a container or a supervisor runs it and ends it: in a process group of its own. */

const root = fileURLToPath(new URL('../..', import.meta.url));
// The first start makes everything, as at the user's.
const installation = new Installation({}, { empty: true });
const { folder } = installation;
const environment = {
  ...environmentOfRun,
  HOME: process.env.HOME ?? '',
  DATA_DIR: folder,
  PORT: '0',
  SANDBOX: 'on',
  SANDBOX_RECEIPT_DELAY_MS: '10',
};

interface Started {
  readonly npm: ChildProcess;
  readonly url: string;
  readonly output: () => string;
  /** How npm ended. */
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
}

async function npmStart(): Promise<Started> {
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  after(() => {
    // The group, where something of it is left.
    for (const pid of ours()) process.kill(pid, 'SIGKILL');
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    npm.once('exit', (code, signal) => resolve({ code, signal }));
  });
  await waitFor('the service is ready', () => /Carillon is ready on (\S+)/.test(output), 60_000);
  return { npm, url: /Carillon is ready on (\S+)/.exec(output)![1]!, output: () => output, ended };
}

/** The processes of this start: npm, what is between, Node. PostgreSQL has another environment (`postmaster`). */
function ours(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`DATA_DIR=${folder}`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

async function assertStoppedInOrder({ output }: Started): Promise<void> {
  await waitFor('no process is left', () => ours().length === 0);
  assert.equal(installation.postmaster(), undefined, 'PostgreSQL runs on');
  const log = readFileSync(join(folder, 'postgres', 'log', 'postgres.log'), 'utf8');
  assert.match(log.trimEnd().split('\n').at(-1)!, /database system is shut down/);
  // The end of its output may arrive after the end of the process.
  await waitFor('it says that it stopped', () => /"msg":"stopping"/.test(output()));
  assert.doesNotMatch(output(), /shutdown failed|not finished in time/);
}

const ways: [
  what: string,
  stop: (pid: number) => void,
  npm: { code: number | null; signal: string | null },
][] = [
  ['SIGTERM to npm alone', (pid) => process.kill(pid, 'SIGTERM'), { code: 0, signal: null }],
  ['SIGTERM to the group', (pid) => process.kill(-pid, 'SIGTERM'), { code: 0, signal: null }],
  ['Ctrl-C: SIGINT to the group', (pid) => process.kill(-pid, 'SIGINT'), { code: 0, signal: null }],
  [
    'a closed terminal: SIGHUP to the group',
    (pid) => process.kill(-pid, 'SIGHUP'),
    { code: null, signal: 'SIGHUP' },
  ],
  ['SIGHUP to npm alone', (pid) => process.kill(pid, 'SIGHUP'), { code: null, signal: 'SIGHUP' }],
  ['kill -9 of npm', (pid) => process.kill(pid, 'SIGKILL'), { code: null, signal: 'SIGKILL' }],
];

for (const [what, stop, ending] of ways) {
  test(`${what}: the service stops in order, and nothing is left of it`, async () => {
    const started = await npmStart();
    assert.equal((await fetch(`${started.url}/healthz`)).status, 200);
    stop(started.npm.pid!);
    assert.deepEqual(await started.ended, ending, started.output().slice(-2_000));
    await assertStoppedInOrder(started);
  });
}

test('SIGTERM while it starts: it ends all the same, and PostgreSQL with it', async () => {
  const npm = spawn('npm', ['start'], { cwd: root, env: environment, detached: true, stdio: 'ignore' });
  const ended = new Promise<number | null>((resolve) => npm.once('exit', (code) => resolve(code)));
  await waitFor('PostgreSQL is being started', () => installation.postmaster() !== undefined, 60_000);
  process.kill(npm.pid!, 'SIGTERM');
  assert.equal(await ended, 0);
  await waitFor('no process is left', () => ours().length === 0 && installation.postmaster() === undefined);
});
