import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeDatabase, findCitus, makeSchema, startCluster } from '../bench/support/citus.ts';
import { buildConsole } from '../console/build.ts';
import { buildSite } from '../site/build.ts';
import { buildProgram } from '../tools/build-program.ts';
import { updateDocument } from './conformance/document.ts';
import type { Outcome } from './conformance/reporter.ts';
import { filesWithRows } from './conformance/sources.ts';
import { queueFiles, WAITING_PROCESSES } from './groups.ts';
import { sortByNeeds } from './needs.ts';
import { slowestFiles } from './slowest.ts';
import { findChromium } from './support/chromium.ts';
import {
  type CpuGroup,
  cpuTimeOfGroup,
  enterGroup,
  makeCpuGroup,
  makeGroupIn,
  ownGroup,
  removeGroup,
} from './support/cpu-group.ts';
import { newFolder, startTestServer } from './support/database.ts';
import { writeEspeak } from './support/espeak.ts';
import { waitFor } from './support/wait-for.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { testFiles, tierOf } from './tiers.ts';

/*
 * Runs the tests against one PostgreSQL of their own; each file makes its own databases on it. Without arguments it runs the
 * files that `npm test` stands for, with --all every file (tiers.ts). Other arguments are parts of paths below test/, and the
 * files that have one of them run, of whichever tier they are. A run with --all, or of the files alone that cover rows of
 * test/conformance/ (--conformance), writes artefacts/conformance.md and fails if a row is not shown; one without arguments
 * leaves out the rows that files of the other tier show. A run with --all repeats up to six files that failed beside others, and
 * says which: one that passes alone depends on the load. Files that need a program which is not installed are named at the
 * end; with TEST_REQUIRE=all they are a failure. With --cluster first, the databases are distributed over a coordinator and
 * two workers (bench/support/citus.ts).
 */

/** Compiled modules: a process of the tests takes 0.7 instead of 1.2 seconds of CPU to load the service. */
const MODULE_CACHE = join(import.meta.dirname, '../node_modules/.cache/carillon-modules');
/** How many use the processors at once. */
const PROCESSES_AT_ONCE = 4;
const TEST_TIMEOUT_MS = 360_000;
/** How many files a run of all files repeats: more than these do not fail because the machine was busy. */
const MOST_REPEATED = 6;

const CLUSTER = { workers: 2, shards: 4 };

const options = ['--cluster', '--all', '--conformance'] as const;
const wanted = process.argv.slice(2);
const option = options.find((name) => name === wanted[0]);
if (option !== undefined) wanted.shift();
const onCluster = option === '--cluster';
if (onCluster && findCitus() === undefined) {
  console.error('Not run: no PostgreSQL with Citus is installed (docs/scaling.md says what is needed).');
  process.exit(0);
}
const all = testFiles({ onCluster });
const files = filesOf(option);
/** Whether the run tells of the rows of the interface. */
const conformance = !onCluster && wanted.length === 0;
if (files.length === 0) {
  console.error(`no file of tests has ${wanted.join(' or ')} in its path`);
  process.exit(2);
}
const { runnable, missing } = sortByNeeds(files);
const began = performance.now();
const cpu = countRun();
let code = runnable.length > 0 ? await run(runnable) : 0;
if (missing.length > 0) {
  console.error('\nNot run, because a program is not installed:');
  for (const { file, debian } of missing) console.error(`  ${file} (Debian: apt-get install ${debian})`);
  if (process.env.TEST_REQUIRE === 'all') code = 1;
}
process.exit(code);

function filesOf(chosen: (typeof options)[number] | undefined): string[] {
  if (wanted.length > 0) return all.filter((file) => wanted.some((part) => file.includes(part)));
  if (chosen === '--conformance') return filesWithRows().map((file) => `test/${file}`);
  return chosen === undefined ? all.filter((file) => tierOf(file) === 'commit') : all;
}

