import type { Context } from '../../kit/context.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';
import { maskNumber } from '../../kit/observability/log.ts';
import type { IncomingCall } from '../../protocols/sip/options.ts';
import { callVerifications } from './metrics.ts';

/** Numbers with fewer digits are compared as they are, because they have no country. */
const LOCAL_DIGITS = 7;

interface CallVerificationDeps extends Pick<Context, 'log'> {
  /** Calls a landline (E.164 digits) back for its waiting requests. Returns the result as a word. */
  readonly callBack: (phone: string) => Promise<string>;
  readonly numbers: NumberReader;
  /** The number that landlines must call; undefined: calls have no effect. */
  readonly callNumber: string | undefined;
}

/**
 * Handles calls that request the verification of the landline that they claim to come from. A caller's number can be
 * forged, so it proves nothing: the incoming call, which has been rejected without cost, only causes a call back to
 * that landline, which speaks a code. Outcomes are counted.
 */
export class CallVerification {
  readonly #deps: CallVerificationDeps;
  readonly #working = new Set<Promise<void>>();

  constructor(deps: CallVerificationDeps) {
    this.#deps = deps;
  }

  /** Handles a call. Never throws, because nobody waits for it. */
  take(call: IncomingCall): void {
    const work = this.#verify(call).then(
      (outcome) => callVerifications.inc({ outcome }),
      (error: unknown) => {
        callVerifications.inc({ outcome: 'failed' });
        this.#deps.log.error({ err: error }, 'incoming call not checked for a verification');
      },
    );
    this.#working.add(work);
    void work.then(() => this.#working.delete(work));
  }

  /** Resolves when no call is being handled. */
  async idle(): Promise<void> {
    await Promise.all(this.#working);
  }

  async #verify({ from, to }: IncomingCall): Promise<string> {
    const { callBack, numbers, log, callNumber } = this.#deps;
    if (callNumber === undefined || !this.#isSame(to, callNumber)) return 'other-number';
    const phone = numbers.parse(from)?.digits;
    if (phone === undefined) return 'unknown';
    const outcome = await callBack(phone);
    if (outcome !== 'unknown')
      log.info({ phone: maskNumber(phone), outcome }, 'a call came in for a verification');
    return outcome;
  }

  /** Networks send the called number with or without its country. */
  #isSame(to: string, callNumber: string): boolean {
    const { numbers } = this.#deps;
    const [called, ours] = [to, callNumber].map(
      (text) => numbers.parse(text)?.digits ?? text.replace(/\D/g, ''),
    );
    if (called === ours) return true;
    return (
      called!.length >= LOCAL_DIGITS && ours!.length >= LOCAL_DIGITS && called!.slice(-7) === ours!.slice(-7)
    );
  }
}
