import { knownStatuses } from '../../../server/kit/statuses.ts';
import { chapter, row } from '../row.ts';

/** Decisions, "Delivery statuses": a row for each status, then where they come from. */
export const deliveryStatuses = chapter({
  key: 'delivery',
  title: 'Delivery statuses',
  bothForms: false,
  rows: [
    ...[...knownStatuses].sort(([a], [b]) => a - b).map(([code, [en]]) => row(`${code}`, en)),
    row(
      'stat',
      'SMPP `stat`: DELIVRD 102, EXPIRED 103, DELETED 104, UNDELIV 101, ACCEPTD and ENROUTE -1, REJECTD 108, UNKNOWN 105',
    ),
    row(
      'submit',
      'an error of `submit_sm_resp` that will not be retried: 101, or 108 where the network refused content or source',
    ),
    row('parts', 'of several parts: delivered when all are, failed as soon as one has'),
    row('final', 'a final status is never overwritten'),
  ],
});
