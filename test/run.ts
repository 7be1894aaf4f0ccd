import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildConsole } from '../console/build.ts';
import { filesOfRows, updateDocument } from './conformance/document.ts';
import { startTestServer } from './support/database.ts';

/*
 * Runs the tests against one PostgreSQL of their own; each file makes its own databases on it. Arguments name
 * files or folders below test/ (default: all of them). With --conformance it runs those that the rows of
 * test/conformance/ name, and writes docs/conformance.md from what they gave.
 */
const wanted = process.argv.slice(2);
const conformance = wanted[0] === '--conformance';
const files = conformance
  ? filesOfRows().map((file) => `test/${file}.test.ts`)
  : readdirSync('test', { recursive: true, encoding: 'utf8' })
      .map((file) => `test/${file.replaceAll('\\', '/')}`)
      .filter((file) => file.endsWith('.test.ts'))
      .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
      .sort();
const reporters = ['--test-reporter=spec', '--test-reporter-destination=stdout'];
const folder = mkdtempSync(join(tmpdir(), 'carillon-outcomes-'));
const outcomes = join(folder, 'outcomes');
if (conformance) {
  reporters.push('--test-reporter=./test/conformance/reporter.ts', `--test-reporter-destination=${outcomes}`);
}
// Once, before files that run side by side would.
if (files.some((file) => /^test\/(?:console|browser|security)\//.test(file))) await buildConsole();
const { server, stop } = await startTestServer();
const runner = spawn(
  process.execPath,
  ['--test', ...reporters, '--test-timeout=180000', '--test-concurrency=3', ...files],
  {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'test', CARILLON_TEST_SERVER: JSON.stringify(server) },
  },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal));
let code = await new Promise<number>((resolve) => runner.once('exit', (status) => resolve(status ?? 1)));
await stop();
if (conformance) {
  const open = await updateDocument(outcomes);
  for (const row of open) console.error(`not shown: ${row}`);
  if (open.length > 0) code = 1;
}
rmSync(folder, { recursive: true });
process.exit(code);
