/** A request that /v1 refused, or that did not come back. */
export class ApiError extends Error {
  /** HTTP; 0 when there was no answer. */
  readonly status: number;
  /** A word for programs, as `bad-field` (server/interfaces/v1/errors.ts). */
  readonly code: string;
  /** The field that is meant, where there is one. */
  readonly field: string | undefined;

  constructor(status: number, code: string, message: string, field?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }

  /** Reads what a refusal says; an answer in any other form is a fault of what stands between us and the service. */
  static async of(response: Response): Promise<ApiError> {
    const body: unknown = await response.json().catch(() => undefined);
    const { error, message } = (body ?? {}) as {
      error?: { code: string; message: string; field?: string };
      message?: string;
    };
    if (typeof error === 'object')
      return new ApiError(response.status, error.code, error.message, error.field);
    const code = response.status < 500 ? 'refused' : 'fault';
    return new ApiError(response.status, code, message ?? `HTTP ${response.status}`);
  }
}
