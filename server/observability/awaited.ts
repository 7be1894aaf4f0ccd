import type { Logger } from './log.ts';

const EVERY_MS = 3_000;

/** Waits for `work`, and says every three seconds what is waited for, and for how long. Throws what `work` throws. */
export async function awaited<T>(log: Logger | undefined, what: string, work: Promise<T>): Promise<T> {
  const began = performance.now();
  const timer = setInterval(() => {
    log?.info({ seconds: Math.round((performance.now() - began) / 1_000) }, `the start waits: ${what}`);
  }, EVERY_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
