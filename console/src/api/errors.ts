/** A request that /v1 refused, or that did not come back. */
export class ApiError extends Error {
  /** HTTP; 0 when there was no answer. */
  readonly status: number;
  /** A word for programs, as `bad-field` (server/interfaces/v1/errors.ts). */
  readonly code: string;
  /** The field that is meant, where there is one. */
  readonly field: string | undefined;
  /** What is wrong with it, in a word, and what the word speaks of. */
  readonly reason: string | undefined;
  readonly params: Readonly<Record<string, string | number>>;

  constructor(
    status: number,
    code: string,
    message: string,
    { field, reason, params = {} }: Partial<Pick<ApiError, 'field' | 'reason' | 'params'>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
    this.reason = reason;
    this.params = params;
  }

  /** Reads what a refusal says; an answer in any other form is a fault of what stands between us and the service. */
  static async of(response: Response): Promise<ApiError> {
    const body: unknown = await response.json().catch(() => undefined);
    const { error, message } = (body ?? {}) as {
      error?: { code: string; message: string; field?: string; reason?: string; params?: ApiError['params'] };
      message?: string;
    };
    if (typeof error === 'object') return new ApiError(response.status, error.code, error.message, error);
    const code = response.status < 500 ? 'refused' : 'fault';
    return new ApiError(response.status, code, message ?? `HTTP ${response.status}`);
  }
}
