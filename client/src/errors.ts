/** Properties of a rejection. */
interface Refused {
  readonly code: string;
  readonly message: string;
  readonly field?: string | undefined;
  readonly reason?: string | undefined;
  readonly params?: CarillonError['params'] | undefined;
}

/** Origin of an error. */
export interface ErrorContext {
  /** `POST /v1/sms`. */
  readonly operation: string;
  readonly httpStatus?: number | undefined;
  readonly requestId?: string | undefined;
  readonly answer?: unknown;
  readonly cause?: unknown;
}

/** A request that was rejected, or not answered. A rejected request stored, sent and charged nothing. */
export class CarillonError extends Error {
  override readonly name: string = 'CarillonError';
  /**
   * Error code for programs: a keyword of /v1 (`bad-field`, `no-credit`), the status of `POST /api` (`515`), `reason`
   * of the chat API (`5`), or `ResultID` of the mailing-list API (`400`).
   */
  readonly code: string;
  /** The field with the error, if any: `phones[2]`. */
  readonly field: string | undefined;
  /** Reason code of the field's error: `too-long`. */
  readonly reason: string | undefined;
  /** Parameters of the reason: `{ max: 50 }`. */
  readonly params: Readonly<Record<string, string | number>>;
  /** HTTP status; undefined without an answer. */
  readonly httpStatus: number | undefined;
  /** Request id, as in the request log; undefined without an answer. */
  readonly requestId: string | undefined;
  /** The operation: `POST /v1/sms`. */
  readonly operation: string;
  /** The complete answer. */
  readonly answer: unknown;

  constructor({ code, message, field, reason, params = {} }: Refused, context: ErrorContext) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.code = code;
    this.field = field;
    this.reason = reason;
    this.params = params;
    this.httpStatus = context.httpStatus;
    this.requestId = context.requestId;
    this.operation = context.operation;
    this.answer = context.answer;
  }
}

/**
 * No answer arrived: `code` is `connection` or `timeout`. The service may have executed the request; repeat it with the
 * same `sendKey` to find out.
 */
export class CarillonConnectionError extends CarillonError {
  override readonly name = 'CarillonConnectionError';
  /** Send key of the request; undefined for an operation without one. */
  readonly sendKey: string | undefined;

  constructor(code: 'connection' | 'timeout', message: string, context: ErrorContext, sendKey?: string) {
    super({ code, message }, context);
    this.sendKey = sendKey;
  }
}
