import { ApiError } from '../../api/errors.ts';

/** Whether a token was not made because the account has as many as it may. */
export function isTooMany(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not-now';
}
