/* Names of statuses and refusals that descriptions use. */

/** Statuses of messages, by the names that descriptions use. */
export const stateNames = [
  'sent',
  'delivered',
  'undelivered',
  'expired',
  'rejected',
  'deleted',
  'failed',
  'unreachable',
  'unknown',
] as const;
export type StateName = (typeof stateNames)[number];
/** Outcomes of calls, by the names that descriptions use. */
export const callStateNames = [
  'sent',
  'delivered',
  'hung-up',
  'busy',
  'no-answer',
  'declined',
  'no-such-number',
  'failed',
] as const;
export type CallStateName = (typeof callStateNames)[number];
/** Reasons for which providers refuse messages and calls. */
export const refusalNames = ['rejected', 'undelivered', 'unreachable'] as const;
export const callRefusalNames = ['declined', 'no-such-number', 'failed'] as const;
