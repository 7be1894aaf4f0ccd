import type { IncomingCall } from '../../carriers/sip/options.ts';
import type { Context } from '../../context.ts';
import type { NumberReader } from '../../numbers/numbers.ts';
import { maskNumber } from '../../observability/log.ts';
import { callVerifications } from './metrics.ts';

/** Shorter than this, numbers are compared as they are: they have no country. */
const LOCAL_DIGITS = 7;

interface CallVerificationDeps extends Pick<Context, 'log'> {
  /** Calls a landline (E.164 digits) back for those who wait for it; says the result, in a word. */
  readonly callBack: (phone: string) => Promise<string>;
  readonly numbers: NumberReader;
  /** The number that landlines are told to call; undefined: none, so that no call has a consequence. */
  readonly callNumber: string | undefined;
}

/**
 * Takes calls that ask for the verification of the landline they say they come from. A caller's number can be forged, so it
 * proves nothing: the call, which has been rejected already and cost nobody anything, has that landline called back, and
 * the call back speaks a code. What comes of it is counted.
 */
export class CallVerification {
  readonly #deps: CallVerificationDeps;
  readonly #working = new Set<Promise<void>>();

  constructor(deps: CallVerificationDeps) {
    this.#deps = deps;
  }

  /** Takes a call. Never throws: nobody waits for it. */
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

  /** Fulfilled when nothing is being looked at. */
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

  /** Networks write the number that was called with and without its country. */
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
