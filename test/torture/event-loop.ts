import { run } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { MachineOptions, MachineResult } from './machine.ts';

/*
 * The watch on the event loop in its full form: each text of each body in forty ways, every structure of JSON at every
 * route, files and mails as large as they may be. Takes 19 minutes on two shared cores, and ends earlier with its time:
 *
 *     npm run torture -- --only event-loop --minutes 30
 */

/** When the suite ends: set by the machine, asked by its tests (event-loop-suite.ts). */
export const suiteTime: Pick<MachineOptions, 'isOver'> = { isOver: () => false };

/** Runs the suite in this process. Checks that did not run in time are counted and are not failures. */
export async function runEventLoop(options: MachineOptions): Promise<MachineResult> {
  Object.assign(suiteTime, { isOver: options.isOver });
  const counts = { checks: 0, 'checks without time': 0 };
  const failures: string[] = [];
  const files = [fileURLToPath(new URL('event-loop-suite.ts', import.meta.url))];
  for await (const { type, data } of run({ files, isolation: 'none' })) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    // A suite fails for its tests, which are reported too.
    if (data.details.type === 'suite' && !isOwnFailure(data.details)) continue;
    if (type === 'test:fail') failures.push(`${data.name}: ${describe(data.details.error)}`);
    if (data.skip === undefined) counts.checks++;
    else counts['checks without time']++;
    if (counts.checks % 50 === 0) options.progress?.(`${counts.checks} checks`);
  }
  if (counts.checks === 0) failures.push('no check was made');
  return { rows: counts, failures };
}

const isOwnFailure = (details: object) =>
  'error' in details && (details.error as { failureType?: string }).failureType !== 'subtestsFailed';

const describe = (error: Error & { cause?: unknown }) =>
  error.cause instanceof Error ? error.cause.message : error.message;
