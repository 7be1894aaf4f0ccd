import { type Logger, pino } from 'pino';
import { PostgresError } from '../database/errors.ts';

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
    },
    destination ?? pino.destination({ dest: 2, sync: false }),
  );
}

/** Keeps the country part and the last two digits: `972501234567` → `97250…67`. */
export function maskNumber(digits: string): string {
  return digits.length < 8 ? '…' : `${digits.slice(0, 5)}…${digits.slice(-2)}`;
}

// Data exceptions: their messages quote the value.
const quotesValue = /^22/;

/** An error as it is logged: of one of the database without what it says of rows, which are texts and phone numbers. */
function showError(error: unknown): object {
  const shown = pino.stdSerializers.err(error as Error);
  if (!(error instanceof PostgresError)) return shown;
  const { type, message, stack, name, code, severity, table_name, constraint_name, routine } =
    shown as Record<string, unknown>;
  const rest = { type, name, code, severity, table_name, constraint_name, routine };
  if (!quotesValue.test(error.code)) return { ...rest, message, stack };
  return { ...rest, message: '[redacted]', stack: String(stack).replace(error.message, '[redacted]') };
}
