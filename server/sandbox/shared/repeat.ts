import { setTimeout as pause } from 'node:timers/promises';

/** Repeated work. */
export interface Repeated {
  /** Stops it. Resolves when the current step has ended. */
  stop(): Promise<void>;
}

/** Runs a step immediately, and again `everyMs` milliseconds after each end. Passes its errors to `failed`. */
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
