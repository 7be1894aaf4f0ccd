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
  /** Codes of outcomes after which a message goes over another connector of the route. */
  readonly leaveCodes?: ReadonlySet<string>;
}
