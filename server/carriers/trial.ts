/** One exchange of a trial with a carrier. */
export interface TrialStep {
  /** In the words of the protocol: `connect`, `bind_transmitter`, `OPTIONS`. */
  readonly name: string;
  readonly isAccepted: boolean;
  /** What the other side answered, or the error. */
  readonly answer: string;
  /** How long it took, in milliseconds. */
  readonly milliseconds: number;
}

/** What a carrier answered to a connection that was made to see whether it works, beside those that carry messages. */
export interface Trial {
  readonly isAccepted: boolean;
  readonly steps: readonly TrialStep[];
}

/** How long a trial takes at most, in milliseconds. */
export const TRIAL_MS = 10_000;

/** The exchanges of a trial, up to the first that is not accepted. */
export class TrialSteps {
  readonly #steps: TrialStep[] = [];
  readonly #deadline = performance.now() + TRIAL_MS;

  /**
   * Does an exchange; false when it was not accepted. `exchange` gives the answer, and throws, or gives `refused`, for one
   * that is not accepted. What it does not end in time has no answer.
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

/** An error as operators are told it: its code, and what it says. */
function wordOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const words = typeof code === 'string' && !String(message).includes(code) ? `${code}: ${message}` : message;
  return String(words).slice(0, MAX_ANSWER);
}
