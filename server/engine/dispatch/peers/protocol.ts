import type { Lane } from '../../messages/lanes.ts';
import type { HandedPlan } from './handed-plans.ts';

/** Version of the protocol. Processes of different versions do not connect to each other. */
export const PROTOCOL = 1;

/** First frame, from the dispatcher. */
export interface Challenge {
  readonly protocol: number;
  readonly nonce: string;
}

/** Second frame, from the process that accepts. */
export interface Response {
  /** This run of the process (`processes.boot`). */
  readonly owner: string;
  readonly nonce: string;
  readonly proof: string;
}

/** Third frame, from the dispatcher. */
export interface Welcome {
  /** Owner of the leases of the dispatcher. */
  readonly owner: string;
  readonly proof: string;
}

/** Messages that a dispatcher can take. */
export interface Capacity {
  /** Free places of each lane by route, for routes with a connector that is up: `otp`, then `single`. */
  readonly routes: readonly (readonly [route: string, otp: number, single: number])[];
  /** Accounts with older messages in the database, by lane; null for too many to list. */
  readonly due: readonly (readonly number[] | null)[];
}

/** State of a dispatcher, sent when it changes, and regularly otherwise. */
export interface DispatcherState extends Capacity {
  /** Number of frames with messages of this connection that the dispatcher has taken. */
  readonly taken: number;
  /** Number of hints of this connection that it has followed. */
  readonly hints: number;
  /** Whether it stops and gets no more messages. */
  readonly stops: boolean;
}

/** A frame from the process that accepts. */
export interface HandedFrame {
  /** Messages of plans that were stored with a lease for the dispatcher. */
  readonly plans?: readonly HandedPlan[];
  /** Accounts and lanes with new work that a dispatcher must claim. */
  readonly due?: readonly (readonly [accountId: number, lane: Lane])[];
}
