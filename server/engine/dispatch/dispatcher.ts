import { setTimeout as pause } from 'node:timers/promises';
import type { DueLook } from '../../database/due-look.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { byPlacement, type Placements } from '../../database/placements.ts';
import type { Context } from '../../kit/context.ts';
import { Loop } from '../../kit/loop.ts';
import type { ProcessGroup } from '../../kit/process-roles.ts';
import type { CarrierListener, Connector, ConnectorHolder, ConnectorKind } from '../carriers/carrier.ts';
import type { NumberNetworks } from '../carriers/number-networks.ts';
import { LOOK_UP_ROUTE, type Routing } from '../carriers/routing.ts';
import type { Events } from '../events/events.ts';
import type { PlannedBatch } from '../messages/batch-cutter.ts';
import type { HandOver } from '../messages/hand-over.ts';
import { type Lane, lanes } from '../messages/lanes.ts';
import type { SecretTexts } from '../messages/secret-text.ts';
import type { BatchLease } from '../messages/store-messages.ts';
import type { AccountPlan } from '../messages/store-shipments.ts';
import { storeWaits } from '../messages/waits.ts';
import { type DueMessage, LEASE_MS, type LoadedBatch, releaseLeases } from './batches.ts';
import { LINK_RENEW_MS } from './connector-leases.ts';
import { TELL_MS } from './connector-states.ts';
import { Feeder } from './feeder.ts';
import { batchesOf } from './hand-over.ts';
import type { HeldConnector } from './held-connector.ts';
import { HeldConnectors } from './held-connectors.ts';
import type { Inbound } from './inbound.ts';
import { LOW_WATER, Loader } from './loader.ts';
import { LookUpQueue } from './look-up-queue.ts';
import { Outcomes, type OutcomesDeps } from './outcomes.ts';
import { batchesOfHanded, type HandedPlan } from './peers/handed-plans.ts';
import type { Capacity } from './peers/protocol.ts';
import type { Permits } from './permits.ts';
import { waitsOfReleased } from './postpone.ts';
import { ResumedBatches } from './resumed-batches.ts';
import { RouteQueues } from './route-queues.ts';
import type { Cancelled, CancelledMessages, Paused } from './signals.ts';
import { StoppedShipments } from './stopped-shipments.ts';

const TICK_MS = 250;
/** Maximum accounts in the list of those with older messages, for other processes. */
const MAX_DUE_LISTED = 500;
const noCapacity: Capacity = { routes: [], due: [] };

interface DispatcherDeps
  extends Pick<Context, 'sql' | 'asyncCommitSql' | 'ids' | 'clock' | 'log' | 'channels' | 'tracing'>,
    Pick<OutcomesDeps, 'recorder' | 'receipts' | 'recallsOf' | 'maxCopies' | 'copyPauseMs'> {
  readonly placements: Placements;
  readonly dueLook: DueLook;
  /** Identifies this process in leases. */
  readonly owner: string;
  /** Whether no other process can use the database. */
  readonly isAlone: boolean;
  /** The processes among which connectors with several sessions are divided. */
  readonly group: Pick<ProcessGroup, 'count' | 'index'>;
  /** Connectors that the operator's routes use; they also take messages without a route. */
  readonly carriers: readonly Connector[];
  /** Connectors that take only messages that name them: by a route of their channel, or by their own name. */
  readonly special: readonly Connector[];
  readonly routing: Routing;
  readonly numberNetworks: NumberNetworks;
  readonly inbound: Inbound;
  readonly events: Events;
  readonly secretTexts: SecretTexts;
  /** Applies the sending policies of accounts to messages. */
  readonly permits: Permits;
  /** How long delivery of a message is attempted, in milliseconds. */
  readonly validityMs: number;
}

/**
 * Submits due messages to the connectors: by lane, in turns by account, as fast as the connectors accept them. Only one
 * process has a message at a time. Its outcome goes to the recorder, and only a stored outcome frees capacity for
 * another message.
 */
