import { hostname } from 'node:os';
import { type Logger, pino } from 'pino';
import { version } from '../version.ts';
import { noteError } from './last-error.ts';
import { textOf } from './text-log.ts';
import { currentSpan } from './tracing/tracing.ts';

export type { Logger } from 'pino';

/**
 * Creates a logger; all loggers of the service come from here. Message texts, codes, tokens, passwords and whole phone
 * numbers must never be logged: callers mask personal data with `maskNumber`, and this redaction is the second line of
 * defence.
 */
export function createLogger(level: string, destination: Destination = standardError()): Logger {
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
      // A new object for each line, because pino writes into it.
      mixin: () => ({ ...identity, ...currentSpan()?.logged }),
      hooks: {
        // The log of outages reports and counts these errors. A line for each of them would hide everything else.
        logMethod(given, method, at) {
          if (at > pino.levels.values.debug! && isOfOutage(given[0])) {
            this.debug(...given);
            return;
          }
          // The message is the first argument, or follows the object with its values.
          const text = given.find((value) => typeof value === 'string');
          if (at >= pino.levels.values.error! && typeof text === 'string') noteError(text);
          method.apply(this, given);
        },
      },
    },
    destination,
  );
}

interface Destination {
  write(line: string): void;
}

const standardError = (): Destination => pino.destination({ dest: 2, sync: false });

/**
 * Returns the destination for the setting LOG_FORMAT: lines of JSON, or text for a person. `auto` is text in a terminal. Colours
 * are used in a terminal that has them, unless NO_COLOR is set.
 */
export function logOutput(format: 'auto' | 'text' | 'json'): Destination {
  const { stderr } = process;
  if (format === 'json' || (format === 'auto' && !stderr.isTTY)) return standardError();
  const hasColors = stderr.isTTY && stderr.hasColors();
  return { write: (line) => void stderr.write(textOf(line, hasColors)) };
}

/** The fields of every line that tell the processes of a service apart. Empty in commands and tests. */
let identity: Readonly<Record<string, unknown>> = {};

/** Adds fields to every later line of this process: `process` (its number in the database), `role`; host and version come with them. */
export function identifyProcess(facts: { readonly process?: number; readonly role?: string }): void {
  identity = { host: hostname(), version, ...identity, ...facts };
}

/** Marks an error that the log of outages (outages.ts) has counted. */
export const ofOutage = Symbol('of an outage');
/** Depth to which the causes of an error are searched. */
const MAX_CAUSES = 5;

/** Whether a line is about an error of an outage, and is not the line of the outage itself. */
function isOfOutage(fields: unknown): boolean {
  if (typeof fields !== 'object' || fields === null || 'outage' in fields) return false;
  let error = (fields as { err?: unknown }).err;
  for (let depth = 0; depth < MAX_CAUSES && error instanceof Error; depth++) {
    if (ofOutage in error) return true;
    error = error.cause;
  }
  return false;
}

/** Masks a number: keeps the country part and the last two digits, `972501234567` → `97250…67`. */
export function maskNumber(digits: string): string {
  return digits.length < 8 ? '…' : `${digits.slice(0, 5)}…${digits.slice(-2)}`;
}

/** Name of the method with which an error hides sensitive values from the log. */
export const asLogged = Symbol('as it is logged');

/** An error that chooses its own logged fields. */
export interface LoggedError extends Error {
  /** Returns the logged fields; `shown` are those of an ordinary error. */
  [asLogged](shown: Readonly<Record<string, unknown>>): object;
}

function showError(error: unknown): object {
  const shown = pino.stdSerializers.err(error as Error);
  return error instanceof Error && asLogged in error
    ? (error as LoggedError)[asLogged](shown as unknown as Readonly<Record<string, unknown>>)
    : shown;
}
