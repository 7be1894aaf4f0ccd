/** What an answer says of a refused request. */
interface Refused {
  readonly code: string;
  readonly message: string;
  readonly field?: string | undefined;
  readonly reason?: string | undefined;
  readonly params?: CarillonError['params'] | undefined;
}

/** Where an error comes from. */
export interface ErrorContext {
  /** `POST /v1/sms`. */
  readonly operation: string;
  readonly httpStatus?: number | undefined;
  readonly requestId?: string | undefined;
  readonly answer?: unknown;
  readonly cause?: unknown;
}

/** A request that was refused, or not answered. A refused request stored, sent and charged nothing. */
export class CarillonError extends Error {
  override readonly name: string = 'CarillonError';
  /**
   * Why, for programs: a word of /v1 (`bad-field`, `no-credit`), the status of `POST /api` (`515`), `reason` of the chat API
   * (`5`), or `ResultID` of the mailing-list API (`400`).
   */
  readonly code: string;
  /** The field that is meant, where there is one: `phones[2]`. */
  readonly field: string | undefined;
  /** What is wrong with the field, for programs: `too-long`. */
  readonly reason: string | undefined;
  /** Parameters of the reason: `{ max: 50 }`. */
  readonly params: Readonly<Record<string, string | number>>;
  /** The status of HTTP; undefined without an answer. */
  readonly httpStatus: number | undefined;
  /** The id of the request, as in the request log; undefined without an answer. */
  readonly requestId: string | undefined;
  /** The operation: `POST /v1/sms`. */
  readonly operation: string;
  /** The whole answer. */
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
 * No answer came: `code` is `connection`, or `timeout`. The service may have done what was asked; send it again with the
 * same `sendKey` to find out.
 */
export class CarillonConnectionError extends CarillonError {
  override readonly name = 'CarillonConnectionError';
  /** The send key of the request; undefined for one that takes none. */
  readonly sendKey: string | undefined;

  constructor(code: 'connection' | 'timeout', message: string, context: ErrorContext, sendKey?: string) {
    super({ code, message }, context);
    this.sendKey = sendKey;
  }
}
