import { knownStatuses } from '../../../server/statuses.ts';
import { type Chapter, inBothForms, inFile, row } from '../row.ts';

const reported = inBothForms('sms-api/delivery-statuses')(
  'every delivery status has its number and its texts in dlr and dlrByDate',
);
const endings = inBothForms('sms-api/delivery-statuses')(
  "the endings of the sandbox's numbers give their statuses",
);
const receipts = inFile('smpp/receipt');
const outcomes = inFile('dispatch/outcomes');
const stored = inFile('dispatch/receipts');
const sms = inBothForms('sms-api/sms');
const lists = inBothForms('sms-api/lists');

/** Where the service itself gives a status. */
const given = new Map([
  ...[-1, 15, 101, 102, 103, 108].map((code) => [code, [endings]] as const),
  [7, [lists('when the credit runs out on the way, the rest fails with status 7 and costs nothing')]],
  [18, [lists('a text that becomes too long is sent to nobody, costs nothing and says so')]],
  [
    104,
    [
      inBothForms('sms-api/cancel')(
        'a scheduled campaign is cancelled whole, once, and its price comes back',
      ),
    ],
  ],
  [201, [sms('blacklisted destinations are skipped, not charged, and 201 in dlr')]],
  [998, [lists('who is blocked, abroad, or got a message lately')]],
]);

/** Decisions, "Delivery statuses": a row for each status, then where they come from. */
export const deliveryStatuses: Chapter = {
  title: 'Delivery statuses',
  bothForms: false,
  rows: [
    ...[...knownStatuses]
      .sort(([a], [b]) => a - b)
      .map(([code, [en]]) => row(String(code), en, reported, ...(given.get(code) ?? []))),
    row(
      'stat',
      'SMPP `stat`: DELIVRD 102, EXPIRED 103, DELETED 104, UNDELIV 101, ACCEPTD and ENROUTE -1, REJECTD 108, UNKNOWN 105',
      receipts('the stat of the text form becomes a delivery status'),
      receipts('the message_state parameter becomes a delivery status'),
    ),
    row(
      'submit',
      'an error of `submit_sm_resp` that will not be retried: 101, or 108 where the network refused content or source',
      outcomes('every error code: refused ones are final and given back, passing ones are tried again later'),
    ),
    row(
      'parts',
      'of several parts: delivered when all are, failed as soon as one has',
      sms('a long message is charged by its parts and arrives in one piece'),
      stored('of a long message, last part first: delivered when all parts are'),
      outcomes('one part of a long message refused: the message has failed, once, and is given back'),
    ),
    row(
      'final',
      'a final status is never overwritten',
      stored('a final status is never overwritten, and one that is not final says nothing yet'),
    ),
  ],
};
