import type { ProcessMetrics } from '../../kit/observability/metrics.ts';

/* Messages between the processes of a group and their supervisor. */

/** A message to the supervisor. */
export type ToSupervisor =
  /** The process has its number. `boot` is its name in leases. */
  | { readonly kind: 'opened'; readonly boot: string }
  | { readonly kind: 'ready' }
  /** The leases of an `endLeases` have ended. */
  | { readonly kind: 'leasesEnded' }
  /** Asks for the metrics of all processes. */
  | { readonly kind: 'gather'; readonly id: number }
  /** The answer to `measure`. */
  | { readonly kind: 'measured'; readonly id: number; readonly metrics: ProcessMetrics };

/** A message to a process of the group. */
export type ToProcess =
  /** Asks to end the leases of processes that have ended. */
  | { readonly kind: 'endLeases'; readonly boots: readonly string[] }
  /** Leases of another process have ended: there may be work and connectors to take. */
  | { readonly kind: 'look' }
  | { readonly kind: 'measure'; readonly id: number }
  /** The answer to `gather`: the metrics of the processes that have answered in time. */
  | { readonly kind: 'gathered'; readonly id: number; readonly all: readonly ProcessMetrics[] };
