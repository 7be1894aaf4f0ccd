/** Roles of a process: serve requests, send messages, run jobs. */
export const roles = ['api', 'dispatch', 'jobs'] as const;
export type Role = (typeof roles)[number];

/** The processes of one `carillon start` (PROCESSES), and the place of this one. */
export interface ProcessGroup {
  readonly count: number;
  /** From 0. A process that replaces one that has ended has the same index. */
  readonly index: number;
  /** Whether no other process of the group runs yet: leases in an embedded database are those of an earlier run. */
  readonly isFirst: boolean;
}

/** A process without others. */
export const oneProcess: ProcessGroup = { count: 1, index: 0, isFirst: true };