export class Dispatcher implements HandOver, ConnectorHolder {
  readonly #deps: DispatcherDeps;
  readonly #loader: Loader;
  readonly #connectors: HeldConnectors;
  readonly #queues: RouteQueues;
  readonly #feeder: Feeder;
  readonly #lookUps: LookUpQueue;
  readonly #loaded = new Set<LoadedBatch>();
  /** Ids of the loaded batches, and of ended ones until their end is stored. */
  readonly #mine = new Set<number>();
  /** Batches that ended while this process may have lost their leases, with the time of their retries. */
  readonly #ending = new Map<LoadedBatch, number>();
  readonly #stopped = new StoppedShipments();
  readonly #outcomes: Outcomes;
  readonly #resumed: ResumedBatches;
  #pumping = false;
  #stopping = false;
  readonly #rounds: Loop;
  #renewedAt = 0;
  #heldAt = 0;
  #toldAt = 0;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#connectors = new HeldConnectors({
      ...deps,
      learned: (name) => deps.receipts.learned(name),
      listenerOf: (connector) => this.#listenerOf(connector),
    });
    const connectors = this.#connectors;
    this.#queues = new RouteQueues({ ...deps, connectors });
    this.#outcomes = new Outcomes({
      ...deps,
      stopped: this.#stopped,
      queueOf: (message) => this.#queues.of(message),
      leaves: (connector, message, code) => this.#feeder.leaves(connector, message, code),
      ended: (batch, retryAt) => this.#end(batch, retryAt),
      pump: () => this.#pump(),
    });
    this.#resumed = new ResumedBatches({
      ...deps,
      ready: (batch, messages) => this.#resume(batch, messages),
      lost: (batch) => this.#forget(batch),
    });
    this.#feeder = new Feeder({
      ...deps,
      connectors,
      stopped: this.#stopped,
      outcomes: this.#outcomes,
      resumed: this.#resumed,
    });
    this.#lookUps = new LookUpQueue({ ...deps, found: (message) => this.#found(message) });
    this.#rounds = new Loop({
      owner: 'dispatcher',
      everyMs: TICK_MS,
      step: () => this.#tick(),
      log: deps.log,
      failed: 'dispatcher round failed',
    });
    this.#loader = new Loader({
      ...deps,
      routes: () => this.#queues.open,
      waiting: (route, lane, accountId) => this.#queues.waiting(route, lane, accountId),
      isMine: (batchId) => this.#mine.has(batchId),
      deliver: (batches) => this.#deliver(batches),
    });
  }

  /** Takes the free connectors, and starts dispatching. */
  async start(): Promise<void> {
    await this.#holdConnectors();
    this.#renewedAt = performance.now();
    this.#rounds.start();
    await this.#loader.scanNow();
  }

  /**
   * Returns leases for batches that can be submitted soon: first attempts that cannot be paused and need no rereading,
   * on open routes whose messages in memory are below the refill mark, of accounts without older messages waiting in
   * the database.
   */
  leasesFor(plans: readonly AccountPlan[]): (BatchLease | undefined)[] {
    if (this.#stopping) return [];
    const { owner } = this.#deps;
    const lease = { owner, until: leaseClock.now() + LEASE_MS };
    const rooms = new Map<string, number>();
    const hasRoom = (accountId: number, { lane, route, heldShipmentId, count }: PlannedBatch) => {
      if (heldShipmentId !== null || lane === lanes.bulk || this.#loader.isDue(accountId, lane)) return false;
      if (lane !== lanes.otp && this.#deps.permits.areReadAnew(accountId)) return false;
      const key = `${lane}/${route}`;
      const room = rooms.get(key) ?? this.#roomIn(lane, route);
      rooms.set(key, room - count);
      return room >= count;
    };
    return plans.map(({ accountId, plan: { batches } }) =>
      batches.length > 0 && batches.every((batch) => hasRoom(accountId, batch)) ? lease : undefined,
    );
  }

  /**
   * Takes batches that were stored with a lease. If storing took more than half of the lease, they are claimed again
   * after it has ended.
   */
  take(plans: readonly AccountPlan[]): void {
    this.#deliver(
      plans.flatMap((plan) => (this.#isInTime(plan.lease!.until) ? batchesOf(plan, this.#deps) : [])),
    );
  }

  /** Messages of other processes that this process can take: without any, if it stops or may have lost its leases. */
  get capacity(): Capacity {
    if (this.#stopping || !this.#hasLeases) return noCapacity;
    const open = ['', LOOK_UP_ROUTE, ...this.#deps.routing.names].filter((route) =>
      this.#queues.isServed(route),
    );
    if (open.length === 0) return noCapacity;
    return {
      routes: open.map((route) => [route, this.#roomIn(lanes.otp, route), this.#roomIn(lanes.single, route)]),
      due: [lanes.otp, lanes.single].map((lane) => this.#loader.dueIn(lane, MAX_DUE_LISTED)),
    };
  }

  /** Takes batches that another process stored with a lease for this one, as `take` does. */
  takeHanded(plans: readonly HandedPlan[]): void {
    this.#deliver(
      plans.flatMap((plan) => (this.#isInTime(plan.leaseUntil) ? batchesOfHanded(plan, this.#deps) : [])),
    );
  }

  /** Whether half of a lease is left. Then `#hasLeases` ends no later than the lease, which began before this call. */
  #isInTime(leaseUntil: number): boolean {
    const age = leaseClock.now() + LEASE_MS - leaseUntil;
    if (age >= LEASE_MS / 2) return false;
    this.#renewedAt = Math.min(this.#renewedAt, performance.now() - age);
    return true;
  }

  #roomIn(lane: Lane, route: string): number {
    if (!this.#queues.isServed(route)) return 0;
    return LOW_WATER - this.#queues.waiting(route, lane);
  }

  /** Called when an account has new work in a lane. */
  hint(accountId: number, lane: Lane): void {
    this.#loader.hint(accountId, lane);
  }

  /** Called when some process has new work. */
  hintAny(): void {
    void this.#loader.scanNow();
  }

  /** Takes work and connectors whose leases have just ended. */
  look(): void {
    this.#heldAt = 0;
    this.hintAny();
  }

  /** Removes the messages of a cancelled shipment from its queue. */
  cancelled({ accountId, shipmentIds }: Cancelled): void {
    this.#stopped.cancel(shipmentIds);
    const gone = new Set(shipmentIds);
    const removed = this.#queues.remove(
      (message) => gone.has(message.shipmentId) && message.accountId === accountId,
    );
    for (const message of removed) this.#outcomes.settled(message);
  }

  /** Removes cancelled messages from its queue. */
  cancelledMessages({ accountId, messageIds }: CancelledMessages): void {
    this.#stopped.cancelMessages(messageIds);
    const gone = new Set(messageIds);
    const removed = this.#queues.remove((message) => gone.has(message.id) && message.accountId === accountId);
    for (const message of removed) this.#outcomes.settled(message);
  }

  /**
   * Returns the messages of a paused shipment from memory to the database, as well as those that connectors return.
   */
  paused({ accountId, shipmentId }: Paused): void {
    this.#stopped.pause(shipmentId);
    const removed = this.#queues.remove(
      (message) => message.shipmentId === shipmentId && message.accountId === accountId,
    );
    for (const message of removed) this.#outcomes.putBack(message, 'paused');
  }

  /** Returns the messages of a suspended account from memory to the database, where they rest. */
  suspended(accountId: number): void {
    for (const message of this.#queues.remove((waiting) => waiting.accountId === accountId)) {
      this.#outcomes.putBack(message, 'suspended');
    }
  }

  /** Called when a paused shipment was resumed. */
  resumed({ shipmentId }: Paused): void {
    this.#stopped.resume(shipmentId);
    this.hintAny();
  }

  /** Adds a connector, by default as a route with the connector's name (`kind`). The next round takes its lease. */
  addConnector(connector: Connector, kind: ConnectorKind = 'own'): void {
    this.#connectors.add(connector, kind);
    this.#heldAt = 0;
  }

  /** Removes a connector; messages for it alone stay in the database. */
  async removeConnector(name: string, graceMs = 0): Promise<void> {
    const connector = this.#connectors.take(name);
    if (!connector) return;
    for (const message of this.#queues.removeOwn(name)) this.#outcomes.putBack(message, 'no-connection');
    await this.#connectors.end(connector, graceMs);
  }

  /** Whether this process can dispatch, or other processes hold the connectors and it takes over when they stop. */
  get ready(): boolean {
    return this.#connectors.isReady;
  }

  /** `standby`: other processes hold every connector. */
  get part(): HeldConnectors['part'] {
    return this.#connectors.part;
  }

  /** Connectors whose TLS certificate is rejected, with the fault, if no other connector can take their messages. */
  get blocked(): HeldConnectors['blocked'] {
    return this.#connectors.blocked;
  }

  /** Submits no more messages, waits for those in flight, stores their outcomes, and releases the rest. */
  async stop(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    this.#stopping = true;
    await Promise.race([
      Promise.all([this.#loader.stop(), this.#rounds.stop()]),
      pause(graceMs, undefined, { ref: false }),
    ]);
    const held = await this.#connectors.close(Math.max(0, deadline - performance.now()));
    while (held.some((connector) => connector.unstored > 0) && performance.now() < deadline) await pause(10);
    const left = Math.max(100, deadline - performance.now());
    await Promise.race([this.#deps.recorder.drain(), pause(left, undefined, { ref: false })]);
    await this.#release().catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'leases not returned, others wait until they run out');
    });
  }

  async #release(): Promise<void> {
    const { sql, ids, owner, clock, placements } = this.#deps;
    const now = clock.now();
    for (const batches of await byPlacement(placements, [...this.#loaded], ({ accountId }) => accountId)) {
      await releaseLeases(sql, owner, now, batches);
      await storeWaits(sql, waitsOfReleased(batches, now, ids));
    }
    await this.#connectors.release();
  }

  async #tick(): Promise<void> {
    try {
      const now = performance.now();
      if (now - this.#heldAt >= LINK_RENEW_MS) await this.#holdConnectors();
      if (now - this.#renewedAt >= LEASE_MS / 3) await this.#renewLeases();
      if (now - this.#toldAt >= TELL_MS) await this.#tell();
      await this.#loader.scan();
      await this.#deps.receipts.retryEarly();
    } finally {
      this.#pump();
    }
  }

  async #holdConnectors(): Promise<void> {
    // Set before the work, so that the next round takes a connector that is added during it.
    this.#heldAt = performance.now();
    try {
      await this.#connectors.hold();
    } catch (error) {
      this.#heldAt = 0;
      throw error;
    }
  }

  #listenerOf(connector: HeldConnector): CarrierListener {
    const { receipts, inbound } = this.#deps;
    const { name } = connector;
    return {
      receipt: (receipt) => {
        connector.reported();
        return receipts.receipt(name, receipt);
      },
      incoming: (message) => inbound.whole(message),
      incomingPart: (part) => inbound.part(name, part),
      // The message was loaded as a DueMessage before it was submitted.
      late: (message, carrierIds) => this.#outcomes.late(connector, message as DueMessage, carrierIds),
      ready: () => this.#pump(),
    };
  }

  async #tell(): Promise<void> {
    this.#toldAt = performance.now();
    await this.#connectors.tell();
  }

  async #renewLeases(): Promise<void> {
    const began = performance.now();
    const batches = [...this.#loaded].filter((batch) => batch.outstanding > 0 || this.#ending.has(batch));
    const lost = new Set(await this.#loader.renew(batches));
    this.#renewedAt = began;
    for (const batch of lost) this.#ending.delete(batch);
    const ending = [...this.#ending];
    this.#ending.clear();
    for (const [batch, retryAt] of ending) this.#end(batch, retryAt);
    if (lost.size === 0) return;
    this.#deps.log.warn({ batches: lost.size }, 'leases were lost to another process');
    this.#queues.remove((message) => lost.has(message.batch));
    for (const batch of lost) this.#forget(batch);
  }

  /** Drops a batch that another process has taken. */
  #forget(batch: LoadedBatch): void {
    batch.isLost = true;
    this.#ending.delete(batch);
    this.#loaded.delete(batch);
    this.#mine.delete(batch.id);
  }

  /** Returns messages, whose batch is now marked, to the front of their queue. */
  #resume(batch: LoadedBatch, messages: readonly DueMessage[]): void {
    if (!this.#loaded.has(batch)) return;
    for (const message of messages) this.#requeue(message);
    this.#pump();
  }

  /** Adds a message, whose network was looked up, to the queue of its route, or puts it into a batch of that route. */
  #found(message: DueMessage): void {
    if (!this.#loaded.has(message.batch)) return;
    this.#queues.moveOn(message);
    if (message.batch.isMoved) this.#outcomes.putBack(message, 'moved');
    else this.#requeue(message);
    this.#pump();
  }

  #requeue(message: DueMessage): void {
    const queue = this.#queues.of(message);
    if (queue) queue.giveBack(message);
    else this.#outcomes.putBack(message, 'no-connection');
  }

  /**
   * Whether this process still has the leases of its batches: not after a pause, or a time without a database, longer
   * than a lease. Another process may then send them; the next renewal shows which.
   */
  get #hasLeases(): boolean {
    return this.#deps.isAlone || performance.now() - this.#renewedAt < LEASE_MS;
  }

  #deliver(batches: readonly LoadedBatch[]): void {
    for (const batch of batches) {
      this.#mine.add(batch.id);
      // All its messages already have a result: they were cancelled, or submitted just before the lease ended.
      if (batch.outstanding === 0) {
        this.#end(batch, 0);
        continue;
      }
      this.#loaded.add(batch);
      const isRetired = this.#deps.routing.isRetired(batch.route);
      // Networks are found in any order, but the mark of a resumed batch counts messages by their ids.
      batch.isMoved = isRetired || (batch.route === LOOK_UP_ROUTE && batch.breaks > 0);
      const spent = this.#spent(batch);
      if (isRetired) for (const message of batch.messages) this.#queues.moveOn(message);
      if (isRetired || !this.#queues.add(batch))
        for (const message of batch.messages)
          this.#outcomes.putBackOrExpire(message, isRetired ? 'moved' : 'no-connection');
      for (const message of spent) this.#outcomes.giveUp(message);
    }
    this.#pump();
  }

  /** Removes the messages from a batch that too many processes submitted without storing an outcome. */
  #spent(batch: LoadedBatch): DueMessage[] {
    if (batch.breaks <= this.#deps.maxCopies) return [];
    const [spent, left] = [true, false].map((isSpent) =>
      batch.messages.filter(({ id }) => id <= batch.submittedTo === isSpent),
    );
    batch.messages = left!;
    return spent!;
  }

  #pump(): void {
    // A connector may settle in the same turn, and settling calls this method.
    if (this.#pumping || this.#stopping || !this.#hasLeases) return;
    this.#pumping = true;
    for (const message of this.#queues.follow()) this.#outcomes.putBack(message, 'no-connection');
    for (const waiting of this.#queues) {
      if (waiting.route === LOOK_UP_ROUTE) {
        this.#lookUps.feed(waiting.queue);
        continue;
      }
      const shares = this.#connectors.forRoute(waiting.route, waiting.choice);
      if (shares) this.#feeder.feed(waiting, shares);
    }
    this.#pumping = false;
    this.#loader.fill();
  }

  #end(batch: LoadedBatch, retryAt: number): void {
    // Another process may have it: the next renewal shows this.
    if (!this.#hasLeases) {
      this.#ending.set(batch, retryAt);
      return;
    }
    this.#loaded.delete(batch);
    const { recorder, owner } = this.#deps;
    recorder.endBatch({ batch, retryAt, owner }, () => this.#mine.delete(batch.id));
  }
}
