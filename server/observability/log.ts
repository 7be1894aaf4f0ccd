import { type Logger, pino } from 'pino';
import { currentSpan } from './tracing/tracing.ts';

export type { Logger } from 'pino';

/**
 * The one place where loggers are made. Message texts, codes, tokens, passwords and whole phone numbers never
 * go into a log: what names a person goes through `maskNumber`, and the redaction here is the second net.
 */
export function createLogger(level: string, destination?: { write(line: string): void }): Logger {
  return pino(
    {
      level,
      base: null,
      redact: {
        paths: ['text', 'message', 'password', 'token', 'code', 'secret', 'authorization', '*.authorization'],
        censor: '[redacted]',
      },
      serializers: { err: showError },
      timestamp: pino.stdTimeFunctions.isoTime,
      // Pino writes into it.
      mixin: () => ({ ...currentSpan()?.logged }),
    },
    destination ?? pino.destination({ dest: 2, sync: false }),
  );
}

/** Keeps the country part and the last two digits: `972501234567` → `97250…67`. */
export function maskNumber(digits: string): string {
  return digits.length < 8 ? '…' : `${digits.slice(0, 5)}…${digits.slice(-2)}`;
}

/** The method of an error that has something in it which must not be logged. */
export const asLogged = Symbol('as it is logged');

/** An error that says itself what is logged of it. */
export interface LoggedError extends Error {
  /** `shown` is what would be logged of another error. */
  [asLogged](shown: Readonly<Record<string, unknown>>): object;
}

function showError(error: unknown): object {
  const shown = pino.stdSerializers.err(error as Error);
  return error instanceof Error && asLogged in error
    ? (error as LoggedError)[asLogged](shown as unknown as Readonly<Record<string, unknown>>)
    : shown;
}
