/* One machine in its process: arguments are its name, the seed, its time in milliseconds and its goal. */
import { machines } from './machines.ts';

/** Milliseconds for the cleanup of test resources at the end of the process; after that it ends anyway. */
const UNDOING_MS = 60_000;

const [name, seed, ms, goal] = process.argv.slice(2);
const machine = machines.find((one) => one.name === name)!;
const until = performance.now() + Number(ms);
const result = await machine
  .run({
    seed: Number(seed),
    goal: Number(goal),
    isOver: () => performance.now() >= until,
    progress: (line) => console.error(`${name}: ${line}`),
  })
  .catch((error: Error) => ({ rows: {}, failures: [error.stack ?? error.message] }));
process.send!(result, () => process.disconnect());
setTimeout(() => process.exit(0), UNDOING_MS).unref();
