import type { OutgoingMessage } from '../../engine/carriers/carrier.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/observability/log.ts';
import type { SpokenMessage } from './prompt.ts';

/** An incoming call on a trunk. */
export interface IncomingCall {
  /** Caller in digits, as reported by the trunk: with the country code if the trunk sends it; '' when withheld. */
  readonly from: string;
  /** Called number, digits. */
  readonly to: string;
}

/** Dependencies of a trunk on other modules. */
export interface SipTrunkOptions {
  readonly log: Logger;
  /** Clock for validity; timeouts use the machine's. */
  readonly clock: Clock;
  /**
   * Returns the audio that the call of a message plays. A rejection settles the message as a retry with the code
   * `speech`.
   */
  readonly prompt: (message: OutgoingMessage) => Promise<SpokenMessage>;
  /**
   * Called once for every call from the trunk. The call is declined (603) without being answered, so it costs the
   * caller nothing.
   */
  readonly onIncomingCall?: (call: IncomingCall) => void;
}
