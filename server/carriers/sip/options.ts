import type { Clock } from '../../clock.ts';
import type { Logger } from '../../observability/log.ts';
import type { OutgoingMessage } from '../carrier.ts';
import type { SpokenMessage } from './prompt.ts';

/** A call that came in on a trunk. */
export interface IncomingCall {
  /** The caller, as the trunk says: digits, with the country's code where the trunk gives it; '' when withheld. */
  readonly from: string;
  /** The number that was called, digits. */
  readonly to: string;
}

/** What a trunk needs of other modules. */
export interface SipTrunkOptions {
  readonly log: Logger;
  /** For validity; time-outs are the machine's. */
  readonly clock: Clock;
  /** What a message's call plays. A rejection settles the message as a retry with the code `speech`. */
  readonly prompt: (message: OutgoingMessage) => Promise<SpokenMessage>;
  /** Told of every call that comes from the trunk, once. It is declined (603) without an answer, so it costs nobody anything. */
  readonly onIncomingCall?: (call: IncomingCall) => void;
}
