import type { BatchLease } from './store-messages.ts';
import type { AccountPlan } from './store-shipments.ts';

/** Passes accepted messages directly to the dispatcher of this process, if it has free capacity. */
export interface HandOver {
  /**
   * Returns, for each plan, the lease to store with its batches; undefined means that a dispatcher claims them later.
   */
  leasesFor(plans: readonly AccountPlan[]): readonly (BatchLease | undefined)[];
  /** Passes on the messages of plans that were stored with a lease. */
  take(plans: readonly AccountPlan[]): void;
}
