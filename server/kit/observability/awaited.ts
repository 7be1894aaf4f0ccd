import type { Logger } from './log.ts';

const EVERY_MS = 3_000;

/**
 * Waits for `work`, and logs every three seconds what the start is waiting for and since when. Throws errors of `work`.
 */
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
