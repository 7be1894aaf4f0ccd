/*
 * `npm run torture -- --minutes 60`: every machine of this folder in turn, each in a separate process, and then one table
 * (docs/reliability.md). `--only` selects machines, `--goal kills=200,fuzz=1000000` ends them earlier, `--seed` repeats a
 * run as far as it does not depend on timing. Exits with 1 when a machine found a violation.
 */
import { execFileSync, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startTestServer } from '../support/database.ts';
import type { MachineResult } from './machine.ts';
import { machines } from './machines.ts';

/** Milliseconds after its time at which a machine that still runs is killed, which counts as a failure. */
const MAX_LATE_MS = 10 * 60_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
    goal: { type: 'string' },
  },
});
const only = values.only?.split(',');
const chosen = machines.filter(({ name }) => only?.includes(name) ?? true);
if (chosen.length === 0)
  throw new Error(`--only: there are the machines ${machines.map(({ name }) => name).join(', ')}`);
/** Kills or inputs after which a machine ends, by its name. */
const goals = new Map(values.goal?.split(',').map((goal) => goal.split('=') as [string, string]));
const seed = Number(values.seed);
const allMs = Number(values.minutes) * 60_000;
const shares = chosen.reduce((sum, { share }) => sum + share, 0);
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
console.log(`seed ${seed}, commit ${commit}, ${values.minutes} minutes`);

const { server, seed: seedFolder, stop } = await startTestServer();
const failures: string[] = [];
const table: Record<string, Record<string, number | string>> = {};
const began = performance.now();
let left = shares;
for (const { name, share } of chosen) {
  // The others share the time that a machine did not use.
  const ms = ((allMs - (performance.now() - began)) * share) / left;
  left -= share;
  const result = await run(name, Math.max(0, ms));
  table[name] = { ...result.rows, failures: result.failures.length };
  failures.push(...result.failures.map((failure) => `${name}: ${failure}`));
  console.log(name, table[name]);
  for (const failure of result.failures) console.log(`FAILED ${name}: ${failure}`);
}
console.log(`\n${'machine'.padEnd(12)} what\n${'-'.repeat(60)}`);
for (const [name, rows] of Object.entries(table)) {
  const text = Object.entries(rows).map(([what, count]) => `${count.toLocaleString('en')} ${what}`);
  console.log(`${name.padEnd(12)} ${text.join(', ')}`);
}
console.log(`seed ${seed}, commit ${commit}, ${((performance.now() - began) / 60_000).toFixed(1)} minutes`);
for (const failure of failures) console.log(`\nFAILED ${failure}`);
await stop();
process.exit(failures.length === 0 ? 0 : 1);

function run(name: string, ms: number): Promise<MachineResult> {
  const child = fork(
    fileURLToPath(new URL('child.ts', import.meta.url)),
    [name, String(seed), String(ms), goals.get(name) ?? 'Infinity'],
    {
      env: {
        ...process.env,
        NODE_ENV: 'test',
        CARILLON_TEST_SERVER: JSON.stringify(server),
        CARILLON_TEST_SEED: seedFolder,
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  return new Promise((resolve) => {
    let result: MachineResult | undefined;
    const timer = setTimeout(() => child.kill('SIGKILL'), ms + MAX_LATE_MS);
    child.on('message', (message) => {
      result = message as MachineResult;
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      const ended = `the machine ended with ${signal ?? code}`;
      resolve(result ?? { rows: {}, failures: [ended] });
    });
  });
}
