import { join } from 'node:path';
import type { LoadResult, Plan } from '../children/load.ts';
import { type Compared, KINDS, Traffic, told } from '../support/compared.ts';
import { allCalledBack, type Field, flow, quiet, seen } from '../support/field.ts';
import { type Latency, startProbing, stopProbing } from '../support/probes.ts';
import { type ProcessPlan, startProcesses } from '../systems/processes.ts';

/**
 * A process that sends has a separate connection, so two have twice the window. Two with all roles share one connection: one
 * holds it, and the other hands its messages over.
 */
const SYSTEMS: readonly { readonly label: string; readonly plans: readonly ProcessPlan[] }[] = [
  { label: 'one process', plans: [{ roles: 'api,dispatch,jobs', connector: 'first' }] },
  {
    label: 'two that accept and two that send',
    plans: [
      { roles: 'api', connector: 'first' },
      { roles: 'api', connector: 'first' },
      { roles: 'dispatch,jobs', connector: 'first' },
      { roles: 'dispatch,jobs', connector: 'second' },
    ],
  },
  {
    label: 'two with all roles and one connection',
    plans: [
      { roles: 'api,dispatch,jobs', connector: 'first' },
      { roles: 'api,dispatch,jobs', connector: 'first' },
    ],
  },
];
const WARM_UP = 20_000;

export interface ProcessesOptions {
  readonly field: Field;
  readonly folder: string;
  readonly rounds: number;
  /**
   * Messages per measurement, one per request. `bulk` has twice as many, and the `bulk` during the latency measurement
   * four times.
   */
  readonly messages: number;
  readonly progress: (line: string) => void;
}

export interface ManyProcesses {
  readonly rows: readonly Compared[];
  /** Latency of single messages of another account while a `bulk` is sent. */
  readonly beside: readonly { readonly label: string; readonly latencies: readonly Latency[] }[];
}

/**
 * Measures one process with all roles, two that accept together with two that send, and two with all roles. Each round starts
 * them again, on separate databases, since services running at the same time would share the machine.
 */
export async function processes(options: ProcessesOptions): Promise<ManyProcesses> {
  const { rounds, progress } = options;
  const traffic = new Traffic();
  const measured = SYSTEMS.map(({ label, plans }, index) => ({
    label,
    plans,
    rows: KINDS.map((kind): Compared => ({ kind, label, isBase: index === 0, flows: [] })),
    latencies: [] as Latency[],
  }));
  for (let round = 1; round <= rounds; round++) {
    for (const { label, plans, rows, latencies } of measured) {
      const latency = await measure(options, traffic, { name: `${label} ${round}`, plans, rows });
      for (const row of rows) progress(`round ${round}, ${told(row)}`);
      latencies.push(latency);
    }
  }
  return {
    rows: KINDS.flatMap((kind) => measured.flatMap(({ rows }) => rows.filter((row) => row.kind === kind))),
    beside: measured.map(({ label, latencies }) => ({ label, latencies })),
  };
}

async function measure(
  { field, folder, messages }: ProcessesOptions,
  traffic: Traffic,
  { name, plans, rows }: { name: string; plans: readonly ProcessPlan[]; rows: readonly Compared[] },
): Promise<Latency> {
  const { smscPort, callbackPort } = field;
  const system = await startProcesses(
    { smscPort, callbackPort, folder: join(folder, name.replaceAll(' ', '-')) },
    plans,
  );
  const { target, ports, other } = system;
  for (const kind of KINDS)
    await flow(field, system, { ...traffic.plan(kind, Math.min(messages, WARM_UP)), ports });
  for (const row of rows) {
    await quiet(field, [system]);
    const count = row.kind === 'single' ? messages : 2 * messages;
    row.flows.push(await flow(field, system, { ...traffic.plan(row.kind, count), ports }));
  }
  await quiet(field, [system]);
  const { count } = await seen(field);
  const plan: Plan = { ...traffic.plan('bulk', 4 * messages), target, ports };
  await startProbing(field, other);
  const { refusal } = await field.load.ask<LoadResult>('run', plan);
  if (refusal) throw new Error(`${system.name} refused: ${refusal}`);
  await allCalledBack(field, system.name, count + plan.requests * plan.size);
  const latency = await stopProbing(field);
  await system.stop();
  return latency;
}
