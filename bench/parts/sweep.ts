import { join } from 'node:path';
import { Traffic } from '../support/compared.ts';
import { type Field, type Flow, flow, quiet } from '../support/field.ts';
import { show } from '../support/statistics.ts';
import { startCarillon } from '../systems/carillon.ts';
import { kannelVersion, startKannel } from '../systems/kannel.ts';
import type { System } from '../systems/system.ts';

/** Numbers of connections of the load generator. */
const CONNECTIONS = [25, 50, 100, 200, 400] as const;
/** Kannel's maximum of unanswered submit_sm. */
const PENDING = [10, 50, 100, 200, 500] as const;
/** Number of connections for comparing the values of `PENDING`. */
const USUAL_CONNECTIONS = 50;
const WARM_UP = 2_000;

export interface SweepOptions {
  readonly field: Field;
  readonly folder: string;
  readonly rounds: number;
  /** Our messages per measurement; Kannel gets a third. */
  readonly messages: number;
  readonly progress: (line: string) => void;
}

/** Results of one system with this many connections, by round. */
interface Point {
  readonly system: 'Kannel' | 'Carillon';
  readonly connections: number;
  readonly maxPending?: number;
  readonly flows: Flow[];
}

export interface Sweep {
  /** Kannel with each value of max-pending-submits. */
  readonly pending: readonly Point[];
  /** Both systems with each number of connections; Kannel with its best max-pending-submits. */
  readonly connections: readonly Point[];
}

/** Measures both systems, one message per request, with different settings, in alternating rounds. */
export async function sweep(options: SweepOptions): Promise<Sweep> {
  const { field, rounds, messages, progress } = options;
  if (!kannelVersion()) throw new Error('the sweep needs Kannel: see bench/README.md');
  const surroundings = { smscPort: field.smscPort, callbackPort: field.callbackPort };
  const carillon = await startCarillon({ ...surroundings, folder: join(options.folder, 'carillon') });
  const traffic = new Traffic();
  let starts = 0;

  const measure = async (point: Point) => {
    const { connections } = point;
    await quiet(field, [carillon]);
    const isOurs = point.system === 'Carillon';
    const system = isOurs ? carillon : await freshKannel(point.maxPending!);
    const count = isOurs ? messages : Math.ceil(messages / 3);
    const what = isOurs ? 'Carillon' : `Kannel with ${point.maxPending} pending`;
    // A failure of Kannel with a number of connections does not end the sweep: the table shows its number of rounds.
    const measured = await flow(field, system, traffic.plan('single', count, { connections })).catch(
      (error: Error) => {
        if (isOurs) throw error;
        progress(
          `${what}, ${connections} connections: ${error.message} (${(error.cause as Error)?.message})`,
        );
      },
    );
    if (!isOurs) await system.stop();
    if (!measured) return;
    point.flows.push(measured);
    progress(
      `${what}, ${connections} connections: ${show(measured.acceptedPerSecond)}/${show(measured.endToEndPerSecond)} a second, others ${show(measured.otherCores, 2)} cores`,
    );
  };
  // A fresh start each time: the spool and lists of one measurement must not slow down the next.
  const freshKannel = async (maxPending: number): Promise<System> => {
    const folder = join(options.folder, `kannel-sweep-${++starts}`);
    const kannel = await startKannel({ ...surroundings, folder }, maxPending);
    await flow(field, kannel, traffic.plan('single', WARM_UP));
    await quiet(field, [kannel]);
    return kannel;
  };

  progress('warming up');
  await flow(field, carillon, traffic.plan('single', Math.min(messages, 20_000)));
  const pending = PENDING.map(
    (maxPending): Point => ({ system: 'Kannel', connections: USUAL_CONNECTIONS, maxPending, flows: [] }),
  );
  for (let round = 1; round <= rounds; round++) for (const point of pending) await measure(point);
  const best = pending.reduce((a, b) => (bestOf(b) > bestOf(a) ? b : a));
  const points = CONNECTIONS.flatMap((connections): Point[] => [
    { system: 'Kannel', connections, maxPending: best.maxPending!, flows: [] },
    { system: 'Carillon', connections, flows: [] },
  ]);
  for (let round = 1; round <= rounds; round++) for (const point of points) await measure(point);
  await carillon.stop();
  return { pending, connections: points };
}

/** Returns the best round end to end, in messages per second. */
const bestOf = ({ flows }: Point) => Math.max(0, ...flows.map(({ endToEndPerSecond }) => endToEndPerSecond));