/** Runs the files, and resolves to the exit code. */
async function run(paths: readonly string[]): Promise<number> {
  const folder = makeTemporaryFolder();
  // For everything that this process and those of the tests make.
  process.env.TMPDIR = folder;
  const outcomes = join(folder, 'outcomes');
  const times = join(folder, 'times');
  const starting = startTestServer();
  await build(paths).catch(async (error: unknown) => {
    await (await starting).stop();
    throw error;
  });
  const { server, seed, cpuTime, stop } = await starting;
  const cluster = onCluster ? await startDistributed() : undefined;
  const espeak = writeEspeak(folder);
  const environment = {
    ...process.env,
    NODE_ENV: 'test',
    NODE_COMPILE_CACHE: MODULE_CACHE,
    CARILLON_TEST_SERVER: JSON.stringify(server),
    CARILLON_TEST_SEED: seed,
    ...(cluster && { CARILLON_TEST_CLUSTER: JSON.stringify(cluster.nodes) }),
    CARILLON_TEST_TIMES: times,
    ...(cpu && { CARILLON_TEST_CPU_GROUP: cpu.group.path }),
    ...(espeak !== undefined && { CARILLON_TEST_ESPEAK: espeak }),
  };
  const ran = await runTests(paths, folder, outcomes, environment);
  const { failed } = ran;
  const isRepeated =
    option === '--all' &&
    failed.length > 0 &&
    failed.length <= MOST_REPEATED &&
    failed.every((file) => paths.includes(file));
  let status = isRepeated ? await repeat(failed, folder, outcomes, environment) : ran.status;
  const timesOfFiles = slowestFiles(times);
  const cpuOfPostgres = cpuTime();
  await stop();
  await cluster?.stop();
  console.log(`\n${timesOfFiles}, and of their PostgreSQL ${(cpuOfPostgres / 1_000).toFixed(1)} s`);
  console.log(`The whole run: ${await wholeRun()}`);
  if (conformance) {
    const open = await updateDocument(
      outcomes,
      option === undefined ? all.filter((file) => tierOf(file) === 'all') : [],
    );
    for (const row of open) console.error(`not shown: ${row}`);
    if (open.length > 0) status = 1;
  }
  rmSync(folder, { recursive: true });
  return status;
}

/**
 * Runs files in processes of `node --test`, and resolves to the exit code and the files that failed. What `paths` has not is the
 * name of something that belongs to none.
 *
 * @param folder gets the programs of the processes
 * @param outcomes gets what the conformance reporter says, a new file
 */
async function runTests(
  paths: readonly string[],
  folder: string,
  outcomes: string,
  env: Record<string, string | undefined>,
): Promise<{ status: number; failed: readonly string[] }> {
  const failures = join(folder, 'failures');
  const runner = spawn(
    process.execPath,
    [
      '--test',
      // Tags of tests (conformance/covers.ts) are experimental, which each process would say.
      '--disable-warning=ExperimentalWarning',
      // Three reporters listen more often than Node expects.
      '--disable-warning=MaxListenersExceededWarning',
      ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
      ...['--test-reporter=./test/failed-files.ts', `--test-reporter-destination=${failures}`],
      ...(conformance
        ? ['--test-reporter=./test/conformance/reporter.ts', `--test-reporter-destination=${outcomes}`]
        : []),
      `--test-timeout=${TEST_TIMEOUT_MS}`,
      `--test-concurrency=${PROCESSES_AT_ONCE + WAITING_PROCESSES}`,
      ...writePrograms(folder, paths),
    ],
    { stdio: 'inherit', env },
  );
  const kill = () => runner.kill();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, kill);
  const status = await new Promise<number>((resolve) => runner.once('exit', (exit) => resolve(exit ?? 1)));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, kill);
  return { status, failed: [...new Set(linesOf(failures))] };
}

/**
 * Runs files again that failed beside others, and resolves to the exit code. Their lines of `outcomes` are replaced; the other
 * parameters are those of `runTests`.
 */
