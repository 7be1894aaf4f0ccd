import { setTimeout as pause } from 'node:timers/promises';
import type { Carrier, SubmitOutcome } from '../carriers/carrier.ts';
import type { Routing } from '../carriers/routing.ts';
import type { Clock } from '../clock.ts';
import type { Sql } from '../database/connection.ts';
import { byPlacement, type Placements } from '../database/placements.ts';
import type { Events } from '../events/events.ts';
import type { IdSource } from '../ids.ts';
import { Loop } from '../loop.ts';
import { PAUSED_AT } from '../messages/batch-cutter.ts';
import { type Lane, laneNames } from '../messages/lanes.ts';
import type { SecretTexts } from '../messages/secret-text.ts';
import { invariant } from '../observability/invariant.ts';
import type { Logger } from '../observability/log.ts';
import { ownCodes, status } from '../statuses.ts';
import { currentTlsFault, type TlsFault } from '../tls-faults.ts';
import { type DueMessage, LEASE_MS, type LoadedBatch, releaseLeases } from './batches.ts';
import { holdLink, LINK_RENEW_MS, releaseConnector } from './connector-leases.ts';
import { ConnectorStates, TELL_MS } from './connector-states.ts';
import { FairQueue } from './fair-queue.ts';
import type { Inbound } from './inbound.ts';
import { Loader } from './loader.ts';
import { resubmitted, retried, submitSeconds, submitted } from './metrics.ts';
import type { Receipts } from './receipts.ts';
import type { Recorder } from './recorder.ts';
import { pauseAfter, pauseAfterRing, type Recalls } from './retry.ts';
import type { Cancelled, Paused } from './signals.ts';

const TICK_MS = 250;
const CANCELLED_KEPT = 1_000;
/**
 * So long what is at a link, or was read just before, is kept back when a shipment is paused; by then the database says
 * so alone. A hint that it goes on may be lost.
 */
const PAUSED_KEPT_MS = 15_000;
const waitOf = laneNames.map((lane) => submitSeconds.labels(lane));

interface DispatcherDeps {
  readonly sql: Sql;
  /** For leases (see database/connection.ts). */
  readonly asyncCommitSql: Sql;
  readonly placements: Placements;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly log: Logger;
  readonly owner: string;
  readonly carriers: readonly Carrier[];
  readonly routing: Routing;
  readonly recorder: Recorder;
  readonly receipts: Receipts;
  readonly inbound: Inbound;
  readonly events: Events;
  readonly secretTexts: SecretTexts;
  /** Connectors that take only what names them: a route of their channel, or one of their own name. */
  readonly special: readonly Carrier[];
  /** How messages of a channel are tried again that disturb somebody each time; undefined for other channels. */
  readonly recallsOf: (channel: number) => Recalls | undefined;
  /** A message that was submitted so many times without an answer is not sent again. */
  readonly maxCopies: number;
}

/** The label of a connector in metrics, under which faults of its TLS are kept, too: business numbers share one platform. */
const labelOf = ({ name, label }: Carrier) => label ?? name;
const tlsFaultOf = (carrier: Carrier) => currentTlsFault(labelOf(carrier));

/** Never more than a window is submitted and not stored. */
function checkWindow({ carrier, unstored }: HeldConnector): void {
  invariant(unstored >= 0 && unstored <= carrier.window, 'window', () => ({ link: carrier.name, unstored }));
}

interface HeldConnector {
  readonly carrier: Carrier;
  held: boolean;
  /** Submitted, and the outcome not stored yet. */
  unstored: number;
  /** Counts what the carrier took. Looked up once: by label it would cost a microsecond a message. */
  readonly taken: ReturnType<typeof submitted.labels>;
  /** The same as a number. */
  count: number;
}

/**
 * Takes due messages to the links: by lane, accounts in turns, as fast as the links take them. One message is never in
 * two hands; its outcome goes to the recorder, and only when that is stored is there room for another.
 */
