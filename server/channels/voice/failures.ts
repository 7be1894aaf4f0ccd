import { ownCodes, status } from '../../kit/statuses.ts';
import type { FailureReasons } from '../contract/channel.ts';
import type { commonReasons, ReasonTable } from '../contract/failures.ts';

const reasons = {
  busy: ['recipient', 'The line was busy at every attempt.', 'Call again later, or send an SMS.'],
  'no-answer': [
    'recipient',
    'Nobody answered, or the phone was off, at every attempt.',
    'Call at another hour, or send an SMS.',
  ],
  'hung-up': [
    'recipient',
    'The recipient answered and hung up before the end of the message.',
    'Put the important part into the first words, or send an SMS.',
  ],
  'call-declined': [
    'recipient',
    'The recipient declined the call, or does not accept calls of this kind.',
    'Do not call them again, or send an SMS.',
  ],
  'no-such-number': ['customer', 'The phone number does not exist.', 'Correct the number.'],
  'no-trunk': [
    'us',
    'No trunk accepts calls to this number, or the number belongs to another country and the send allowed domestic numbers only.',
    'Send an SMS, or ask support for calls to this destination.',
  ],
  'trunk-refused': [
    'carrier',
    'The telephone carrier did not connect the call.',
    'Give support the id of the message. The price was refunded.',
  ],
  'no-speech': [
    'us',
    'The text could not be converted to speech.',
    'Tell support that the speech engine does not work. The price was refunded.',
  ],
} as const satisfies ReasonTable;

type Key = keyof typeof commonReasons | keyof typeof reasons;

/** By the code of the trunk, without its details (protocols/sip/outcomes.ts). */
const byCode: ReadonlyMap<string, Key> = new Map([
  ['BUSY', 'busy'],
  ['NO_ANSWER', 'no-answer'],
  ['UNAVAILABLE', 'no-answer'],
  ['ENDED_EARLY', 'hung-up'],
  ['DECLINED', 'call-declined'],
  ['FORBIDDEN', 'call-declined'],
  ['UNWANTED', 'call-declined'],
  ['NO_SUCH_NUMBER', 'no-such-number'],
  [ownCodes.expired, 'waited-too-long'],
  [ownCodes.validityOver, 'waited-too-long'],
  ['speech', 'no-speech'],
]);

/** Reasons of failed calls, by the code of the trunk. */
export const voiceFailures: FailureReasons = {
  reasons,

  keyOf({ status: ended, code, submitted }, known) {
    if (ended === status.notLegal && !submitted) return 'composed';
    if (ended === status.noPermission) return 'no-trunk';
    if (code === null || ended === status.deleted || ended === status.unknown) return known;
    return byCode.get(code.split('/', 1)[0]!) ?? 'trunk-refused';
  },
};
