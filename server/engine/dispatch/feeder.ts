import type { Context } from '../../kit/context.ts';
import { ownCodes, status } from '../../kit/statuses.ts';
import type { Share } from '../carriers/route.ts';
import type { Routing } from '../carriers/routing.ts';
import { type Lane, laneNames } from '../messages/lanes.ts';
import type { DueMessage } from './batches.ts';
import type { FairQueue } from './fair-queue.ts';
import type { HeldConnector } from './held-connector.ts';
import type { HeldConnectors } from './held-connectors.ts';
import { submitSeconds } from './metrics.ts';
import type { Outcomes } from './outcomes.ts';
import type { Permits } from './permits.ts';
import type { ResumedBatches } from './resumed-batches.ts';
import { type RouteQueue, routeOf } from './route-queues.ts';
import { Sharing } from './sharing.ts';
import type { StoppedShipments } from './stopped-shipments.ts';
import { beginSubmit, endSubmit, isTraced } from './traces.ts';

const waitOf = laneNames.map((lane) => submitSeconds.labels(lane));

interface FeederDeps extends Pick<Context, 'clock' | 'channels' | 'tracing'> {
  readonly connectors: HeldConnectors;
  readonly routing: Routing;
  /** Applies the sending policies of accounts to messages. */
  readonly permits: Permits;
  readonly stopped: StoppedShipments;
  readonly outcomes: Outcomes;
  readonly resumed: ResumedBatches;
}

/** Submits waiting messages over the connectors of their route. */
export class Feeder {
  readonly #deps: FeederDeps;
  readonly #sharings = new Map<string, Sharing>();

  constructor(deps: FeederDeps) {
    this.#deps = deps;
  }

  /** Submits waiting messages over the connectors that share them now, while one of them has capacity. */
  feed({ route, queue, choice }: RouteQueue, shares: readonly Share[]): void {
    const now = this.#deps.clock.now();
    let open = shares.flatMap((share) => {
      const connector = this.#deps.connectors.upOf(share);
      const room = connector?.room ?? 0;
      return connector && room > 0 ? [{ name: share.connector, weight: share.weight, connector, room }] : [];
    });
    while (open.length > 0) {
      const sharer = open.length === 1 ? open[0]! : this.#sharingOf(route).next(open);
      const message = this.#next(queue, sharer.connector.lowestLane, now);
      // Another connector may still have capacity for a lower lane.
      if (!message) open = open.filter((other) => other !== sharer);
      if (!message) continue;
      const connector = message.left
        ? this.#deps.connectors.otherThan(message.left, route, choice)
        : sharer.connector;
      if (!connector) {
        this.#deps.outcomes.putBack(message, 'no-connection');
        continue;
      }
      const used = open.find((other) => other.connector === connector);
      if (used && --used.room === 0) open = open.filter((other) => other !== used);
      connector.add(1);
      waitOf[message.batch.lane]!.observe(Math.max(0, now - message.batch.dueAt) / 1000);
      this.#submit(connector, message, now);
    }
  }

  /**
   * Notes that a message leaves a connector that did not take it, with this code, for another one of its route. False if the route
   * does not say so, or no other connector is up.
   */
  leaves({ name }: HeldConnector, message: DueMessage, code: string): boolean {
    const { routing, connectors } = this.#deps;
    const route = routeOf(message);
    if (!routing.leaveRuleOf(route)?.codes.has(code)) return false;
    const left = new Set([...(message.left ?? []), name]);
    if (!connectors.hasOtherThan(left, route)) return false;
    message.left = left;
    return true;
  }

  #submit(connector: HeldConnector, message: DueMessage, now: number): void {
    const { tracing, channels } = this.#deps;
    const span = tracing && isTraced(message) && beginSubmit(tracing, channels, connector, message, now);
    connector.submit(message, (outcome) => {
      if (span) endSubmit(span, outcome);
      this.#deps.outcomes.handle(connector, message, outcome);
    });
  }

  #sharingOf(route: string): Sharing {
    let sharing = this.#sharings.get(route);
    if (!sharing) {
      sharing = new Sharing();
      this.#sharings.set(route, sharing);
    }
    return sharing;
  }

  /** Returns the next message to submit from a queue; settles those that must no longer be submitted. */
  #next(queue: FairQueue, lowestLane: Lane, now: number): DueMessage | undefined {
    const { stopped, permits, outcomes, resumed } = this.#deps;
    for (let message = queue.take(lowestLane); message; message = queue.take(lowestLane)) {
      // It was read just before it was cancelled or paused.
      if (stopped.isCancelled(message)) outcomes.settled(message);
      else if (stopped.isPaused(message.shipmentId)) outcomes.putBack(message, 'paused');
      else if (permits.isSuspended(message.accountId)) outcomes.putBack(message, 'suspended');
      else if (message.isUnreadable) outcomes.fail(message, status.undelivered, ownCodes.textLost);
      else if (message.validUntil <= now) outcomes.expire(message);
      else {
        const hold = permits.holdOf(message, now);
        if (hold) outcomes.hold(message, hold);
        else if (!resumed.mustWait(message)) return message;
        else if (!resumed.keep(message, queue)) return undefined;
      }
    }
    return undefined;
  }
}
