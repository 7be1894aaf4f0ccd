import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { processCount } from '../../server/commands/processes/count.ts';
import { type Capacity, type Costs, type Load, simulate } from '../capacity/service.ts';
import { BULK_SIZE, type Kind, Traffic, told } from '../support/compared.ts';
import { type Field, type Flow, flow, quiet } from '../support/field.ts';
import { median } from '../support/statistics.ts';
import { type Carillon, startCarillon } from '../systems/carillon.ts';

export interface CapacityOptions {
  readonly field: Field;
  readonly folder: string;
  readonly rounds: number;
  readonly messages: number;
  readonly progress: (line: string) => void;
}

/** Measured cost of messages at one rate. */
interface Cost {
  readonly kind: Kind;
  /** µs a message. */
  readonly server: number;
  readonly postgres: number;
  /** Messages of a transaction that accepts, and of one that stores results. */
  readonly accepted: number;
  readonly recorded: number;
}

export interface CapacityBench {
  readonly costs: readonly Cost[];
  /** Duration of a flush, µs. */
  readonly flush: number;
  readonly rows: readonly { readonly load: Load; readonly kind: Kind; readonly capacity: Capacity }[];
}

const CORES = [2, 4, 8, 16, 32];
/** Requests of single messages per second: groups of one, of a few, and as large as 50 connections allow. */
const RATES = [150, 1_000, undefined];
const FLUSHES = 300;
/** CPU of PostgreSQL for each account of a transaction, µs (docs/decisions/0004-groups-of-accounts.md). */
const ACCOUNT = 25;

/**
 * Measures what a message and a transaction cost on this machine, and simulates machines with more cores. See `costsOf` and
 * bench/capacity/service.ts for what the model contains.
 */
export async function capacity(options: CapacityOptions): Promise<CapacityBench> {
  const { field, folder, rounds, messages, progress } = options;
  const carillon = await startCarillon({
    smscPort: field.smscPort,
    callbackPort: field.callbackPort,
    folder: join(folder, 'capacity'),
  });
  const traffic = new Traffic();
  progress('warming up');
  await flow(field, carillon, traffic.plan('single', messages / 2));
  await flow(field, carillon, traffic.plan('bulk', messages));
  const costs: Cost[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const rate of RATES) {
      // At a low rate, 20 seconds are enough.
      const count = rate === undefined ? messages : Math.min(messages, 20 * rate);
      costs.push(await measure(options, carillon, 'single', { ...traffic.plan('single', count), rate }));
    }
    costs.push(await measure(options, carillon, 'bulk', traffic.plan('bulk', 2 * messages)));
  }
  await carillon.stop();
  const flush = await measureFlush(folder);
  progress(`a flush takes ${Math.round(flush)} µs`);
  const rows = (['single', 'bulk'] as const).flatMap((kind) => {
    const costsOfKind = costsOf(costs, kind, flush);
    return [1, 1_000].flatMap((accounts) =>
      CORES.map((cores) => {
        const processes = processCount({ PROCESSES: 'auto', DATABASE_URL: undefined }, cores);
        const size = kind === 'single' ? 1 : BULK_SIZE;
        const load = { cores, processes, accounts, size, connections: kind === 'single' ? 100 : 4 };
        return { load, kind, capacity: simulate(costsOfKind, load) };
      }),
    );
  });
  return { costs, flush, rows };
}

async function measure(
  { field, progress }: CapacityOptions,
  carillon: Carillon,
  kind: Kind,
  plan: Parameters<typeof flow>[2],
): Promise<Cost> {
  await quiet(field, [carillon]);
  const counts = async () => ({
    accepted: await carillon.metric('carillon_accept_seconds_count'),
    recorded: await carillon.metric('carillon_record_seconds_count'),
  });
  const before = await counts();
  const measured: Flow = await flow(field, carillon, plan);
  const after = await counts();
  const { cpuPerThousand, messages } = measured;
  const cost = {
    kind,
    server: cpuPerThousand.server! * 1_000,
    postgres: cpuPerThousand.postgres! * 1_000,
    accepted: messages / (after.accepted - before.accepted),
    recorded: messages / (after.recorded - before.recorded),
  };
  const groups = `groups of ${cost.accepted.toFixed(1)} and ${cost.recorded.toFixed(1)}`;
  progress(told({ kind, label: groups, isBase: true, flows: [measured] }));
  return cost;
}

/** Returns the median duration of a small write with fdatasync, in µs: PostgreSQL does the same at a commit. */
async function measureFlush(folder: string): Promise<number> {
  await using file = await open(join(folder, 'flush'), 'w');
  const bytes = Buffer.alloc(8_192, 1);
  await file.write(Buffer.alloc(FLUSHES * bytes.length));
  const times: number[] = [];
  for (let n = 0; n < FLUSHES; n++) {
    const start = performance.now();
    await file.write(bytes, 0, bytes.length, n * bytes.length);
    await file.datasync();
    times.push((performance.now() - start) * 1_000);
  }
  return median(times);
}

/**
 * Derives the CPU of a message and of a transaction, by least squares over the rates: `cpu = message + transaction × (1 / accepted +
 * 1 / recorded)`. `bulk` has one rate, so its transactions cost as much as those of single messages. The shares of the steps of
 * a message are approximate; they hardly change the result, since one thread does all of them. Accepting has half of the time
 * of PostgreSQL, in which the wallet is locked.
 */
function costsOf(costs: readonly Cost[], kind: Kind, flush: number): Costs {
  const singles = costs.filter((cost) => cost.kind === 'single');
  const own = costs.filter((cost) => cost.kind === kind);
  const fitted = (part: 'server' | 'postgres') => {
    const transaction = Math.max(0, slopeOf(singles.map((cost) => [transactions(cost), cost[part]])));
    const messages = own.map((cost) => cost[part] - transaction * transactions(cost));
    return { transaction, message: Math.max(1, median(messages)) };
  };
  const server = fitted('server');
  const postgres = fitted('postgres');
  const requests = kind === 'single' ? 0.4 * server.message : 0;
  const rest = server.message - requests;
  const half = { group: postgres.transaction, message: postgres.message / 2 };
  return {
    // A request of `bulk` is read with its messages.
    request: kind === 'single' ? requests : 200,
    accept: { server: { group: server.transaction, message: rest * 0.3 }, postgres: half, account: ACCOUNT },
    submit: rest * 0.3,
    results: { server: { group: server.transaction, message: rest * 0.1 }, postgres: half, account: ACCOUNT },
    callback: rest * 0.3,
    flush,
  };
}

/** Transactions per message. */
const transactions = ({ accepted, recorded }: Cost) => 1 / accepted + 1 / recorded;

/** Returns the slope of the line of least squares through points. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const x = mean(points.map(([at]) => at));
  const y = mean(points.map(([, value]) => value));
  const variance = mean(points.map(([at]) => (at - x) ** 2));
  return mean(points.map(([at, value]) => (at - x) * (value - y))) / variance;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
