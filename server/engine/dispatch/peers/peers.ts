import { byPlacement, type Placements } from '../../../database/placements.ts';
import type { ProcessNumber } from '../../../database/processes.ts';
import type { Context } from '../../../kit/context.ts';
import { Loop } from '../../../kit/loop.ts';
import { supervise } from '../../../kit/owners.ts';
import { type Lane, lanes } from '../../messages/lanes.ts';
import type { AccountPlan } from '../../messages/store-shipments.ts';
import { releaseLeases } from '../batches.ts';
import { firstAttempt } from '../hand-over.ts';
import type { Permits } from '../permits.ts';
import { otherProcesses } from './addresses.ts';
import {
  DispatcherConnection,
  type LeasedPlan,
  type Need,
  PeerLease,
  placeOf,
} from './dispatcher-connection.ts';
import { peerReturned } from './metrics.ts';

/** Milliseconds between two looks for dispatchers that have started. */
const LOOK_MS = 2_000;

interface PeersDeps extends Pick<Context, 'sql' | 'clock' | 'log'> {
  readonly placements: Placements;
  readonly process: ProcessNumber;
  /** Key of the installation, with which processes prove that they belong to it. */
  readonly key: Buffer;
  /** How long delivery is attempted, in milliseconds. */
  readonly validityMs: number;
}

/**
 * The dispatchers in other processes of this machine, in a process that accepts. Messages that one of them can send now
 * are stored with a lease for it, and go to it over a local socket
 * (docs/decisions/0041-hand-over-between-processes.md).
 */
export class Peers {
  readonly #deps: PeersDeps;
  /** Connections by the process of the dispatcher. */
  readonly #connections = new Map<string, DispatcherConnection>();
  readonly #looks: Loop;
  #living: readonly string[] = [];
  /** Whether some dispatcher has no socket on this machine. */
  #areOthers = true;

  constructor(deps: PeersDeps) {
    this.#deps = deps;
    this.#looks = new Loop({
      owner: 'peers',
      everyMs: LOOK_MS,
      firstMs: 0,
      step: () => this.#look(),
      log: deps.log,
      failed: 'dispatchers of other processes not looked up',
    });
  }

  start(): void {
    this.#looks.start();
  }

  /** Closes the connections, after everything that was sent. */
  async stop(): Promise<void> {
    await this.#looks.stop();
    await Promise.all([...this.#connections.values()].map((connection) => connection.close()));
  }

  /** Whether hints over the connections reach all dispatchers of the database. */
  get areAll(): boolean {
    return !this.#areOthers && this.#living.every((boot) => this.#connections.get(boot)?.isOpen);
  }

  async #look(): Promise<void> {
    const { sql, process, key, log, validityMs } = this.#deps;
    const found = (await otherProcesses(sql, process.boot)).filter(({ dispatches }) => dispatches);
    this.#areOthers = found.some(({ path }) => path === null);
    this.#living = found.map(({ boot }) => boot);
    for (const { boot, path } of found) {
      if (path === null || this.#connections.has(boot)) continue;
      const connection = new DispatcherConnection({
        ...{ path, dispatcher: boot, key, owner: process.boot, log, validityMs },
        closed: () => this.#connections.delete(boot),
      });
      this.#connections.set(boot, connection);
    }
  }

  /** Tells the dispatchers that an account has new work in the database. */
  hint(accountId: number, lane: Lane): void {
    for (const connection of this.#connections.values()) connection.hint(accountId, lane);
  }

  /**
   * Returns a lease for a plan whose messages a dispatcher can send soon, under the conditions of
   * `Dispatcher.leasesFor`; undefined without such a dispatcher.
   */
  leaseFor(
    { accountId, plan: { batches } }: AccountPlan,
    permits: Pick<Permits, 'areReadAnew'>,
  ): PeerLease | undefined {
    if (this.#connections.size === 0 || batches.length === 0) return undefined;
    const needs: Need[] = [];
    for (const { lane, route, heldShipmentId, count } of batches) {
      if (heldShipmentId !== null || lane === lanes.bulk) return undefined;
      if (lane !== lanes.otp && permits.areReadAnew(accountId)) return undefined;
      const place = placeOf(lane, route);
      const known = needs.find((need) => need.place === place);
      if (known) known.count += count;
      else needs.push({ place, lane, count });
    }
    return this.#roomiest(accountId, needs)?.lease(needs);
  }

  /** Returns the connection with the most free places of those that can take all messages. */
  #roomiest(accountId: number, needs: readonly Need[]): DispatcherConnection | undefined {
    let best: DispatcherConnection | undefined;
    let most = 0;
    for (const connection of this.#connections.values()) {
      if (needs.some(({ lane }) => connection.isDue(accountId, lane))) continue;
      const left = Math.min(...needs.map(({ place, count }) => connection.roomIn(place) - count));
      if (left < most) continue;
      best = connection;
      most = left;
    }
    return best;
  }

  /**
   * Sends plans that were stored with leases of `leaseFor` to their dispatchers. Releases the leases of closed
   * connections, whose dispatchers have not got the plans, and calls `released` for their plans.
   */
  take(plans: readonly LeasedPlan[], released: (plan: AccountPlan) => void): void {
    for (const [connection, mine] of Map.groupBy(plans, ({ lease }) => lease.connection)) {
      if (connection.send(mine)) continue;
      this.#release(mine).then(
        () => {
          for (const plan of mine) released(plan);
        },
        (error: unknown) => {
          this.#deps.log.warn(
            { err: error },
            'leases for a dispatcher that has stopped not released: they end in 30 s',
          );
        },
      );
    }
  }

  async #release(plans: readonly LeasedPlan[]): Promise<void> {
    const { sql, clock, placements } = this.#deps;
    const { owner } = plans[0]!.lease;
    const batches = plans.flatMap(({ accountId, plan }) =>
      plan.batches.map(({ id, count }) => ({
        accountId,
        id,
        count,
        epoch: firstAttempt.epoch,
        notBefore: 0,
      })),
    );
    await supervise('peers', async () => {
      for (const some of await byPlacement(placements, batches, ({ accountId }) => accountId))
        await releaseLeases(sql, owner, clock.now(), some);
    });
    peerReturned.inc(batches.reduce((sum, { count }) => sum + count, 0));
  }
}

/** Whether a plan was stored with a lease for another process. */
export const isLeasedToPeer = (plan: AccountPlan): plan is LeasedPlan => plan.lease instanceof PeerLease;
