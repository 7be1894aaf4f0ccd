import { type Logger, ofOutage } from '../kit/observability/log.ts';
import { counter } from '../kit/observability/metrics.ts';
import { Outage } from '../kit/observability/outages.ts';
import type { Sql } from './connection.ts';
import { ConnectionError, PostgresError } from './errors.ts';
import { isDatabaseTrouble, lacksPartition } from './trouble.ts';

/*
 * Statements that fail because of the state of the database, for example a full disk. Sessions and pools report every one
 * here, so that no caller can hide one: they are counted by SQLSTATE class, and an outage is logged when it begins and ends.
 */

/** The class of SQLSTATE for connections that fail without an answer of the server. */
const CONNECTION_CLASS = '08';

const refusalsTotal = counter(
  'carillon_database_refusals_total',
  'Statements that the database refused because of its own state, by class of SQLSTATE (08: no connection, 53: no resources, such as a full disk)',
  'class',
);
for (const known of [CONNECTION_CLASS, '25', '53', '57', '58']) refusalsTotal.inc({ class: known }, 0);

/** States in which a server answers reads and refuses writes: no resources (53100 is a full disk), read-only. */
const refusesWrites = /^(53|25006$)/;
/**
 * Rolled back because of another transaction, or ended for its duration: the server works, and the statement may be
 * repeated.
 */
const concernsOne = /^(40|25P03$|57014$)/;

/** Milliseconds without any answer of the server after which a pool without a free session means that the server is away. */
const SILENT_MS = 5_000;
/** Time of the last answer of the server, monotonic milliseconds. */
let answeredAt = Number.NEGATIVE_INFINITY;

let logger: Logger | undefined;
const log = () => logger;
const away = new Outage({
  kind: 'database',
  log,
  gone: 'database unavailable',
  back: 'database available again',
});
const writes = new Outage({
  kind: 'database writes',
  log,
  gone: 'database refuses writes',
  back: 'database takes writes again',
});

/** Sets the log for outages of the database. */
export function logRefusals(to: Logger): void {
  logger = to;
}

/** SQLSTATE of an error by which the server refuses writes; undefined for every other error. */
export const writeRefusalOf = (error: unknown): string | undefined =>
  error instanceof PostgresError && refusesWrites.test(error.code) ? error.code : undefined;

/** Records an error of a statement or of a new connection. Errors of the statement itself are ignored. */
export function noteRefusal(error: unknown): void {
  const isAnswer = error instanceof PostgresError;
  if (isAnswer) answeredAt = performance.now();
  if (!isDatabaseTrouble(error) || lacksPartition(error)) return;
  if (error instanceof ConnectionError && error.code === 'CONNECTION_ENDED') return;
  const { code } = error as { code: string };
  refusalsTotal.inc({ class: isAnswer ? code.slice(0, 2) : CONNECTION_CLASS });
  const facts = { sqlstate: isAnswer ? code : undefined, err: error };
  const outage = outageOf(error);
  if (!outage) return;
  outage.failed(facts);
  Object.assign(error as Error, { [ofOutage]: true });
}

/** Returns the outage that an error of a statement or of a new connection belongs to. */
function outageOf(error: unknown): Outage | undefined {
  if (writeRefusalOf(error)) return writes;
  const { code } = error as { code: string };
  // While a pool of this process is exhausted, other statements may work.
  if (code === 'CONNECTION_BUSY')
    return away.isOn || performance.now() - answeredAt >= SILENT_MS ? away : undefined;
  return concernsOne.test(code) ? undefined : away;
}

/** Records that the server executed a statement. */
export function noteAnswer(): void {
  answeredAt = performance.now();
  if (away.isOn) away.worked();
}

/**
 * Tests whether a database that refused writes accepts them again, with a write of 1 MB to its data folder that leaves
 * no data behind: a full disk still accepts small changes of existing rows. Does nothing if no write was refused.
 * Rejects with the error of the database while it refuses.
 */
export async function testRefusedWrites(sql: Sql): Promise<void> {
  if (!writes.isOn) return;
  const testing = sql.begin(async (tx) => {
    // The default tablespace: temporary tables may be on another disk.
    await tx`SET LOCAL temp_tablespaces = ''`;
    await tx`CREATE TEMPORARY TABLE write_test (filler text) ON COMMIT DROP`;
    await tx`INSERT INTO write_test SELECT repeat('x', 1900) FROM generate_series(1, 600)`;
  });
  await testing.catch((error: unknown) => {
    // Without the right to create temporary tables, the next refused write decides.
    if (isDatabaseTrouble(error)) throw error;
  });
  writes.worked();
}
