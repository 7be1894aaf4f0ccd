import type { BatchLease } from './store-messages.ts';
import type { AccountPlan } from './store-shipments.ts';

/** Hands what has been accepted over to the dispatcher of this process, where it has room for it at once. */
export interface HandOver {
  /** For each plan the lease that its batches are to be stored with; undefined: the dispatcher claims them when it can. */
  leasesFor(plans: readonly AccountPlan[]): readonly (BatchLease | undefined)[];
  /** Takes the messages of plans that were stored with a lease. */
  take(plans: readonly AccountPlan[]): void;
}
