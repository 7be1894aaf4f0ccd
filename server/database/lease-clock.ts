import type { Clock } from '../kit/clock.ts';
import type { Logger } from '../kit/observability/log.ts';
import { sharedGauge } from '../kit/observability/metrics.ts';
import type { Sql } from './connection.ts';

/** Milliseconds between two measurements while the clock is used. */
const MEASURE_MS = 1_000;
/** Maximum round trip in milliseconds of a measurement that replaces one younger than `STALE_MS`. */
const MAX_ROUND_TRIP_MS = 500;
const STALE_MS = 30_000;
/** Milliseconds by which the clock of a machine may differ from the database's. */
const MAX_DIFFERENCE_MS = 1_000;

const difference = sharedGauge(
  'max',
  'carillon_clock_difference_seconds',
  'Clock of this machine minus the clock of the database. Leases use the clock of the database.',
);

/** Reads the machine's clock and the monotonic clock, in milliseconds. */
interface MachineClocks {
  readonly wall: () => number;
  readonly monotonic: () => number;
}

/**
 * The database's clock, for leases: all processes compare `lease_until` with one clock, however wrong the clocks of
 * their machines are. It is the monotonic clock plus an offset, which is measured when a database opens and again at
 * most once a second while the clock is read. Statements get the time as a parameter, because a distributed PostgreSQL
 * does not allow the function in UPDATE and DELETE (docs/decisions/0005-sql-that-can-be-distributed.md). Before the
 * first measurement it is the machine's clock.
 */
export class LeaseClock implements Clock {
  readonly #clocks: MachineClocks;
  readonly #databases = new Map<Sql, Logger | undefined>();
  #offset: number | undefined;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #triedAt = Number.NEGATIVE_INFINITY;
  #difference = 0;
  #isTold = false;

  constructor(clocks: MachineClocks = { wall: () => Date.now(), monotonic: () => performance.now() }) {
    this.#clocks = clocks;
  }

  /** Measures the clock of a database now and repeatedly until `leave`. Rejects with errors of the database. */
  async follow(sql: Sql, log?: Logger): Promise<void> {
    this.#databases.set(sql, log);
    await this.#measure(sql, log);
  }

  /** Stops measuring a database, which closes. */
  leave(sql: Sql): void {
    this.#databases.delete(sql);
  }

  /** Current time of the database, in milliseconds since the epoch. */
  now(): number {
    const now = this.#clocks.monotonic();
    if (now - this.#triedAt >= MEASURE_MS) this.#measureAgain(now);
    return this.#offset === undefined ? this.#clocks.wall() : Math.round(now + this.#offset);
  }

  /** The same from the last measurement, without starting a new one; undefined before the first. */
  get measured(): number | undefined {
    return this.#offset === undefined ? undefined : Math.round(this.#clocks.monotonic() + this.#offset);
  }

  /** The machine's clock minus the database's, in milliseconds, if that is more than a second; else undefined. */
  get problem(): number | undefined {
    return Math.abs(this.#difference) > MAX_DIFFERENCE_MS ? this.#difference : undefined;
  }

  #measureAgain(now: number): void {
    this.#triedAt = now;
    const [last] = [...this.#databases].slice(-1);
    // The offset stays the same during a database outage.
    if (last) this.#measure(...last).catch(() => {});
  }

  async #measure(sql: Sql, log: Logger | undefined): Promise<void> {
    const { wall, monotonic } = this.#clocks;
    const sentAt = monotonic();
    this.#triedAt = sentAt;
    const [row] = await sql<{ now: number }[]>`
      SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`;
    const now = monotonic();
    const roundTripMs = now - sentAt;
    if (roundTripMs > MAX_ROUND_TRIP_MS && now - this.#measuredAt < STALE_MS) return;
    this.#measuredAt = now;
    // The server answers in the middle of the round trip, with an error of at most half of it.
    this.#offset = row!.now - (sentAt + now) / 2;
    const apart = wall() - (now + this.#offset);
    const uncertain = Math.min(Math.abs(apart), roundTripMs / 2);
    this.#difference = Math.round(apart - Math.sign(apart) * uncertain);
    difference.set(this.#difference / 1_000);
    this.#tell(log);
  }

  #tell(log: Logger | undefined): void {
    const { problem } = this;
    if ((problem !== undefined) === this.#isTold) return;
    this.#isTold = problem !== undefined;
    if (problem !== undefined)
      log?.error(
        { milliseconds: problem },
        "the clock of this machine differs from the database's: set it by NTP",
      );
    else log?.info("the clock of this machine agrees with the database's again");
  }
}

/** Clock of the database that this process has open. */
export const leaseClock = new LeaseClock();

/**
 * Returns a text about the wrong clock of this machine; undefined when it agrees with the database's clock within a
 * second.
 */
export function clockDifference(): string | undefined {
  const { problem } = leaseClock;
  if (problem === undefined) return undefined;
  const seconds = (Math.abs(problem) / 1_000).toFixed(1);
  return `the clock of this machine is ${seconds} s ${problem > 0 ? 'ahead of' : 'behind'} the database's`;
}
