import { texts } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { type Repeated, repeat } from './repeat.ts';

const KEY = 'sandbox.holder';
/** Milliseconds without renewal after which a process loses the networks to another one. */
const LEASE_MS = 10_000;
const RENEW_MS = 1_000;

/** Ends the lease of the networks if one of these processes has it, which stop or have ended. Rejects with errors of the database. */
export async function endHolding(sql: Sql, owners: readonly string[]): Promise<void> {
  await sql`DELETE FROM state WHERE key = ${KEY} AND value->>'owner' = ANY(${texts(owners)}::text[])`;
}

interface HolderDeps {
  readonly sql: Sql;
  readonly log: Logger;
  /** Identifies this run of the process. */
  readonly owner: string;
  /** Opens the networks. Resolves to a function that closes them. */
  readonly open: () => Promise<() => Promise<void>>;
}

/**
 * Opens the networks in the one process that holds their lease, by the database's clock. Should two processes both
 * assume that they hold it, only one can open the ports.
 */
export class Holder {
  readonly #deps: HolderDeps;
  #close: (() => Promise<void>) | undefined;
  #renewing: Repeated | undefined;
  #told = '';

  constructor(deps: HolderDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#renewing = repeat(
      RENEW_MS,
      () => this.#renew(),
      (error) => this.#warn(error),
    );
  }

  /** Closes the networks and releases the lease, so that another process can take it immediately. */
  async stop(): Promise<void> {
    await this.#renewing?.stop();
    await this.#closeNetworks();
    const { sql, owner } = this.#deps;
    await endHolding(sql, [owner]);
  }

  async #renew(): Promise<void> {
    const { open, log } = this.#deps;
    const isHeld = await this.#hold();
    if (isHeld && !this.#close) {
      this.#close = await open();
      log.info('holding the simulated networks');
    } else if (!isHeld && this.#close) {
      log.warn('another process has taken the simulated networks');
      await this.#closeNetworks();
    }
    this.#told = '';
  }

  async #closeNetworks(): Promise<void> {
    const close = this.#close;
    this.#close = undefined;
    await close?.();
  }

  async #hold(): Promise<boolean> {
    const { sql, owner } = this.#deps;
    const now = leaseClock.now();
    const lease = sql.json({ owner, until: now + LEASE_MS });
    const rows = await sql`
      INSERT INTO state (key, value) VALUES (${KEY}, ${lease})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value
      WHERE state.value->>'owner' = ${owner} OR (state.value->>'until')::bigint < ${now}
      RETURNING key`;
    return rows.length === 1;
  }

  /** Logs each reason once, since the attempt is repeated every second. */
  #warn(error: unknown): void {
    const { message } = error as Error;
    if (message === this.#told) return;
    this.#told = message;
    this.#deps.log.warn({ err: error }, 'the simulated networks cannot be opened (SANDBOX_PORT)');
  }
}
