import { type ErrorMeaning, meaningOf, type PlatformReason, platformErrors } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { arrayOf, idOf, integerOf, type JsonObject, objectOf, parseJson, textOf } from './json.ts';

/** Refused for good. */
interface Refused {
  readonly outcome: 'refused';
  /** The platform's error code; null when it gave none. */
  readonly code: number | null;
  readonly reason: PlatformReason;
  readonly retry: false;
  /** The platform's own words. */
  readonly title: string;
}

/** Not taken, for a reason that passes. */
interface Again {
  readonly outcome: 'again';
  /** False when there was no connection: it fails for all, and this message is as good as any. */
  readonly reached: boolean;
  /** How long to wait at least, in milliseconds, where the platform or its rules say so. */
  readonly afterMs?: number;
  /** Whether the whole business number is too fast, and not only this message unlucky. */
  readonly throttled: boolean;
  readonly code: number | null;
  readonly reason: PlatformReason;
  readonly title: string;
  /** Why there was no connection. */
  readonly error?: Error;
}

/** Sent, and whether it was taken is not known. */
interface Unknown {
  readonly outcome: 'unknown';
}

export type NotDone = Refused | Again | Unknown;

/** The outcome of submitting one message. */
export type SendOutcome =
  | {
      readonly outcome: 'accepted';
      /** The platform's id, which statuses and quotes name. */
      readonly platformId: string;
    }
  | NotDone;

const longestPauseMs = 3_600_000;
const unknown: Unknown = { outcome: 'unknown' };

/** The outcome of a send by its HTTP exchange. */
export function sendOutcome(exchange: Exchange): SendOutcome {
  const judged = judge(exchange);
  if ('outcome' in judged) return judged;
  const platformId = idOf(objectOf(arrayOf(judged.answer.messages)[0]).id);
  return platformId === '' ? unknown : { outcome: 'accepted', platformId };
}

/**
 * The answer of an exchange that the platform answered with success, or what went wrong. A gateway's answer (502, 504)
 * does not tell whether the platform behind it took the request, nor does a success that cannot be read; every other
 * error is the platform's word that it did not.
 */
export function judge(exchange: Exchange): { readonly answer: JsonObject } | NotDone {
  const { status, headers } = exchange;
  if (exchange.kind === 'broken') {
    if (!exchange.sent) return notTaken(exchange.error);
    if (status < 400 || isGateway(status)) return unknown;
    // Cut off in the middle of its explanation.
    const meaning = meaningOf(-1, status);
    return again(
      meaning.reason,
      pauseOf(headers, meaning.pauseMs),
      meaning.treatment === 'throttled',
      null,
      `HTTP ${status}`,
    );
  }
  const answer = objectOf(parseJson(exchange.body));
  const error = objectOf(answer.error);
  const code = integerOf(error.code);
  if (code !== null) return errorOutcome(code, error, exchange);
  if (status >= 200 && status < 300) return Object.keys(answer).length === 0 ? unknown : { answer };
  if (isGateway(status)) return unknown;
  return outcomeOf(meaningOf(-1, status === 408 ? 500 : status), null, `HTTP ${status}`, headers);
}

function errorOutcome(code: number, error: JsonObject, { status, headers }: Exchange): NotDone {
  const title = textOf(error.error_user_msg) || textOf(error.message) || textOf(error.error_user_title);
  const meaning = meaningOf(code, status);
  const isTransient = error.is_transient === true && !platformErrors.has(code);
  return outcomeOf(isTransient ? { reason: 'platform', treatment: 'again' } : meaning, code, title, headers);
}

function outcomeOf(
  { reason, treatment, pauseMs }: ErrorMeaning,
  code: number | null,
  title: string,
  headers: Exchange['headers'],
): NotDone {
  return treatment === 'final'
    ? { outcome: 'refused', code, reason, retry: false, title }
    : again(reason, pauseOf(headers, pauseMs), treatment === 'throttled', code, title);
}

function again(
  reason: PlatformReason,
  afterMs: number | undefined,
  throttled: boolean,
  code: number | null,
  title: string,
): Again {
  return { outcome: 'again', reached: true, afterMs, throttled, code, reason, title };
}

const notTaken = (error: Error | undefined): Again => ({
  ...again('platform', undefined, false, null, 'no connection'),
  reached: false,
  ...(error && { error }),
});

const isGateway = (status: number) => status === 502 || status === 504;

/** What the answer asks for, by `Retry-After` or the platform's own header; else what the rule says. */
function pauseOf(headers: Exchange['headers'], otherwise: number | undefined): number | undefined {
  const asked =
    retryAfter(textOf(headers['retry-after'])) ?? usagePause(textOf(headers['x-business-use-case-usage']));
  return asked === undefined ? otherwise : Math.min(Math.max(asked, otherwise ?? 0), longestPauseMs);
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function retryAfter(value: string): number | undefined {
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const date = value === '' ? Number.NaN : Date.parse(value);
  // By the machine's clock: the date is one of the real world also in the sandbox.
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** `X-Business-Use-Case-Usage` names, per business account, the minutes until calls are possible again. */
function usagePause(value: string): number | undefined {
  if (value === '') return undefined;
  const minutes = Object.values(objectOf(parseJson(value)))
    .flatMap(arrayOf)
    .map((use) => integerOf(objectOf(use).estimated_time_to_regain_access) ?? 0);
  const most = Math.max(0, ...minutes);
  return most > 0 ? most * 60_000 : undefined;
}
