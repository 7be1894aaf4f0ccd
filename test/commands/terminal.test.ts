import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { hostname } from 'node:os';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { environmentOfRun } from '../support/environment.ts';
import { Installation } from '../support/process.ts';
import { SECRET_KEY } from '../support/secrets.ts';
import { waitFor } from '../support/wait-for.ts';

/* A start as a person sees it in a terminal (util-linux `script` makes one), and as a supervisor does. */

const main = fileURLToPath(new URL('../../server/main.ts', import.meta.url));
const { version } = (await import('../../server/kit/version.ts')) as { version: string };

test('in a terminal a start says what runs, where to look and how to stop, and Ctrl-C stops it', async () => {
  const { folder } = new Installation();
  const terminal = spawn('script', ['-qefc', `exec ${process.execPath} ${main} start`, '/dev/null'], {
    cwd: folder,
    env: { ...environmentOfRun, DATA_DIR: folder, PORT: '0', SANDBOX: 'off', SECRET_KEY, NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  after(() => terminal.kill('SIGKILL'));
  let output = '';
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = new Promise((resolve) => terminal.once('exit', resolve));
  await waitFor('it is ready', () => /Stop +press Ctrl-C/.test(output), 60_000);
  const url = /Carillon is ready on (\S+)/.exec(output)![1]!;
  for (const line of [
    `Version   ${version}, roles api, dispatch, jobs`,
    `Database  embedded PostgreSQL in ${folder}`,
    'Carriers  none in the settings',
    `Console   ${url}/`,
  ])
    assert.ok(output.includes(line), output);
  assert.match(output, /^\d\d:\d\d:\d\d info {2}ready url=\S+ roles=api,dispatch,jobs sandbox=false\r$/m);
  assert.doesNotMatch(output, /\{"level"/);
  assert.ok(!output.includes('\u001b'), 'NO_COLOR is respected');
  terminal.stdin.write('\u0003');
  assert.equal(await ended, 0, output);
  assert.match(output, /info {2}stopping reason=SIGINT/);
});

test('elsewhere each line is JSON with host, process, role and version', async () => {
  const installation = new Installation();
  const program = await installation.start({ ready: false });
  const line = program
    .output()
    .split('\n')
    .find((text) => text.includes('"msg":"ready"'))!;
  const { host, process: number, role, version: shown } = JSON.parse(line);
  assert.deepEqual([host, role, shown], [hostname(), 'api,dispatch,jobs', version]);
  assert.ok(Number.isInteger(number));
  assert.doesNotMatch(program.output(), /Ctrl-C/);

  await program.stop();
  const text = await installation.startInVain({ LOG_FORMAT: 'yaml' });
  assert.match(text.output, /LOG_FORMAT must be auto, text or json/);
});