async function repeat(
  files: readonly string[],
  folder: string,
  outcomes: string,
  env: Record<string, string | undefined>,
): Promise<number> {
  console.log(`\nRepeated, because they failed beside others: ${files.join(', ')}`);
  const again = join(folder, 'again');
  mkdirSync(again);
  const others = linesOf(outcomes).filter((line) => {
    const { file } = JSON.parse(line) as Outcome;
    return !files.includes(`test/${file}.test.ts`);
  });
  const { status, failed } = await runTests(files, again, outcomes, env);
  writeFileSync(outcomes, [...others, ...linesOf(outcomes), ''].join('\n'));
  const passed = files.filter((file) => !failed.includes(file));
  if (passed.length > 0) console.log(`\nFailed beside others, and passed alone: ${passed.join(', ')}`);
  return status;
}

function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').filter(Boolean);
}

/**
 * Builds what these files need, once, before files that run side by side would. A few files start the bundle of the program only if it
 * is there already, because building it takes more than their starts from the sources.
 */
async function build(paths: readonly string[]): Promise<void> {
  const servesPages = paths.some((file) => /^test\/(?:console|browser|docs|security)\//.test(file));
  await Promise.all([
    ...(wanted.length === 0 ? [buildProgram()] : []),
    ...(servesPages
      ? [
          buildConsole(),
          // A link that leads nowhere fails test/docs/site.test.ts, and nothing else.
          buildSite().catch(({ message }: Error) => console.error(message)),
        ]
      : []),
  ]);
  if (servesPages) findChromium();
}

/**
 * Has the kernel count this process and all that it starts. Undefined where there is no cgroup of version 2 or the user may
 * not make one: then the times have what processes say of themselves and their children, which is a fourth of a browser.
 */
function countRun(): { group: CpuGroup; before: CpuGroup } | undefined {
  const before = ownGroup();
  const group = makeCpuGroup(`carillon-tests-${process.pid}`);
  const own = group && makeGroupIn(group, 'run');
  if (before && group && own && enterGroup(own)) return { group, before };
  if (group) removeGroup(group);
  return undefined;
}

/** How long the run took, and what it used of the processors; leaves the group of the run. */
async function wholeRun(): Promise<string> {
  const duration = `${((performance.now() - began) / 1_000).toFixed(1)} s`;
  if (!cpu) return `${duration}; its processor time is not known without a cgroup of version 2`;
  const ms = cpuTimeOfGroup(cpu.group);
  enterGroup(cpu.before);
  // A process of a browser may end a moment after the browser.
  await waitFor('the group is removed', () => removeGroup(cpu.group), 2_000).catch(() => {});
  return `${duration}, CPU ${(ms / 1_000).toFixed(1)} s with its start, PostgreSQL and browsers`;
}

/** A cluster whose database is the template of those of the tests. */
async function startDistributed() {
  const folder = newFolder();
  const cluster = await startCluster(folder, { workers: CLUSTER.workers, database: 'carillon' });
  await makeSchema(cluster.nodes[0]!, CLUSTER.shards);
  await closeDatabase(cluster.nodes);
  return {
    nodes: cluster.nodes,
    async stop() {
      await cluster.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Writes the programs of the processes that run these files, each with the queue that it takes files from; their paths. */
function writePrograms(folder: string, paths: readonly string[]): string[] {
  const main = new URL('support/file-group.ts', import.meta.url).href;
  return queueFiles(paths, PROCESSES_AT_ONCE).flatMap(({ files: queued, processes }, number) => {
    const claims = join(folder, `queue-${number}`);
    mkdirSync(claims);
    const text = `import { runFiles } from '${main}';\nawait runFiles(${JSON.stringify(queued)}, '${claims}');\n`;
    return Array.from({ length: processes }, (_, process) => {
      // The runner starts them in the order of their names.
      const path = join(folder, `${String(number).padStart(3, '0')}-${process}.mjs`);
      writeFileSync(path, text);
      return path;
    });
  });
}
