import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { addAccounts } from '../support/accounts.ts';
import { findCitus } from '../support/citus.ts';
import { type Kind, Traffic } from '../support/compared.ts';
import { type Field, type Flow, flow, quiet } from '../support/field.ts';
import { show } from '../support/statistics.ts';
import { ENDPOINT_SEEN_MS } from '../systems/carillon.ts';
import { COORDINATOR, startOnCluster, WORKER } from '../systems/cluster.ts';
import type { LoadTarget } from '../systems/requests.ts';

const MANY = 1_000;
const LOADS = [
  { kind: 'single', accounts: 1, label: 'one message a request, 1 account' },
  { kind: 'single', accounts: MANY, label: 'one message a request, 1,000 accounts' },
  { kind: 'bulk', accounts: 1, label: '`bulk` of 2,500, 1 account' },
] as const satisfies readonly { kind: Kind; accounts: number; label: string }[];

export interface ClusterOptions {
  readonly field: Field;
  readonly folder: string;
  readonly rounds: number;
  /** Messages per measurement, one per request; `bulk` has twice as many. */
  readonly messages: number;
  /** Numbers of workers to measure; 0 is a plain PostgreSQL. */
  readonly workers: readonly number[];
  readonly shards: number;
  readonly progress: (line: string) => void;
}

/** One load, measured on one database. */
export interface OnDatabase {
  readonly load: string;
  readonly workers: number;
  readonly flows: Flow[];
}

export interface ClusterCost {
  readonly shards: number;
  readonly rows: readonly OnDatabase[];
}

/** Returns the CPU of the database nodes in a flow, in microseconds per message. */
export function databaseCpu({ cpuPerThousand }: Flow): { coordinator: number; workers: number[] } {
  const micros = (name: string) => cpuPerThousand[name]! * 1_000;
  const workers = Object.keys(cpuPerThousand).filter((name) => name.startsWith(WORKER));
  return { coordinator: micros(COORDINATOR), workers: workers.map(micros) };
}

/**
 * Measures the cost of messages on a plain PostgreSQL and on clusters on this machine. Each round creates every
 * database again, since databases running at the same time would share the cores.
 */
export async function cluster(options: ClusterOptions): Promise<ClusterCost | undefined> {
  const { rounds, workers, shards, progress } = options;
  if (findCitus() === undefined) {
    progress('cluster: no PostgreSQL with Citus is installed, see docs/scaling.md');
    return undefined;
  }
  const traffic = new Traffic();
  const rows = LOADS.flatMap(({ label }) =>
    workers.map((count): OnDatabase => ({ load: label, workers: count, flows: [] })),
  );
  for (let round = 1; round <= rounds; round++) {
    for (const count of workers) {
      const flows = await measure(options, traffic, count, `cluster-${count}-${round}`);
      for (const [index, { label }] of LOADS.entries()) {
        const row = rows.find((one) => one.load === label && one.workers === count)!;
        row.flows.push(flows[index]!);
        progress(`round ${round}, ${told(row)}`);
      }
    }
  }
  return { shards, rows };
}

/** Returns the flows of all loads on a database with this many workers. */
async function measure(
  { field, folder, messages, shards }: ClusterOptions,
  traffic: Traffic,
  workers: number,
  name: string,
): Promise<Flow[]> {
  const { smscPort, callbackPort } = field;
  const system = await startOnCluster({
    smscPort,
    callbackPort,
    folder: join(folder, name),
    workers,
    shards,
  });
  const own = system.target as LoadTarget & { kind: 'carillon' };
  const added = await addAccounts(system.coordinator, own, MANY);
  await pause(ENDPOINT_SEEN_MS);
  const send = (load: (typeof LOADS)[number], count: number) =>
    flow(field, system, { ...traffic.plan(load.kind, count), senders: added.slice(0, load.accounts) });
  for (const load of LOADS) await send(load, Math.min(messages, 10_000));
  const flows: Flow[] = [];
  for (const load of LOADS) {
    await quiet(field, [system]);
    flows.push(await send(load, load.kind === 'single' ? messages : 2 * messages));
  }
  await system.stop();
  return flows;
}

/** Returns a progress line about a round. */
function told({ load, workers, flows }: OnDatabase): string {
  const one = flows.at(-1)!;
  const { coordinator, workers: each } = databaseCpu(one);
  const database = [coordinator, ...each].map((value) => show(value)).join(' + ');
  const where = workers === 0 ? 'plain' : `${workers} workers`;
  return `${load}, ${where}: ${show(one.acceptedPerSecond)}/${show(one.endToEndPerSecond)} a second, CPU ${show(one.cpuPerThousand.server! * 1_000)} and database ${database} µs, others ${show(one.otherCores, 2)} cores`;
}
