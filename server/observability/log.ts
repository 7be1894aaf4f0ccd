import { type Logger, pino } from 'pino';

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
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination ?? pino.destination({ dest: 2, sync: false }),
  );
}

/** Keeps the country part and the last two digits: `972501234567` → `97250…67`. */
export function maskNumber(digits: string): string {
  return digits.length < 8 ? '…' : `${digits.slice(0, 5)}…${digits.slice(-2)}`;
}