export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #loader: Loader;
  readonly #connectors = new Map<string, HeldConnector>();
  /** Links that take what has no route of its own. */
  readonly #general: readonly string[];
  readonly #queues = new Map<string, FairQueue>();
  /** Routes that are a connector of the same name. */
  readonly #ownRoutes = new Set<string>();
  readonly #loaded = new Set<LoadedBatch>();
  /** Ids of the loaded ones, and of those that have ended until that is stored. */
  readonly #mine = new Set<number>();
  /** Shipments that were cancelled lately: what of them is at a link in that moment is not submitted again. */
  readonly #cancelled = new Set<number>();
  /** Shipments that were paused lately, and until when that is remembered, monotonic milliseconds. */
  readonly #paused = new Map<number, number>();
  #pumping = false;
  #stopping = false;
  readonly #rounds: Loop;
  #renewedAt = 0;
  #linksRenewedAt = 0;
  readonly #states: ConnectorStates;
  #toldAt = 0;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#states = new ConnectorStates(deps.asyncCommitSql, deps.owner);
    this.#rounds = new Loop({
      owner: 'dispatcher',
      everyMs: TICK_MS,
      step: () => this.#tick(),
      log: deps.log,
      failed: 'the dispatcher could not do its rounds',
    });
    for (const carrier of [...deps.carriers, ...deps.special]) this.#addConnector(carrier);
    this.#general = deps.carriers.map(({ name }) => name);
    const { routes, callRoutes } = deps.routing;
    for (const route of ['', ...[...routes, ...callRoutes].map(({ name }) => name)])
      this.#queues.set(route, new FairQueue());
    this.#loader = new Loader({
      ...deps,
      routes: () => [...this.#queues.keys()].filter((route) => this.#connectorFor(route) !== undefined),
      waiting: (route, lane, accountId) => this.#queues.get(route)?.waiting(lane, accountId) ?? 0,
      isMine: (batchId) => this.#mine.has(batchId),
      deliver: (batches) => this.#deliver(batches),
    });
  }

  /** Takes the links that are free, and begins. */
  async start(): Promise<void> {
    await this.#holdLinks();
    this.#renewedAt = performance.now();
    this.#rounds.start();
    await this.#loader.scanNow();
  }

  /** There is new work. */
  hint(accountId: number, lane: Lane): void {
    this.#loader.hint(accountId, lane);
  }

  /** Some process has new work. */
  hintAny(): void {
    void this.#loader.scanNow();
  }

  /** Takes what waits in memory of a cancelled shipment out of its queue. */
  cancelled({ accountId, shipmentIds }: Cancelled): void {
    for (const id of shipmentIds) this.#cancelled.add(id);
    for (const oldest of this.#cancelled) {
      if (this.#cancelled.size <= CANCELLED_KEPT) break;
      this.#cancelled.delete(oldest);
    }
    const gone = new Set(shipmentIds);
    for (const queue of this.#queues.values()) {
      const removed = queue.remove(
        (message) => gone.has(message.shipmentId) && message.accountId === accountId,
      );
      for (const message of removed) this.#settled(message);
    }
  }

  /** Takes what waits in memory of a paused shipment back to the database, and what comes back from a link. */
  paused({ accountId, shipmentId }: Paused): void {
    const now = performance.now();
    for (const [other, until] of this.#paused) if (until <= now) this.#paused.delete(other);
    this.#paused.set(shipmentId, now + PAUSED_KEPT_MS);
    for (const queue of this.#queues.values()) {
      const removed = queue.remove(
        (message) => message.shipmentId === shipmentId && message.accountId === accountId,
      );
      for (const message of removed) this.#putBack(message);
    }
  }

  /** A paused shipment goes on. */
  resumed({ shipmentId }: Paused): void {
    this.#paused.delete(shipmentId);
    this.hintAny();
  }

  /** Adds a link that is a route of its own name. It is held from the next round on. */
  addConnector(carrier: Carrier): void {
    this.#addConnector(carrier);
    this.#ownRoutes.add(carrier.name);
    this.#queues.set(carrier.name, new FairQueue());
    this.#linksRenewedAt = 0;
  }

  /** Takes a link away; what waits for it stays in the database. */
  async removeConnector(name: string): Promise<void> {
    const connector = this.#connectors.get(name);
    if (!connector) return;
    this.#connectors.delete(name);
    this.#ownRoutes.delete(name);
    const queue = this.#queues.get(name);
    this.#queues.delete(name);
    for (const message of queue?.remove(() => true) ?? []) this.#putBack(message);
    await connector.carrier.stop(0);
    if (connector.held) await releaseConnector(this.#deps.sql, name, this.#deps.owner);
  }

  #addConnector(carrier: Carrier): void {
    const taken = submitted.labels(labelOf(carrier));
    this.#connectors.set(carrier.name, { carrier, held: false, unstored: 0, taken, count: 0 });
  }

  /** Whether at least one link can take messages that have no route of their own, if there is any for them. */
  get ready(): boolean {
    if (this.#general.length === 0) return this.#connectors.size > 0;
    return this.#general.some((name) => {
      const connector = this.#connectors.get(name)!;
      return connector.held && connector.carrier.up;
    });
  }

  /**
   * Links whose TLS is not accepted, with why, where no other link takes what they would: SMS go over another one that is
   * up.
   */
  get blocked(): readonly { readonly link: string; readonly fault: TlsFault }[] {
    return [...this.#connectors.values()].flatMap(({ carrier, held }) => {
      const fault = held ? tlsFaultOf(carrier) : undefined;
      const hasOther = this.#general.includes(carrier.name) && this.ready;
      return fault && !hasOther ? [{ link: carrier.name, fault }] : [];
    });
  }

  /** Hands nothing more over, waits for what is in flight, stores it, and gives the rest back. */
  async stop(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    this.#stopping = true;
    await Promise.race([
      Promise.all([this.#loader.stop(), this.#rounds.stop()]),
      pause(graceMs, undefined, { ref: false }),
    ]);
    const held = [...this.#connectors.values()].filter((connector) => connector.held);
    await Promise.all(held.map(({ carrier }) => carrier.stop(Math.max(0, deadline - performance.now()))));
    while (held.some((connector) => connector.unstored > 0) && performance.now() < deadline) await pause(10);
    const left = Math.max(100, deadline - performance.now());
    await Promise.race([this.#deps.recorder.drain(), pause(left, undefined, { ref: false })]);
    await this.#release(held).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'leases were not given back, others wait until they run out');
    });
  }

  async #release(held: readonly HeldConnector[]): Promise<void> {
    const { sql, owner, placements } = this.#deps;
    for (const batches of await byPlacement(placements, [...this.#loaded], ({ accountId }) => accountId))
      await releaseLeases(sql, owner, batches);
    await Promise.all(held.map(({ carrier }) => releaseConnector(sql, carrier.name, owner)));
  }

  async #tick(): Promise<void> {
    try {
      const now = performance.now();
      if (now - this.#linksRenewedAt >= LINK_RENEW_MS) await this.#holdLinks();
      if (now - this.#renewedAt >= LEASE_MS / 3) await this.#renewLeases();
      if (now - this.#toldAt >= TELL_MS) await this.#tellStates();
      await this.#loader.scan();
      await this.#deps.receipts.retryEarly();
    } finally {
      this.#pump();
    }
  }

  async #holdLinks(): Promise<void> {
    const { sql, owner, receipts, inbound, log } = this.#deps;
    for (const connector of this.#connectors.values()) {
      const { name } = connector.carrier;
      const held = await holdLink(sql, name, owner);
      // Taken away meanwhile.
      if (this.#connectors.get(name) !== connector) {
        await releaseConnector(sql, name, owner);
        continue;
      }
      if (held && !connector.held) {
        await receipts.learned(name);
        connector.held = true;
        log.info({ link: name }, 'holding the link');
        connector.carrier.start({
          receipt: (receipt) => receipts.receipt(name, receipt),
          incoming: (message) => inbound.whole(message),
          incomingPart: (part) => inbound.part(name, part),
          // It was read for sending before it was given to the connector.
          late: (message, carrierIds) => this.#late(connector, message as DueMessage, carrierIds),
          ready: () => this.#pump(),
        });
      } else if (!held && connector.held) {
        connector.held = false;
        log.warn({ link: name }, 'another process has taken the link');
        await connector.carrier.stop(0);
      }
    }
    this.#linksRenewedAt = performance.now();
  }

  async #tellStates(): Promise<void> {
    this.#toldAt = performance.now();
    const held = [...this.#connectors.values()].filter((connector) => connector.held);
    await this.#states.tell(
      held.map(({ carrier, unstored, count }) => {
        const fault = tlsFaultOf(carrier);
        return {
          name: carrier.name,
          up: carrier.up && fault === undefined,
          inFlight: unstored,
          window: carrier.window,
          taken: count,
          problem: fault ?? null,
        };
      }),
    );
  }

  async #renewLeases(): Promise<void> {
    const lost = new Set(
      await this.#loader.renew([...this.#loaded].filter((batch) => batch.outstanding > 0)),
    );
    this.#renewedAt = performance.now();
    if (lost.size === 0) return;
    this.#deps.log.warn({ batches: lost.size }, 'leases were lost to another process');
    for (const queue of this.#queues.values()) queue.remove((message) => lost.has(message.batch));
    for (const batch of lost) {
      this.#loaded.delete(batch);
      this.#mine.delete(batch.id);
    }
  }

  #deliver(batches: readonly LoadedBatch[]): void {
    for (const batch of batches) {
      this.#mine.add(batch.id);
      // All its messages have a result already: cancelled, or submitted just before the lease ran out.
      if (batch.outstanding === 0) {
        this.#end(batch, 0);
        continue;
      }
      this.#loaded.add(batch);
      const queue = this.#queueOf(batch);
      if (queue) queue.add(batch);
      else for (const message of batch.messages) this.#putBack(message);
    }
    this.#pump();
  }

  /** The first link of a route that is up; on the route without a name, any that is not a route of its own. */
  #connectorFor(route: string): HeldConnector | undefined {
    const names = this.#linksOf(route);
    for (const name of names) {
      const connector = this.#connectors.get(name);
      if (connector?.held && connector.carrier.up) return connector;
    }
    return undefined;
  }

  #linksOf(route: string): readonly string[] {
    if (route === '') return this.#general;
    return this.#ownRoutes.has(route) ? [route] : this.#deps.routing.linksOf(route);
  }

  #pump(): void {
    // A link may settle in the same turn, and settling pumps.
    if (this.#pumping || this.#stopping) return;
    this.#pumping = true;
    for (const [route, queue] of this.#queues) {
      const connector = this.#connectorFor(route);
      if (connector) this.#feed(connector, queue);
    }
    this.#pumping = false;
    this.#loader.fill();
  }

  #feed(connector: HeldConnector, queue: FairQueue): void {
    const now = this.#deps.clock.now();
    let room = Math.min(connector.carrier.capacity(), connector.carrier.window - connector.unstored);
    while (room > 0) {
      const message = queue.take();
      if (!message) return;
      // Read just before it was cancelled, or paused.
      if (this.#cancelled.has(message.shipmentId)) {
        this.#settled(message);
        continue;
      }
      if (this.#isPaused(message.shipmentId)) {
        this.#putBack(message);
        continue;
      }
      if (message.isUnreadable) {
        this.#fail(message, status.undelivered, ownCodes.textLost);
        continue;
      }
      if (message.validUntil <= now) {
        this.#fail(message, status.expired, ownCodes.expired);
        continue;
      }
      room--;
      connector.unstored++;
      checkWindow(connector);
      waitOf[message.batch.lane]!.observe(Math.max(0, now - message.batch.dueAt) / 1000);
      connector.carrier.submit(message, (outcome) => this.#outcome(connector, message, outcome));
    }
  }

  #outcome(connector: HeldConnector, message: DueMessage, outcome: SubmitOutcome): void {
    const { recorder } = this.#deps;
    const { name } = connector.carrier;
    const target = { accountId: message.accountId, messageId: message.id, phone: message.destination };
    const stored = () => {
      connector.unstored--;
      checkWindow(connector);
      this.#pump();
    };
    switch (outcome.kind) {
      case 'accepted':
        this.#accepted(connector, message, outcome.carrierIds, stored);
        break;
      case 'refused':
        recorder.add(
          { ...target, link: name, failure: outcome.status, code: outcome.code, refund: true },
          stored,
        );
        break;
      case 'expired':
        recorder.add(
          { ...target, link: name, failure: status.expired, code: ownCodes.validityOver, refund: true },
          stored,
        );
        break;
      case 'retry':
        if (outcome.status !== undefined && ++message.rings >= this.#attemptsOf(message)) {
          recorder.add(
            { ...target, link: name, failure: outcome.status, code: outcome.code, refund: true },
            stored,
          );
          break;
        }
        retried.inc({ code: outcome.code });
        this.#retryLater(message, pauseOf(outcome, message));
        recorder.add({ ...target, link: name, code: outcome.code }, stored);
        break;
      case 'unknown':
        message.copies++;
        if (message.copies >= this.#deps.maxCopies) {
          // Not given back: it may well have arrived.
          recorder.add({ ...target, link: name, failure: status.unknown, code: ownCodes.silent }, stored);
          break;
        }
        resubmitted.inc();
        if (outcome.afterMs === undefined) {
          this.#again(connector, message);
          return;
        }
        this.#retryLater(message, outcome.afterMs);
        recorder.add({ ...target, link: name, code: ownCodes.silent }, stored);
        break;
      case 'again':
        this.#again(connector, message);
        return;
    }
    this.#settled(message);
  }

  #accepted(
    connector: HeldConnector,
    message: DueMessage,
    carrierIds: readonly string[],
    stored?: () => void,
  ): void {
    const { recorder, receipts, clock } = this.#deps;
    const { name } = connector.carrier;
    connector.taken.inc();
    connector.count++;
    const { accountId, id: messageId, destination: phone, shipmentId } = message;
    const target = { accountId, messageId, phone };
    const carrierKeys = receipts.expect(name, carrierIds, target);
    const { channel } = message.batch;
    recorder.add({ ...target, shipmentId, channel, handedAt: clock.now(), link: name, carrierKeys }, stored);
  }

  /** The carrier's answer came after all: what waits of the message is not sent, here or when its batch is read again. */
  #late(connector: HeldConnector, message: DueMessage, carrierIds: readonly string[]): void {
    const [waiting] = this.#queueOf(message.batch)?.remove(({ id }) => id === message.id) ?? [];
    this.#accepted(connector, message, carrierIds);
    if (waiting) this.#settled(waiting);
  }

  /** To the queue again, for as soon as there is capacity. */
  #again(connector: HeldConnector, message: DueMessage): void {
    connector.unstored--;
    checkWindow(connector);
    if (this.#cancelled.has(message.shipmentId)) {
      this.#settled(message);
      return;
    }
    const queue = this.#queueOf(message.batch);
    if (!queue || this.#isPaused(message.shipmentId)) {
      this.#putBack(message);
      return;
    }
    queue.giveBack(message);
    this.#pump();
  }

  #retryLater(message: DueMessage, afterMs: number | undefined): void {
    message.batch.retries.push(message);
    message.batch.notBefore = Math.max(message.batch.notBefore, this.#retryAt(message, afterMs));
  }

  /** The earliest time for another try, in milliseconds since the epoch; 0: when the batch's pause is over. */
  #retryAt({ batch, accountId }: DueMessage, afterMs: number | undefined): number {
    const { clock, recallsOf } = this.#deps;
    const at = afterMs === undefined ? 0 : clock.now() + afterMs;
    const recalls = recallsOf(batch.channel);
    if (!recalls) return at;
    return recalls.allowedFrom(accountId, Math.max(at, clock.now() + pauseAfter(batch.attempt)));
  }

  /** Tries of a message that disturb somebody, at most. */
  #attemptsOf({ batch }: DueMessage): number {
    return this.#deps.recallsOf(batch.channel)?.attempts ?? 1;
  }

  /** Fails a message that no carrier gets, and gives its price back. */
  #fail(message: DueMessage, failure: number, code: string): void {
    const { accountId, id: messageId, destination: phone } = message;
    this.#deps.recorder.add({ accountId, messageId, phone, failure, code, refund: true });
    this.#settled(message);
  }

  /** Undefined for a connector that was removed, of a route of its own: batches are leased on known routes alone. */
  #queueOf({ route }: LoadedBatch): FairQueue | undefined {
    return this.#queues.get(route);
  }

  #isPaused(shipmentId: number): boolean {
    const until = this.#paused.get(shipmentId);
    return until !== undefined && performance.now() < until;
  }

  #putBack(message: DueMessage): void {
    message.batch.retries.push(message);
    this.#settled(message);
  }

  #settled({ batch, shipmentId }: DueMessage): void {
    if (--batch.outstanding > 0) return;
    invariant(batch.outstanding === 0, 'lease', () => ({ batch: batch.id, outstanding: batch.outstanding }));
    this.#loaded.delete(batch);
    const isPaused = batch.heldShipmentId !== null && this.#isPaused(shipmentId);
    const retryAt = Math.max(this.#deps.clock.now() + pauseAfter(batch.attempt), batch.notBefore);
    this.#end(batch, isPaused ? PAUSED_AT : retryAt);
  }

  #end(batch: LoadedBatch, retryAt: number): void {
    this.#deps.recorder.endBatch({ batch, retryAt }, () => this.#mine.delete(batch.id));
  }
}

/** How long a message waits at least; undefined for the pause of its batch alone. */
function pauseOf(
  { afterMs, status }: SubmitOutcome & { kind: 'retry' },
  { rings }: DueMessage,
): number | undefined {
  return status === undefined || afterMs === undefined ? afterMs : pauseAfterRing(afterMs, rings);
}
