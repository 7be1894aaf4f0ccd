import { status } from '../../kit/statuses.ts';

/** States of delivery receipts (SMPP 3.4, appendix B), by our statuses; UNDELIV for others. */
const states: ReadonlyMap<number, string> = new Map([
  [status.delivered, 'DELIVRD'],
  [status.expired, 'EXPIRED'],
  [status.deleted, 'DELETED'],
  [status.unknown, 'UNKNOWN'],
  [status.rejected, 'REJECTD'],
]);

/** Returns the state of a delivery receipt for a final status. */
export const receiptStateOf = (final: number): string => states.get(final) ?? 'UNDELIV';
