import type { Exchange } from '../http/exchange.ts';
import { type ErrorMeaning, meaningOf, type PlatformReason, platformErrors } from './errors.ts';
import { arrayOf, idOf, integerOf, type JsonObject, objectOf, parseJson, textOf } from './json.ts';

/** Rejected permanently. */
interface Refused {
  readonly outcome: 'refused';
  /** The platform's error code; null when it sent none. */
  readonly code: number | null;
  readonly reason: PlatformReason;
  readonly retry: false;
  /** The platform's error title. */
  readonly title: string;
}

/** Not accepted, for a temporary reason. */
interface Again {
  readonly outcome: 'again';
  /** False when there was no connection: then every message fails, whichever is tried. */
  readonly reached: boolean;
  /** Minimum wait in milliseconds, if the platform or its rules demand one. */
  readonly afterMs?: number;
  /** Whether the whole business number must slow down, and not only this message wait. */
  readonly throttled: boolean;
  readonly code: number | null;
  readonly reason: PlatformReason;
  readonly title: string;
  /** Why there was no connection. */
  readonly error?: Error;
}

/** Sent, but it is not known whether the platform accepted it. */
interface Unknown {
  readonly outcome: 'unknown';
}

export type NotDone = Refused | Again | Unknown;

/** The outcome of submitting one message. */
export type SendOutcome =
  | {
      readonly outcome: 'accepted';
      /** The platform's message id, used in statuses and quotes. */
      readonly platformId: string;
    }
  | NotDone;

const longestPauseMs = 3_600_000;
const unknown: Unknown = { outcome: 'unknown' };

/** Returns the outcome of a send by its HTTP exchange. */
export function sendOutcome(exchange: Exchange): SendOutcome {
  const judged = judge(exchange);
  if ('outcome' in judged) return judged;
  const platformId = idOf(objectOf(arrayOf(judged.answer.messages)[0]).id);
  return platformId === '' ? unknown : { outcome: 'accepted', platformId };
}

/**
 * Returns the answer of a successful exchange, or the failure. The answer of a gateway (502, 504) does not tell whether
 * the platform behind it accepted the request, and neither does an unreadable success. Every other error means that the
 * platform did not accept it.
 */
export function judge(exchange: Exchange): { readonly answer: JsonObject } | NotDone {
  const { status, headers } = exchange;
  if (exchange.kind === 'broken') {
    if (!exchange.sent) return notTaken(exchange.error);
    if (status < 400 || isGateway(status)) return unknown;
    // The error explanation was cut off.
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

/**
 * Returns the pause in milliseconds that the answer asks for by `Retry-After` or the platform's own header; otherwise
 * that of the rule.
 */
function pauseOf(headers: Exchange['headers'], otherwise: number | undefined): number | undefined {
  const asked =
    retryAfter(textOf(headers['retry-after'])) ?? usagePause(textOf(headers['x-business-use-case-usage']));
  return asked === undefined ? otherwise : Math.min(Math.max(asked, otherwise ?? 0), longestPauseMs);
}

/** Parses `Retry-After`: seconds, or a date (RFC 9110, 10.2.3). */
function retryAfter(value: string): number | undefined {
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const date = value === '' ? Number.NaN : Date.parse(value);
  // The machine's clock is used because the date is real time also in the sandbox.
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** `X-Business-Use-Case-Usage` gives, per business account, the minutes until calls are possible again. */
function usagePause(value: string): number | undefined {
  if (value === '') return undefined;
  const minutes = Object.values(objectOf(parseJson(value)))
    .flatMap(arrayOf)
    .map((use) => integerOf(objectOf(use).estimated_time_to_regain_access) ?? 0);
  const most = Math.max(0, ...minutes);
  return most > 0 ? most * 60_000 : undefined;
}
