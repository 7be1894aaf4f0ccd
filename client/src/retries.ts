/** Milliseconds before the second attempt; each further pause is twice as long. */
const FIRST_MS = 500;
const LONGEST_MS = 8_000;

/**
 * Returns the milliseconds before the next attempt: those that the service asks for, or a growing pause. Both are
 * extended by a random part, so that clients that failed together do not retry together.
 *
 * @param attempt number of attempts so far
 * @param retryAfter the header `Retry-After`: seconds, or a date
 */
export function pauseBefore(attempt: number, retryAfter: string | null): number {
  const grown = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1));
  const asked = retryAfter === null ? undefined : askedPause(retryAfter);
  return asked === undefined ? grown * (0.5 + Math.random() / 2) : asked + FIRST_MS * Math.random();
}

function askedPause(retryAfter: string): number | undefined {
  const seconds = Number(retryAfter);
  const asked = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds * 1_000;
  return Number.isNaN(asked) ? undefined : Math.max(0, asked);
}

/** Waits. Rejects with the reason of the signal when it aborts first. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    function stop(): void {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Returns a new send key: 128 random bits. */
export function newSendKey(): string {
  // `crypto.randomUUID` does not exist on pages without TLS.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
