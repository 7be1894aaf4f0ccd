import type { Choice } from '../carriers/route.ts';
import { LOOK_UP_ROUTE, ONLY_ROUTES, type Routing } from '../carriers/routing.ts';
import { phoneRouteOf } from '../messages/batch-cutter.ts';
import type { Lane } from '../messages/lanes.ts';
import { isCode, kindOf } from '../messages/message-kind.ts';
import type { DueMessage, LoadedBatch } from './batches.ts';
import { FairQueue } from './fair-queue.ts';
import type { HeldConnectors } from './held-connectors.ts';

const none: readonly DueMessage[] = [];

interface RouteQueuesDeps {
  readonly routing: Routing;
  readonly connectors: Pick<HeldConnectors, 'ownRoutes' | 'forRoute' | 'isOrphaned'>;
}

/** Messages in memory that wait for the same connectors. */
export interface RouteQueue {
  readonly route: string;
  readonly queue: FairQueue;
  /** The connectors of its messages, if their route prefers them by quality. */
  readonly choice?: Choice;
}

/**
 * The messages in memory: a queue for each route on which messages have waited here, and for a route that prefers connectors by
 * quality one for each order of its connectors. So messages to a prefix whose connector is full do not hold up others.
 */
export class RouteQueues {
  readonly #deps: RouteQueuesDeps;
  /** Keyed by the route, or by the choice. */
  readonly #byKey = new Map<string, RouteQueue>();
  #version = 0;

  constructor(deps: RouteQueuesDeps) {
    this.#deps = deps;
  }

  /** All routes that messages may wait on. */
  *#routes(): Iterable<string> {
    yield '';
    yield LOOK_UP_ROUTE;
    yield* this.#deps.routing.names;
    yield* this.#deps.connectors.ownRoutes;
  }

  /**
   * Routes whose batches can be read: a connector is up, their messages take other routes now, or their only connector was removed
   * or disabled, so that expired messages end.
   */
  get open(): string[] {
    const { routing, connectors } = this.#deps;
    return [...this.#routes()].filter(
      (route) => routing.isRetired(route) || this.isServed(route) || connectors.isOrphaned(route),
    );
  }

  /** Whether a connector for messages of a route is up. Networks are looked up while any connector is. */
  isServed(route: string): boolean {
    return this.#deps.connectors.forRoute(route === LOOK_UP_ROUTE ? '' : route) !== undefined;
  }

  [Symbol.iterator](): IterableIterator<RouteQueue> {
    return this.#byKey.values();
  }

  /** Adds a batch. False, and adds nothing, for the route of a connector that is removed or disabled. */
  add(batch: LoadedBatch): boolean {
    const { accountId, lane, messages, route } = batch;
    if (!this.#deps.routing.isJudged(route, isCode(lane))) {
      const queue = this.#queueOf(route);
      queue?.add(batch);
      return queue !== undefined;
    }
    for (const [queue, some] of Map.groupBy(messages, (message) => this.of(message)!))
      queue.add({ accountId, lane, messages: some });
    return true;
  }

  /** Returns the queue of a message; undefined when its connector was removed: batches are leased on known routes only. */
  of(message: DueMessage): FairQueue | undefined {
    if (this.#deps.routing.isRetired(routeOf(message))) this.moveOn(message);
    const route = routeOf(message);
    const { destination, batch } = message;
    const chosen = { destination, isCode: isCode(batch.lane) };
    return this.#queueOf(route, this.#deps.routing.choiceOf(route, chosen, drawOf(message)));
  }

  #queueOf(route: string, choice?: Choice): FairQueue | undefined {
    const key = choice?.key ?? route;
    const known = this.#byKey.get(key);
    if (known || this.#deps.connectors.isOrphaned(route) || ![...this.#routes()].includes(route))
      return known?.queue;
    const queue = new FairQueue();
    this.#byKey.set(key, { route, queue, ...(choice && { choice }) });
    return queue;
  }

  /** Number of messages of a route: of a lane, or of one account in it. */
  waiting(route: string, lane: Lane, accountId?: number): number {
    let sum = 0;
    for (const known of this.#byKey.values()) {
      if (known.route === route) sum += known.queue.waiting(lane, accountId);
    }
    return sum;
  }

  /** Removes and returns the messages for which `unwanted` holds. */
  remove(unwanted: (message: DueMessage) => boolean): DueMessage[] {
    return [...this.#byKey.values()].flatMap(({ queue }) => queue.remove(unwanted));
  }

  /** Removes the queues of a connector that was removed, and returns their messages. */
  removeOwn(name: string): readonly DueMessage[] {
    return [ONLY_ROUTES + name, ...(this.#deps.routing.has(name) ? [] : [name])].flatMap((route) => {
      const own = this.#byKey.get(route);
      this.#byKey.delete(route);
      return own?.queue.remove(() => true) ?? [];
    });
  }

  /**
   * Moves messages after a change of the routes or of the measured quality. Returns the messages whose route no connector serves
   * in this process.
   */
  follow(): readonly DueMessage[] {
    const { routing } = this.#deps;
    if (routing.version === this.#version) return none;
    this.#version = routing.version;
    const left: DueMessage[] = [];
    for (const [key, { route, queue, choice }] of [...this.#byKey]) {
      const mayBeJudged = routing.isJudged(route, true) || routing.isJudged(route, false);
      if (!choice && !routing.isRetired(route) && !mayBeJudged) continue;
      this.#byKey.delete(key);
      for (const message of queue.remove(() => true)) {
        const other = this.of(message);
        if (other) other.giveBack(message);
        else left.push(message);
      }
    }
    return left;
  }

  /** Gives a message of a removed route, or one whose network was looked up, the route that fits it now. */
  moveOn(message: DueMessage): void {
    const { accountId, source, destination, network, batch, rule } = message;
    const kind = kindOf(batch.lane, rule);
    const routed = { accountId, source, destination, network, kind, at: batch.dueAt };
    message.route = phoneRouteOf(this.#deps.routing, routed, batch.channel);
  }
}

/** Returns the route on which a message waits. */
export const routeOf = ({ route, batch }: DueMessage): string => route ?? batch.route;

/** A number from 0 to 1 that depends on the message alone: Knuth's multiplicative hash spreads ids that follow each other. */
const drawOf = ({ id }: DueMessage): number => (Math.imul(id % 2 ** 31, 2_654_435_761) >>> 0) / 2 ** 32;
