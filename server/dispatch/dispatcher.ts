import { setTimeout as pause } from 'node:timers/promises';
import type { Carrier, SubmitOutcome } from '../carriers/carrier.ts';
import type { Routing } from '../carriers/routing.ts';
import type { Clock } from '../clock.ts';
import type { Sql } from '../database/connection.ts';
import type { Events } from '../events/events.ts';
import type { IdSource } from '../ids.ts';
import { type Lane, laneNames } from '../messages/lanes.ts';
import type { Logger } from '../observability/log.ts';
import { status } from '../statuses.ts';
import { type DueMessage, LEASE_MS, type LoadedBatch, releaseLeases } from './batches.ts';
import { FairQueue } from './fair-queue.ts';
import type { Inbound } from './inbound.ts';
import { holdLink, LINK_RENEW_MS, releaseLink } from './link-leases.ts';
import { Loader } from './loader.ts';
import { handedOver, handOverSeconds, resubmitted, retried } from './metrics.ts';
import type { Receipts } from './receipts.ts';
import type { Recorder } from './recorder.ts';
import { pauseAfter } from './retry.ts';
import type { Cancelled } from './signals.ts';

const TICK_MS = 250;
const CANCELLED_KEPT = 1_000;
const waitOf = laneNames.map((lane) => handOverSeconds.labels(lane));
/** A link's code for a message whose time was over before it could be sent. */
const VALIDITY_OVER = 'VALIDITY_OVER';

export interface DispatcherParts {
  readonly sql: Sql;
  /** For leases (see database/connection.ts). */
  readonly relaxed: Sql;
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
}

interface HeldLink {
  readonly carrier: Carrier;
  held: boolean;
  /** Handed over, and the outcome not stored yet. */
  unstored: number;
  /** Counts what the carrier took. Looked up once: by label it would cost a microsecond a message. */
  readonly taken: ReturnType<typeof handedOver.labels>;
}

