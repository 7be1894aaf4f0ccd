import { CALL_CHANNEL, TEXT_CHANNEL } from '../../channels/contract/channels.ts';
import type { Queryable } from '../../database/connection.ts';
import { nestedText, openedText } from '../../database/sealed-text.ts';

/** Recipients of SMS and calls in a send with a voice (interface, B3). */
export const callTypes = {
  /** A call to kosher phones, an SMS to others. */
  kosher: 2,
  /** An SMS and a call to everyone. */
  both: 3,
  /** A call to everyone. */
  callOnly: 4,
} as const;
type CallType = (typeof callTypes)[keyof typeof callTypes];

/** Call settings of a send, stored unchanged with its shipment. */
export interface CallInput {
  readonly type: CallType;
  /** A name of the interface, like `ymMale`. */
  readonly voice: string;
  /** -10 to 10. */
  readonly rate: number;
  /** Number of repetitions in one call. */
  readonly repeat: number;
  /** Spoken text: the message without its visual parts, such as links. */
  readonly text: string;
}

const sms = [TEXT_CHANNEL];
const voice = [CALL_CHANNEL];
const both = [TEXT_CHANNEL, CALL_CHANNEL];

/** Returns the channels on which a phone receives a message; each needs a separate message. */
export function legsOf(
  call: Pick<CallInput, 'type'> | undefined,
  phone: string,
  isKosher: (phone: string) => boolean,
): readonly number[] {
  if (!call) return sms;
  if (call.type === callTypes.both) return both;
  return call.type === callTypes.callOnly || isKosher(phone) ? voice : sms;
}

/** Returns a call for `shipments.call`: its text may be sealed, while statements can read the other fields. */
export function storedCall(sql: Queryable, accountId: number, call: CallInput | undefined) {
  if (!call) return undefined;
  return { ...call, text: nestedText(sql.waitingText(accountId, call.text)) };
}

/** Returns the call in `shipments.call` with its text decrypted. */
export const openedCall = <T extends object>(call: T | null): T | null =>
  call && 'text' in call && typeof call.text === 'string' ? { ...call, text: openedText(call.text) } : call;
