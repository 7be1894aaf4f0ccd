/** One exchange with a carrier during a trial. */
export interface TrialStep {
  /** In the protocol's terms: `connect`, `bind_transmitter`, `OPTIONS`. */
  readonly name: string;
  readonly isAccepted: boolean;
  /** The other side's answer, or the error. */
  readonly answer: string;
  /** Duration in milliseconds. */
  readonly milliseconds: number;
}

/** Result of a test connection to a carrier, separate from the connections that carry messages. */
export interface Trial {
  readonly isAccepted: boolean;
  readonly steps: readonly TrialStep[];
}

/** Maximum duration of a trial, in milliseconds. */
export const TRIAL_MS = 10_000;

/** The exchanges of a trial, up to the first one that was not accepted. */
export class TrialSteps {
  readonly #steps: TrialStep[] = [];
  readonly #deadline = performance.now() + TRIAL_MS;

  /**
   * Runs an exchange and returns whether it was accepted. `exchange` returns the answer; it throws, or returns
   * `refused`, when the exchange was not accepted. An exchange that exceeds the trial's time counts as unanswered.
   */
  async do(name: string, exchange: () => Promise<string | { readonly refused: string }>): Promise<boolean> {
    const since = performance.now();
    const { promise: late, resolve } = Promise.withResolvers<{ refused: string }>();
    const timer = setTimeout(() => resolve({ refused: 'no answer' }), Math.max(0, this.#deadline - since));
    const answer = await Promise.race([exchange(), late]).catch((error: unknown) => ({
      refused: wordOf(error),
    }));
    clearTimeout(timer);
    const isAccepted = typeof answer === 'string';
    this.#steps.push({
      name,
      isAccepted,
      answer: isAccepted ? answer : answer.refused,
      milliseconds: Math.round(performance.now() - since),
    });
    return isAccepted;
  }

  get trial(): Trial {
    return { isAccepted: this.#steps.every(({ isAccepted }) => isAccepted), steps: this.#steps };
  }
}

const MAX_ANSWER = 200;

/** Returns an error as operators see it: its code and its message. */
function wordOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const words = typeof code === 'string' && !String(message).includes(code) ? `${code}: ${message}` : message;
  return String(words).slice(0, MAX_ANSWER);
}
