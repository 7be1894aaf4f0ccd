import { randomUUID } from 'node:crypto';
import { PROCESS_NUMBERS } from '../kit/ids.ts';
import { texts } from './arrays.ts';
import type { Query, Queryable, Row, Sql } from './connection.ts';
import { leaseClock } from './lease-clock.ts';
import { writeFailures, writeSeconds } from './metrics.ts';

/** Milliseconds without renewal after which a process loses its number. */
const LEASE_MS = 60_000;

/** The number that makes this process's ids unique, held until `release`. */
export interface ProcessNumber {
  readonly number: number;
  /** Identifies this run of the process in leases. */
  readonly boot: string;
  /**
   * Reports that this process is alive. Returns false when the number was lost: the process must create no more ids.
   */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Leases a process number: the one unused for longest, so that ids that a killed process took from the milliseconds
 * ahead are never created twice. Throws when all 64 are in use. `keyIds` returns the secret keys of the process: a
 * rotation waits until all processes have the newest.
 */
export async function takeProcessNumber(
  sql: Sql,
  keyIds: () => readonly string[] = () => [],
): Promise<ProcessNumber> {
  const boot = randomUUID();
  const now = leaseClock.now();
  const taken = await sql.begin(async (tx) => {
    await tx`LOCK TABLE processes IN EXCLUSIVE MODE`;
    const rows = await tx<{ number: number; seen_at: number }[]>`SELECT number, seen_at FROM processes`;
    const seen = new Map(rows.map((row) => [row.number, row.seen_at]));
    const free = Array.from({ length: PROCESS_NUMBERS }, (_, number) => number)
      .filter((number) => (seen.get(number) ?? 0) < now - LEASE_MS)
      .sort((a, b) => (seen.get(a) ?? 0) - (seen.get(b) ?? 0))[0];
    if (free === undefined)
      throw new Error(`${PROCESS_NUMBERS} processes are running on this database already`);
    await tx`
      INSERT INTO processes (number, boot, seen_at, key_ids) VALUES (${free}, ${boot}, ${now}, ${[...keyIds()]}::text[])
      ON CONFLICT (number) DO UPDATE SET boot = excluded.boot, seen_at = excluded.seen_at, key_ids = excluded.key_ids`;
    return free;
  });
  return {
    number: taken,
    boot,
    async renew() {
      const took = writeSeconds.startTimer();
      const rows = await sql`
        UPDATE processes SET seen_at = ${leaseClock.now()}, key_ids = ${[...keyIds()]}::text[]
        WHERE number = ${taken} AND boot = ${boot} RETURNING number`.catch((error: unknown) => {
        writeFailures.inc();
        throw error;
      });
      took();
      return rows.length === 1;
    },
    async release() {
      await releaseNumbers(sql, [boot]);
    },
  };
}

/** Releases the numbers of processes that end, or have ended without doing so. Rejects with errors of the database. */
export async function releaseNumbers(sql: Queryable, boots: readonly string[]): Promise<void> {
  // `seen_at` is set to now minus the lease, so that these numbers are the last to be taken again.
  await sql`UPDATE processes SET seen_at = ${leaseClock.now() - LEASE_MS}, heartbeat_at = NULL WHERE boot = ANY(${texts(boots)}::text[])`;
}

/** Replaces the number of a command that only reads: it has no row in `processes`. */
export const noProcessNumber: ProcessNumber = {
  number: -1,
  boot: 'reader',
  renew: () => Promise.resolve(true),
  release: () => Promise.resolve(),
};

/** A process seen within the last minute. */
interface LivingProcess {
  readonly number: number;
  readonly boot: string;
  /** Ids of its secret keys; it encrypts with the first one. */
  readonly keyIds: readonly string[];
}

/** Returns the condition that a row of `processes` is that of a living process; a killed one counts for another minute. */
export const isLiving = (sql: Queryable): Query<Row[]> => sql`seen_at > ${leaseClock.now() - LEASE_MS}`;

/** Returns the processes that run on this database, including commands; a killed one counts for another minute. */
export async function livingProcesses(sql: Queryable): Promise<LivingProcess[]> {
  const rows = await sql<{ number: number; boot: string; key_ids: string[] }[]>`
    SELECT number, boot, key_ids FROM processes WHERE ${isLiving(sql)} ORDER BY number`;
  return rows.map(({ number, boot, key_ids: keyIds }) => ({ number, boot, keyIds }));
}
