/*
 * `node test/torture/driver.ts --rounds 1000`: the driver under faults, round after round. Prints a table, and exits with 1
 * when a statement was left without an answer or was answered with what is not true (docs/reliability.md).
 */
import { parseArgs } from 'node:util';
import { runRounds } from './driver-rounds.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    contention: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const seed = Number(values.seed);
console.log(`seed ${seed}`);
const result = await runRounds({
  rounds: Number(values.rounds),
  contention: Number(values.contention),
  seed,
  progress: (line) => console.log(line),
});
const { rounds, failed, unanswered, untrue } = result;
console.table({
  ...rounds,
  rounds: Object.values(rounds).reduce((sum, count) => sum + count, 0),
  statements: result.statements,
  'answered with success': result.answered,
  'answered with an error': Object.values(failed).reduce((sum, count) => sum + count, 0),
  'without an answer': unanswered.length,
  'answered falsely': untrue.length,
  'longest wait, s': Number((result.longestMs / 1_000).toFixed(1)),
  minutes: Number(result.minutes.toFixed(1)),
});
console.log('errors:', failed);
for (const line of [...unanswered, ...untrue].slice(0, 20)) console.log(line);
process.exit(unanswered.length + untrue.length === 0 ? 0 : 1);
