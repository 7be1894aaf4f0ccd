import type { Routing } from '../carriers/routing.ts';
import { phoneRouteOf } from '../messages/batch-cutter.ts';
import type { Lane } from '../messages/lanes.ts';
import { kindOf } from '../messages/message-kind.ts';
import type { DueMessage } from './batches.ts';
import { FairQueue } from './fair-queue.ts';
import type { HeldConnectors } from './held-connectors.ts';

const none: readonly DueMessage[] = [];

interface RouteQueuesDeps {
  readonly routing: Routing;
  readonly connectors: Pick<HeldConnectors, 'ownRoutes' | 'forRoute'>;
}

/** The messages in memory, in a queue for each route on which messages have waited here. */
export class RouteQueues {
  readonly #deps: RouteQueuesDeps;
  readonly #byRoute = new Map<string, FairQueue>();

  constructor(deps: RouteQueuesDeps) {
    this.#deps = deps;
  }

  /** All routes that messages may wait on. */
  *#routes(): Iterable<string> {
    yield '';
    yield* this.#deps.routing.names;
    yield* this.#deps.connectors.ownRoutes;
  }

  /** Routes whose batches can be read: a connector is up, or their messages take other routes now. */
  get open(): string[] {
    const { routing, connectors } = this.#deps;
    return [...this.#routes()].filter(
      (route) => routing.isRetired(route) || connectors.forRoute(route) !== undefined,
    );
  }

  [Symbol.iterator](): IterableIterator<[route: string, queue: FairQueue]> {
    return this.#byRoute.entries();
  }

  /** Undefined for the route of a removed connector: batches are leased on known routes only. */
  for(route: string): FairQueue | undefined {
    const known = this.#byRoute.get(route);
    if (known || ![...this.#routes()].includes(route)) return known;
    const queue = new FairQueue();
    this.#byRoute.set(route, queue);
    return queue;
  }

  /** Returns the queue of a message; undefined when its connector was removed. */
  of(message: DueMessage): FairQueue | undefined {
    return this.for(routeOf(message));
  }

  /** Number of messages of a route: of a lane, or of one account in it. */
  waiting(route: string, lane: Lane, accountId?: number): number {
    return this.#byRoute.get(route)?.waiting(lane, accountId) ?? 0;
  }

  /** Removes and returns the messages for which `unwanted` holds. */
  remove(unwanted: (message: DueMessage) => boolean): DueMessage[] {
    return [...this.#byRoute.values()].flatMap((queue) => queue.remove(unwanted));
  }

  /** Removes the queue of a connector that was removed, and returns its messages. */
  removeOwn(name: string): DueMessage[] {
    const queue = this.#byRoute.get(name);
    if (!queue || this.#deps.routing.has(name)) return [];
    this.#byRoute.delete(name);
    return queue.remove(() => true);
  }

  /** Moves the messages of removed routes to the routes that fit them now. Returns those that no route takes here. */
  moveRetired(): readonly DueMessage[] {
    if (!this.#deps.routing.hasRetired) return none;
    const left: DueMessage[] = [];
    for (const [route, queue] of this.#byRoute) {
      if (!this.#deps.routing.isRetired(route)) continue;
      for (const message of queue.remove(() => true)) {
        this.moveOn(message);
        const other = this.of(message);
        if (other) other.giveBack(message);
        else left.push(message);
      }
      this.#byRoute.delete(route);
    }
    return left;
  }

  /** Gives a message of a removed route the one that fits it now. */
  moveOn(message: DueMessage): void {
    const { accountId, source, destination, batch, rule } = message;
    const kind = kindOf(batch.lane, rule);
    const routed = { accountId, source, destination, kind, at: batch.dueAt };
    message.route = phoneRouteOf(this.#deps.routing, routed, batch.channel);
  }
}

/** Returns the route on which a message waits. */
export const routeOf = ({ route, batch }: DueMessage): string => route ?? batch.route;
