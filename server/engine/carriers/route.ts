import type { RouteConditions } from './route-conditions.ts';

/**
 * A connector of a route, and its share of the messages in its group: twice the weight means twice as many messages.
 */
export interface Share {
  readonly connector: string;
  readonly weight: number;
}

/** The connectors for messages to some prefixes that fulfil its conditions. The first one that is up is used. */
export interface Route {
  readonly name: string;
  /** E.164 prefixes; '' matches every destination. */
  readonly prefixes: readonly string[];
  readonly conditions?: RouteConditions;
  /** Names of connectors, in fallback order. */
  readonly connectors: readonly string[];
  /** Groups of connectors that share the load, in fallback order. Without it, each connector is a group. */
  readonly shares?: readonly (readonly Share[])[];
  /** Prefers connectors with a high delivered or used share for the prefix of a message. */
  readonly quality?: QualityRule;
  readonly leave?: LeaveRule;
}

/** Which connectors count as good, from 0 to 1. */
export interface QualityRule {
  /** Least share of messages that are delivered; undefined: it does not matter. */
  readonly minDelivered?: number | undefined;
  /** Least share of one-time codes that are used, for messages that are codes; undefined: it does not matter. */
  readonly minUsed?: number | undefined;
  /** Share of messages that uses connectors with too few measured messages, although other connectors are good. */
  readonly explore: number;
}

/** When messages go over another connector of the route, although theirs is up. */
export interface LeaveRule {
  /** Codes of outcomes after which a message does. */
  readonly codes: ReadonlySet<string>;
  /** Milliseconds in which the connector has taken no message because the carrier throttles. */
  readonly throttledMs?: number | undefined;
  /** Milliseconds without a receipt for the messages that it has taken, while other connectors of the route get some. */
  readonly silentMs?: number | undefined;
}

/** The connectors for some messages of a route. */
export interface Choice {
  /** The same for messages with the same groups: they wait in one queue. */
  readonly key: string;
  /** Groups of connectors that share the load, in fallback order. */
  readonly groups: readonly (readonly Share[])[];
}
