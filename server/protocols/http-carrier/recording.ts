import type { OutgoingMessage } from '../../engine/carriers/carrier.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Verdict } from './answer.ts';
import { compileVerdicts } from './batch.ts';
import type { HeaderFields } from './document.ts';
import { previewRequest, type RequestPreview } from './preview.ts';
import { maskerOf } from './secret-mask.ts';
import type { HttpCarrierSettings } from './settings.ts';

/* Records of exchanges with a provider, for test messages of operators. No other message has one. */

/** Maximum characters of a recorded body, and of a header. */
const MAX_BODY = 4_096;
const MAX_HEADER = 500;
/** Maximum number of recorded headers. */
const MAX_HEADERS = 20;
/** Headers that say how a provider understood a request. Others, like cookies, are not recorded. */
const SHOWN_HEADERS =
  /^(?:content-type|content-length|date|retry-after|www-authenticate|location|server|x-error.{0,40}|.{0,40}(?:request|trace|correlation)-?id|.{0,40}rate-?limit.{0,40})$/;

interface RecordedHeader {
  readonly name: string;
  readonly value: string;
}

/** One exchange with a provider, without secrets. */
export interface RecordedExchange {
  /** Time of the answer, in milliseconds since the epoch. */
  readonly at: number;
  /** Duration in milliseconds. */
  readonly milliseconds: number;
  /** Null: not sent, or the account stores no texts. */
  readonly request: RequestPreview | null;
  /** Whether the request was sent. */
  readonly isSent: boolean;
  /** Null: no answer. */
  readonly answer: {
    readonly status: number;
    readonly headers: readonly RecordedHeader[];
    /** Null: incomplete, or the account stores no texts. */
    readonly body: string | null;
  } | null;
  /** Error of the network, or why there was no request. */
  readonly error: string | null;
  /** Meaning of the answer by the rules of the description; null without an answer to the message. */
  readonly verdict: Verdict | null;
}

/** Stores records of exchanges. Errors do not reach the connector. */
export interface ExchangeRecorder {
  record(accountId: number, testId: number, exchange: RecordedExchange): void;
}

interface RecordedMessage {
  readonly settings: HttpCarrierSettings;
  readonly message: OutgoingMessage<string>;
  readonly publicUrl: string;
  /** Time at which the request was written, in milliseconds since the epoch. */
  readonly now: number;
  readonly milliseconds: number;
  /** Authorization of OAuth, if the description has it. */
  readonly authorization: string | undefined;
  /** The exchange of the message; of its token if `isToken`. */
  readonly answer: Exchange;
  readonly isToken: boolean;
}

/**
 * Returns the record of an exchange. The request is written again with a mask in place of each secret; in the answer every spelling
 * of a secret is replaced.
 */
export async function recordedExchange(recorded: RecordedMessage): Promise<RecordedExchange> {
  const { settings, message, publicUrl, now, milliseconds, answer, isToken, authorization } = recorded;
  const { description, name } = settings;
  const mask = maskerOf(settings, authorization);
  const wasSent = answer.kind === 'answer' || answer.sent;
  const common = { at: now + milliseconds, milliseconds, answer: answerOf(answer, mask) };
  const error = answer.kind === 'broken' ? mask(errorOf(answer)).slice(0, MAX_HEADER) : null;
  if (isToken)
    return { ...common, request: null, isSent: false, error: error ?? 'no OAuth token', verdict: null };
  const body = answer.kind === 'answer' ? answer.body : '';
  const verdictsOf = compileVerdicts(description);
  const isJudged = answer.kind === 'answer' || answer.status >= 400;
  return {
    ...common,
    request: await previewRequest(description, [message], { name, publicUrl, now }),
    isSent: wasSent,
    error,
    verdict: isJudged
      ? maskedVerdict((await verdictsOf({ ...answer, body }, [message])).each[0]!, mask)
      : null,
  };
}

type Mask = (text: string) => string;

function answerOf(answer: Exchange, mask: Mask): RecordedExchange['answer'] {
  if (answer.status === 0) return null;
  const body = answer.kind === 'answer' ? mask(answer.body).slice(0, MAX_BODY).toWellFormed() : null;
  return { status: answer.status, headers: headersOf(answer.headers, mask), body };
}

function headersOf(fields: HeaderFields, mask: Mask): RecordedHeader[] {
  return Object.entries(fields)
    .filter(([name, value]) => value !== undefined && SHOWN_HEADERS.test(name))
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => ({ name, value: mask([value].flat().join(', ')).slice(0, MAX_HEADER) }));
}

/** A provider may write a secret into the places of ids and codes. */
function maskedVerdict(verdict: Verdict, mask: Mask): Verdict {
  if (verdict.kind === 'accepted') return { ...verdict, ids: verdict.ids.map(mask) };
  return 'code' in verdict ? { ...verdict, code: mask(verdict.code) } : verdict;
}

/** Returns the error of a broken exchange. */
function errorOf({ error, sent }: Exchange & { readonly kind: 'broken' }): string {
  const { code, message = sent ? 'no whole answer' : 'no connection' } = (error ?? {}) as {
    readonly code?: unknown;
    readonly message?: string;
  };
  return typeof code === 'string' && !message.includes(code) ? `${code}: ${message}` : message;
}
