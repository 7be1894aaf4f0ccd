import { ownCodes, status } from '../../kit/statuses.ts';
import type { ErrorName } from '../../protocols/smpp/errors.ts';
import type { FailureReasons } from '../contract/channel.ts';
import type { commonReasons } from '../contract/failures.ts';

type Key = keyof typeof commonReasons;

/**
 * For messages that no carrier accepted: the carrier's response, or our own code. The meaning of other responses is
 * specific to the carrier.
 */
const byAnswer: ReadonlyMap<string, Key> = new Map<ErrorName | (typeof ownCodes)[keyof typeof ownCodes], Key>(
  [
    [ownCodes.tooLong, 'text-too-long'],
    [ownCodes.expired, 'waited-too-long'],
    [ownCodes.validityOver, 'waited-too-long'],
    ['ESME_RINVDSTADR', 'bad-number'],
    ['ESME_RINVDSTTON', 'bad-number'],
    ['ESME_RINVDSTNPI', 'bad-number'],
    ['ESME_RINVDSTADDRSUBUNIT', 'bad-number'],
    ['ESME_RINVSRCADR', 'bad-source'],
    ['ESME_RINVSRCTON', 'bad-source'],
    ['ESME_RINVSRCNPI', 'bad-source'],
    ['ESME_RINVSRCADDRSUBUNIT', 'bad-source'],
    ['ESME_RX_R_APPN', 'content'],
    ['ESME_RPROHIBITED', 'content'],
    ['ESME_RINVMSGLEN', 'text-too-long'],
  ],
);

/** Reasons of failed SMS: by status and, for messages that no carrier accepted, by the carrier's response. */
export const smsFailures: FailureReasons = {
  reasons: {},

  keyOf({ status: ended, code, submitted }, known) {
    if (ended === status.notLegal && !submitted) return 'composed';
    if (ended === status.noPermission && !submitted) return 'abroad';
    // A specific status takes precedence over a carrier's response.
    const isOpen = ended === status.undelivered || ended === status.rejected || ended === status.expired;
    if (submitted || !isOpen || code === null) return known;
    return byAnswer.get(code) ?? 'carrier-refused';
  },
};
