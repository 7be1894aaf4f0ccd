import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildConsole } from '../console/build.ts';
import { filesOfRows, updateDocument } from './conformance/document.ts';
import { sortByNeeds } from './needs.ts';
import { findChromium } from './support/chromium.ts';
import { startTestServer } from './support/database.ts';

/*
 * Runs the tests against one PostgreSQL of their own; each file makes its own databases on it. Arguments name
 * files or folders below test/ (default: all of them). With --conformance it runs those that the rows of
 * test/conformance/ name, and writes docs/conformance.md from what they gave. Files that need a program which is not
 * installed are named at the end; with TEST_REQUIRE=all they are a failure.
 */

/** Compiled modules: a process of the tests takes 0.7 instead of 1.2 seconds of CPU to load the service. */
const MODULE_CACHE = join(import.meta.dirname, '../node_modules/.cache/carillon-modules');
const FILES_AT_ONCE = 3;
const TEST_TIMEOUT_MS = 180_000;

const wanted = process.argv.slice(2);
const conformance = wanted[0] === '--conformance';
const files = conformance ? filesOfRows().map((file) => `test/${file}.test.ts`) : filesBelow(wanted);
if (files.length === 0) {
  console.error(`no file of tests has ${wanted.join(' or ')} in its path`);
  process.exit(2);
}
const { runnable, missing } = sortByNeeds(files);
let code = runnable.length > 0 ? await run(runnable) : 0;
if (missing.length > 0) {
  console.error('\nNot run, because a program is not installed:');
  for (const { file, debian } of missing) console.error(`  ${file} (Debian: apt-get install ${debian})`);
  if (process.env.TEST_REQUIRE === 'all') code = 1;
}
process.exit(code);

function filesBelow(parts: readonly string[]): string[] {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .sort();
}

/** Runs the files, and resolves to the exit code. */
async function run(paths: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-outcomes-'));
  const outcomes = join(folder, 'outcomes');
  const reporters = [
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...['--test-reporter=./test/slowest.ts', '--test-reporter-destination=stdout'],
    ...(conformance
      ? ['--test-reporter=./test/conformance/reporter.ts', `--test-reporter-destination=${outcomes}`]
      : []),
  ];
  // Once, before files that run side by side would.
  if (paths.some((file) => /^test\/(?:console|browser|security)\//.test(file))) {
    await buildConsole();
    findChromium();
  }
  const { server, stop } = await startTestServer();
  const runner = spawn(
    process.execPath,
    [
      '--test',
      ...reporters,
      `--test-timeout=${TEST_TIMEOUT_MS}`,
      `--test-concurrency=${FILES_AT_ONCE}`,
      ...paths,
    ],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        NODE_ENV: 'test',
        NODE_COMPILE_CACHE: MODULE_CACHE,
        CARILLON_TEST_SERVER: JSON.stringify(server),
      },
    },
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => runner.kill(signal));
  let status = await new Promise<number>((resolve) => runner.once('exit', (exit) => resolve(exit ?? 1)));
  await stop();
  if (conformance) {
    const open = await updateDocument(outcomes);
    for (const row of open) console.error(`not shown: ${row}`);
    if (open.length > 0) status = 1;
  }
  rmSync(folder, { recursive: true });
  return status;
}
