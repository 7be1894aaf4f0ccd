import { CALL_CHANNEL, TEXT_CHANNEL } from '../channel-contract/channels.ts';
import type { Queryable } from '../database/connection.ts';
import { nestedText, openedText } from '../database/sealed-text.ts';

/** Who gets what of a send with a voice (interface, B3). */
export const callTypes = {
  /** A call where the phone is a kosher one, an SMS elsewhere. */
  kosher: 2,
  /** An SMS and a call to everyone. */
  both: 3,
  /** A call to everyone. */
  callOnly: 4,
} as const;
type CallType = (typeof callTypes)[keyof typeof callTypes];

/** What a send with a voice asks for; stored with its shipment as it is. */
export interface CallInput {
  readonly type: CallType;
  /** A name of the interface, like `ymMale`. */
  readonly voice: string;
  /** -10 to 10. */
  readonly rate: number;
  /** How often it is said in one call. */
  readonly repeat: number;
  /** What is read aloud: the message without what only eyes can use. */
  readonly text: string;
}

const sms = [TEXT_CHANNEL];
const voice = [CALL_CHANNEL];
const both = [TEXT_CHANNEL, CALL_CHANNEL];

/** The channels by which a phone gets a message, each of them a message of its own. */
export function legsOf(
  call: Pick<CallInput, 'type'> | undefined,
  phone: string,
  isKosher: (phone: string) => boolean,
): readonly number[] {
  if (!call) return sms;
  if (call.type === callTypes.both) return both;
  return call.type === callTypes.callOnly || isKosher(phone) ? voice : sms;
}

/** A call as `shipments.call` has it: its text may be sealed, while statements read the rest. */
export function storedCall(sql: Queryable, accountId: number, call: CallInput | undefined) {
  if (!call) return undefined;
  return { ...call, text: nestedText(sql.waitingText(accountId, call.text)) };
}

/** A call of what stands in `shipments.call`. */
export const openedCall = <T extends object>(call: T | null): T | null =>
  call && 'text' in call && typeof call.text === 'string' ? { ...call, text: openedText(call.text) } : call;
