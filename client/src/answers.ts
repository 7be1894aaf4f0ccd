import { CarillonError, type ErrorContext } from './errors.ts';

/* Rejections in the formats of each API. */

type Fields = Readonly<Record<string, unknown>>;

/** Statuses of `POST /api` for successful requests. */
const DONE = new Set([0, 944, 946]);
/** Status of `POST /api` that asks to try again. */
const TRY_AGAIN = 6;
/** HTTP statuses after which the same request may succeed. */
const TEMPORARY = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Judgement of an answer. */
type Verdict =
  | { readonly error: undefined }
  | {
      readonly error: CarillonError;
      /** Whether the same request may succeed later. */
      readonly isTemporary: boolean;
    };

/** Judges whether an answer reports success. */
export function judge(path: string, ok: boolean, answer: unknown, context: ErrorContext): Verdict {
  const fields = isFields(answer) ? answer : {};
  const refused = refusalOf(path, ok, fields, context.httpStatus ?? 0);
  if (!refused) return { error: undefined };
  const error = new CarillonError(refused, { ...context, answer });
  const isTemporary =
    TEMPORARY.has(context.httpStatus ?? 0) ||
    refused.code === 'key-in-progress' ||
    (path.startsWith('/api#') && fields.status === TRY_AGAIN);
  return { error, isTemporary };
}

function refusalOf(path: string, ok: boolean, fields: Fields, httpStatus: number) {
  if (path.startsWith('/v1/')) {
    if (ok) return undefined;
    const error = isFields(fields.error) ? fields.error : {};
    return {
      code: textOf(error.code) ?? `http-${httpStatus}`,
      message: textOf(error.message) ?? `the service answered ${httpStatus}`,
      field: textOf(error.field),
      reason: textOf(error.reason),
      params: isFields(error.params) ? (error.params as CarillonError['params']) : undefined,
    };
  }
  const { status, result, data, ans } = fields;
  if (path.startsWith('/api#')) {
    if (ok && (status === undefined || DONE.has(Number(status)))) return undefined;
    return { code: String(status ?? `http-${httpStatus}`), message: messageOf(fields, httpStatus) };
  }
  // Answers of the chat API and the mailing-list API; campaigns of the chat API put them inside `data`.
  const inner = isFields(data) && 'success' in data ? data : fields;
  if (ok && inner.success !== false) return undefined;
  const mail = isFields(result) ? result : {};
  const chat = isFields(ans) ? ans : {};
  return {
    code: String(mail.ResultID ?? chat.reason ?? `http-${httpStatus}`),
    message: textOf(mail.ResultMessage) ?? messageOf(inner, httpStatus),
  };
}

const messageOf = ({ message }: Fields, httpStatus: number): string =>
  textOf(message) ?? `the service refused the request (HTTP ${httpStatus})`;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
