import { setTimeout as pause } from 'node:timers/promises';

/** Work that is repeated until it is stopped. */
export interface Repeated {
  /** Ends it; fulfilled when the step that is under way is over. */
  stop(): Promise<void>;
}

/** Does a step at once and again so many milliseconds after it has ended; what it throws goes to `failed`. */
export function repeat(
  everyMs: number,
  step: (stopping: AbortSignal) => Promise<unknown>,
  failed: (error: unknown) => void,
): Repeated {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    while (!signal.aborted) {
      await step(signal).catch((error: unknown) => {
        if (!signal.aborted) failed(error);
      });
      await pause(everyMs, undefined, { signal }).catch(() => {});
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