/**
 * Takes due messages to the links: by lane, accounts in turns, as fast as the links take them. One message is never in
 * two hands; what becomes of it goes to the recorder, and only when that is stored is there room for another.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #loader: Loader;
  readonly #links = new Map<string, HeldLink>();
  readonly #queues = new Map<string, FairQueue>();
  readonly #loaded = new Set<LoadedBatch>();
  /** Ids of the loaded ones, and of those that have ended until that is stored. */
  readonly #mine = new Set<number>();
  /** Shipments that were cancelled lately: what of them is at a link in that moment is not handed over again. */
  readonly #cancelled = new Set<number>();
  #pumping = false;
  #stopping = false;
  #timer: NodeJS.Timeout | undefined;
  #renewedAt = 0;
  #linksRenewedAt = 0;
  #ticking: Promise<void> | undefined;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    for (const carrier of parts.carriers)
      this.#links.set(carrier.name, {
        carrier,
        held: false,
        unstored: 0,
        taken: handedOver.labels(carrier.name),
      });
    for (const route of ['', ...parts.routing.routes.map(({ name }) => name)])
      this.#queues.set(route, new FairQueue());
    this.#loader = new Loader({
      ...parts,
      routes: () => [...this.#queues.keys()].filter((route) => this.#linkFor(route) !== undefined),
      waiting: (lane, accountId) => this.#waiting(lane, accountId),
      isMine: (batchId) => this.#mine.has(batchId),
      deliver: (batches) => this.#deliver(batches),
    });
  }

  /** Takes the links that are free, and begins. */
  async start(): Promise<void> {
    await this.#holdLinks();
    this.#renewedAt = performance.now();
    this.#timer = setInterval(() => {
      this.#ticking ??= this.#tick().finally(() => {
        this.#ticking = undefined;
      });
    }, TICK_MS);
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
  cancelled({ accountId, shipmentId }: Cancelled): void {
    this.#cancelled.add(shipmentId);
    for (const oldest of this.#cancelled) {
      if (this.#cancelled.size <= CANCELLED_KEPT) break;
      this.#cancelled.delete(oldest);
    }
    for (const queue of this.#queues.values()) {
      const removed = queue.remove(
        (message) => message.shipmentId === shipmentId && message.accountId === accountId,
      );
      for (const message of removed) this.#settled(message);
    }
  }

  /** Whether at least one link can take messages. */
  get ready(): boolean {
    return [...this.#links.values()].some(({ carrier, held }) => held && carrier.up);
  }

  /** Hands nothing more over, waits for what is in flight, stores it, and gives the rest back. */
  async stop(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    this.#stopping = true;
    clearInterval(this.#timer);
    await Promise.race([
      Promise.all([this.#loader.stop(), this.#ticking]),
      pause(graceMs, undefined, { ref: false }),
    ]);
    const held = [...this.#links.values()].filter((link) => link.held);
    while (held.some((link) => link.unstored > 0) && performance.now() < deadline) await pause(10);
    await Promise.all(held.map(({ carrier }) => carrier.stop(Math.max(0, deadline - performance.now()))));
    const left = Math.max(100, deadline - performance.now());
    await Promise.race([this.#parts.recorder.drain(), pause(left, undefined, { ref: false })]);
    await this.#release(held).catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, 'leases were not given back, others wait until they run out');
    });
  }

  async #release(held: readonly HeldLink[]): Promise<void> {
    const { sql, owner } = this.#parts;
    for (const [accountId, batches] of Map.groupBy(this.#loaded, (batch) => batch.accountId)) {
      await releaseLeases(
        sql,
        owner,
        accountId,
        batches.map((batch) => batch.id),
      );
    }
    await Promise.all(held.map(({ carrier }) => releaseLink(sql, carrier.name, owner)));
  }

  async #tick(): Promise<void> {
    try {
      const now = performance.now();
      if (now - this.#linksRenewedAt >= LINK_RENEW_MS) await this.#holdLinks();
      if (now - this.#renewedAt >= LEASE_MS / 3) await this.#renewLeases();
      await this.#loader.scan();
      await this.#parts.receipts.retryEarly();
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'the dispatcher could not do its rounds');
    }
    this.#pump();
  }

  async #holdLinks(): Promise<void> {
    const { sql, owner, receipts, inbound, log } = this.#parts;
    for (const link of this.#links.values()) {
      const { name } = link.carrier;
      const held = await holdLink(sql, name, owner);
      if (held && !link.held) {
        await receipts.learned(name);
        link.held = true;
        log.info({ link: name }, 'holding the link');
        link.carrier.start({
          receipt: (receipt) => receipts.receipt(name, receipt),
          incoming: (message) => inbound.whole(message),
          incomingPart: (part) => inbound.part(name, part),
          ready: () => this.#pump(),
        });
      } else if (!held && link.held) {
        link.held = false;
        log.warn({ link: name }, 'another process has taken the link');
        await link.carrier.stop(0);
      }
    }
    this.#linksRenewedAt = performance.now();
  }

  async #renewLeases(): Promise<void> {
    const lost = new Set(
      await this.#loader.renew([...this.#loaded].filter((batch) => batch.outstanding > 0)),
    );
    this.#renewedAt = performance.now();
    if (lost.size === 0) return;
    this.#parts.log.warn({ batches: lost.size }, 'leases were lost to another process');
    for (const queue of this.#queues.values()) queue.remove((message) => lost.has(message.batch));
    for (const batch of lost) {
      this.#loaded.delete(batch);
      this.#mine.delete(batch.id);
    }
  }

  #deliver(batches: readonly LoadedBatch[]): void {
    for (const batch of batches) {
      this.#mine.add(batch.id);
      // All its messages have a result already: cancelled, or handed over just before the lease ran out.
      if (batch.outstanding === 0) {
        this.#end(batch, 0);
        continue;
      }
      this.#loaded.add(batch);
      (this.#queues.get(batch.route) ?? this.#queues.get('')!).add(batch);
    }
    this.#pump();
  }

  #waiting(lane: Lane, accountId?: number): number {
    let sum = 0;
    for (const queue of this.#queues.values()) sum += queue.waiting(lane, accountId);
    return sum;
  }

  /** The first link of a route that is up; on the route without a name, any link. */
  #linkFor(route: string): HeldLink | undefined {
    const names = route === '' ? this.#links.keys() : this.#parts.routing.linksOf(route);
    for (const name of names) {
      const link = this.#links.get(name);
      if (link?.held && link.carrier.up) return link;
    }
    return undefined;
  }

  #pump(): void {
    // A link may settle in the same turn, and settling pumps.
    if (this.#pumping || this.#stopping) return;
    this.#pumping = true;
    for (const [route, queue] of this.#queues) {
      const link = this.#linkFor(route);
      if (link) this.#feed(link, queue);
    }
    this.#pumping = false;
    this.#loader.fill();
  }

  #feed(link: HeldLink, queue: FairQueue): void {
    const now = this.#parts.clock.now();
    let room = Math.min(link.carrier.capacity(), link.carrier.window - link.unstored);
    while (room > 0) {
      const message = queue.take();
      if (!message) return;
      // Read just before it was cancelled.
      if (this.#cancelled.has(message.shipmentId)) {
        this.#settled(message);
        continue;
      }
      if (message.validUntil <= now) {
        this.#expire(message);
        continue;
      }
      room--;
      link.unstored++;
      waitOf[message.batch.lane]!.observe(Math.max(0, now - message.batch.dueAt) / 1000);
      link.carrier.submit(message, (outcome) => this.#outcome(link, message, outcome));
    }
  }

  #outcome(link: HeldLink, message: DueMessage, outcome: SubmitOutcome): void {
    const { recorder, receipts, clock } = this.#parts;
    const { name } = link.carrier;
    const target = { accountId: message.accountId, messageId: message.id, phone: message.destination };
    const stored = () => {
      link.unstored--;
      this.#pump();
    };
    switch (outcome.kind) {
      case 'accepted': {
        link.taken.inc();
        const carrierKeys = receipts.expect(name, outcome.carrierIds, target);
        const revive = this.#cancelled.has(message.shipmentId);
        recorder.add({ ...target, handedAt: clock.now(), link: name, carrierKeys, revive }, stored);
        break;
      }
      case 'refused':
        recorder.add(
          { ...target, link: name, failure: outcome.status, code: outcome.code, refund: true },
          stored,
        );
        break;
      case 'retry':
        if (outcome.code === VALIDITY_OVER) {
          recorder.add(
            { ...target, link: name, failure: status.expired, code: outcome.code, refund: true },
            stored,
          );
          break;
        }
        retried.inc({ code: outcome.code });
        message.batch.retries.push(message.id);
        recorder.add({ ...target, link: name, code: outcome.code }, stored);
        break;
      case 'again':
      case 'unknown':
        link.unstored--;
        if (this.#cancelled.has(message.shipmentId)) break;
        // It may have been taken: at least once means that it goes again.
        if (outcome.kind === 'unknown') resubmitted.inc();
        (this.#queues.get(message.batch.route) ?? this.#queues.get('')!).giveBack(message);
        this.#pump();
        return;
    }
    this.#settled(message);
  }

  #expire(message: DueMessage): void {
    const { accountId, id: messageId, destination: phone } = message;
    this.#parts.recorder.add({
      accountId,
      messageId,
      phone,
      failure: status.expired,
      code: 'EXPIRED',
      refund: true,
    });
    this.#settled(message);
  }

  #settled({ batch }: DueMessage): void {
    if (--batch.outstanding > 0) return;
    this.#loaded.delete(batch);
    this.#end(batch, this.#parts.clock.now() + pauseAfter(batch.attempt));
  }

  #end(batch: LoadedBatch, retryAt: number): void {
    this.#parts.recorder.endBatch({ batch, retryAt }, () => this.#mine.delete(batch.id));
  }
}
