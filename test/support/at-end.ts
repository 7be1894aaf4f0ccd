import { after } from 'node:test';

const steps: (() => Promise<void>)[] = [];

/** Does this at the end of the file, before what was set up earlier is undone: while its database is still there. */
export function atEnd(step: () => Promise<void>): void {
  steps.push(step);
}

// In the opposite order: hooks run in the order in which they were made, and a server must not stop before its databases
// are dropped.
after(async () => {
  const problems: unknown[] = [];
  // One that fails does not leave the others standing: the process would not end.
  for (const step of steps.reverse()) await step().catch((problem: unknown) => problems.push(problem));
  if (problems.length > 0) throw problems.length === 1 ? problems[0] : new AggregateError(problems);
});
