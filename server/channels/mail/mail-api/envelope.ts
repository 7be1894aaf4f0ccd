import { z } from 'zod';
import { out } from '../../../api/openapi/out.ts';
import type { RefusalCode } from '../../../kit/errors.ts';

/** Values of `result.ResultID` (decisions, section 3). */
export const results = {
  done: 200,
  unusable: 400,
  signedOut: 401,
  noList: 410,
  fault: 500,
  later: 530,
} as const;

export type ResultId = (typeof results)[keyof typeof results];

/** Their meanings, for the docs. */
export const resultMeanings: ReadonlyMap<number, string> = new Map([
  [results.done, 'done'],
  [results.unusable, 'the request cannot be used; the message names the field'],
  [results.signedOut, 'the token is missing, wrong or expired'],
  [results.noList, 'there is no such mailing list'],
  [results.fault, 'fault of the service'],
  [results.later, 'try again later; also over the rate limit'],
]);

/** Results by the domain's codes; others are unusable requests. */
const refusals: Partial<Record<RefusalCode, ResultId>> = {
  'signed-out': results.signedOut,
  'token-expired': results.signedOut,
  'unknown-list': results.noList,
  'not-now': results.later,
  'try-again': results.later,
  'key-in-progress': results.later,
  'too-fast': results.later,
  'over-budget': results.later,
};

/** Returns the `ResultID` of a refusal. */
export const resultOf = (code: RefusalCode): ResultId => refusals[code] ?? results.unusable;

interface Envelope {
  readonly success: boolean;
  readonly res: boolean;
  readonly result: { readonly ResultID: ResultId; readonly ResultMessage: string; readonly Tin: '' };
}

/** Returns the beginning of every response (interface, part C). */
export function envelope(id: ResultId, message: string): Envelope {
  const success = id === results.done;
  return { success, res: success, result: { ResultID: id, ResultMessage: message, Tin: '' } };
}

/** Returns the response to a successful call, with its data. */
export const done = <T extends object>(data: T): Envelope & T => ({
  ...envelope(results.done, 'OK'),
  ...data,
});

/** Its fields, for the documentation. */
export const envelopeFields = {
  success: out.flag('Whether the operation succeeded.', true),
  res: out.flag('Same as `success`.', true),
  result: z
    .object({
      ResultID: out.count('Status code; 200 for success.', 200),
      ResultMessage: out.text('Text of the status.', 'OK'),
      Tin: out.text('Always empty.', ''),
    })
    .describe('Result of the operation.'),
};
