/** The pause before the second attempt, in milliseconds; each further one is twice as long. */
const FIRST_MS = 500;
const LONGEST_MS = 8_000;

/**
 * How long to wait before the next attempt, in milliseconds: what the service asks for, or a growing pause, each longer by a
 * random part, so that clients that failed together do not come again together.
 *
 * @param attempt how many there were
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

/** Waits. Rejects with the reason of the signal when that comes first. */
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

/** A new send key: 128 random bits. */
export function newSendKey(): string {
  // `crypto.randomUUID` is not there on pages without TLS.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
