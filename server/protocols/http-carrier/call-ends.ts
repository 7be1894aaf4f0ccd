import type { CarrierReceipt } from '../../engine/carriers/carrier.ts';
import { status as statuses } from '../../kit/statuses.ts';
import type { CallStateName, StateName } from './state-names.ts';

/** How a call ended, with the code of SIP trunks (protocols/sip/outcomes.ts), so that failures have the same reasons. */
interface CallEnd {
  readonly code: string;
  readonly status: number;
  /** Whether somebody answered: such a call is charged. */
  readonly isAnswered?: true;
}

const ends: Readonly<Record<Exclude<CallStateName, 'sent'>, CallEnd>> = {
  delivered: { code: 'HEARD', status: statuses.delivered, isAnswered: true },
  'hung-up': { code: 'ENDED_EARLY', status: statuses.undelivered, isAnswered: true },
  busy: { code: 'BUSY', status: statuses.undelivered },
  'no-answer': { code: 'NO_ANSWER', status: statuses.timeout },
  declined: { code: 'DECLINED', status: statuses.rejected },
  'no-such-number': { code: 'NO_SUCH_NUMBER', status: statuses.undelivered },
  failed: { code: 'REFUSED', status: statuses.voiceFailed },
};

/** Maximum characters of a code that is stored with a message. */
const MAX_CODE = 60;

const isEnd = (state: string | undefined): state is keyof typeof ends =>
  state !== undefined && Object.hasOwn(ends, state);

/** Returns status and code of a call that the provider refused when it got the request. */
export function callRefusal(state: 'declined' | 'no-such-number' | 'failed', code: string) {
  const end = ends[state];
  return { status: end.status, code: joined(end.code, code) };
}

/**
 * Returns status and code of a reported call. A call that nobody answered counts as never submitted, so its price is refunded, as
 * over a SIP trunk.
 *
 * @param state its state; undefined for a word that the description does not list
 * @param code the provider's word, with its error
 */
export function callEndOf(
  state: StateName | CallStateName | undefined,
  code: string,
): Pick<CarrierReceipt, 'status' | 'code' | 'isReversed'> {
  // An unknown word says nothing about the end of the call.
  if (!isEnd(state)) return { status: statuses.sent, code };
  const { status, code: own, isAnswered } = ends[state];
  // After the slash of an answered call stand the seconds that were heard, which providers do not tell.
  return isAnswered ? { status, code: own } : { status, code: joined(own, code), isReversed: true };
}

const joined = (own: string, code: string): string =>
  code === '' ? own : `${own}/${code}`.slice(0, MAX_CODE);
