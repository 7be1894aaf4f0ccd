import { Gauge } from 'prom-client';
import { counter, gauge, histogram, metrics } from '../kit/observability/metrics.ts';
import type { Sql } from './connection.ts';

/** A pool for the metrics. */
interface Measured {
  readonly state: { readonly open: number; readonly free: number; readonly waiting: number };
  readonly options: { readonly max: number };
}

const pools = new Set<Measured>();

/** Adds a pool to the metrics of this process. */
export const measurePool = (pool: Measured): void => void pools.add(pool);

/** Removes a closed pool from them. */
export const forgetPool = (pool: Measured): void => void pools.delete(pool);

const sum = (value: (pool: Measured) => number) =>
  pools.values().reduce((total, pool) => total + value(pool), 0);

new Gauge({
  name: 'carillon_database_connections',
  help: 'Connections of this process to the database, by state: in use (busy) or not (free).',
  labelNames: ['state'],
  registers: [metrics],
  collect() {
    const free = sum(({ state }) => state.free);
    this.set({ state: 'free' }, free);
    this.set({ state: 'busy' }, sum(({ state }) => state.open) - free);
  },
});

new Gauge({
  name: 'carillon_database_connections_limit',
  help: 'Maximum connections of this process to the database (DATABASE_CONNECTIONS).',
  registers: [metrics],
  collect() {
    this.set(sum(({ options }) => options.max));
  },
});

new Gauge({
  name: 'carillon_database_waiting',
  help: 'Statements and transactions of this process that wait for a connection.',
  registers: [metrics],
  collect() {
    this.set(sum(({ state }) => state.waiting));
  },
});

/** Duration of the write by which a process reports that it is alive: every 10 s, and for each readiness check. */
export const writeSeconds = histogram(
  'carillon_database_write_seconds',
  'Duration of one small write with its commit, every 10 seconds.',
  [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
);

export const writeFailures = counter(
  'carillon_database_write_failures_total',
  'Failed test writes: the database is unavailable, or cannot be written to.',
);

const bytes = gauge(
  'carillon_database_bytes',
  'Size of the database; for a distributed one, of its coordinator.',
);

/** Measures the size of the database. */
export async function measureDatabase(sql: Sql): Promise<void> {
  const [row] = await sql<{ bytes: number }[]>`SELECT pg_database_size(current_database())::float8 AS bytes`;
  bytes.set(row!.bytes);
}
