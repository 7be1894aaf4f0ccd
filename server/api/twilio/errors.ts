import type { Refusal, RefusalCode } from '../../kit/errors.ts';
import { isSuspended } from '../http-interfaces/interface-api.ts';

/** An error as Twilio's APIs answer it. */
export interface TwilioError {
  readonly http: number;
  readonly code: number | null;
  readonly message: string;
}

/** Errors by the code of a refusal. */
const byCode: Partial<Record<RefusalCode, TwilioError>> = {
  'signed-out': { http: 401, code: 20003, message: 'Authenticate' },
  'token-expired': { http: 401, code: 20003, message: 'Authenticate' },
  'wrong-account': { http: 401, code: 20003, message: 'Authenticate' },
  'not-allowed': { http: 403, code: 20403, message: 'The token lacks the scope of this request' },
  'not-found': { http: 404, code: 20404, message: 'The requested resource was not found' },
  'too-fast': { http: 429, code: 20429, message: 'Too Many Requests' },
  'all-blocked': { http: 400, code: 21610, message: 'Attempt to send to unsubscribed recipient' },
  'no-credit': { http: 402, code: null, message: 'Not enough credit' },
  'try-again': { http: 503, code: 20503, message: 'Service unavailable, try again' },
  'key-in-progress': { http: 503, code: 20503, message: 'Service unavailable, try again' },
};

/** Codes of fields with a wrong value, and of missing ones. */
const invalid: Readonly<Record<string, number>> = {
  phones: 21211,
  source: 21212,
  message: 21617,
  callback: 21609,
  SendAt: 35114,
  ValidityPeriod: 35118,
  SmsUrl: 21402,
  SmsFallbackUrl: 21402,
  SmsMethod: 21403,
  SmsFallbackMethod: 21403,
};
const missing: Readonly<Record<string, number>> = {
  phones: 21604,
  source: 21603,
  message: 21602,
  // Only together with a fallback.
  SmsUrl: 21406,
};

/** Names of the fields of a send. */
const names: Readonly<Record<string, string>> = {
  phones: 'To',
  source: 'From',
  message: 'Body',
  callback: 'StatusCallback',
};

const SUSPENDED: TwilioError = { http: 403, code: 20005, message: 'Account not active' };
const BAD_PARAMETER = 20001;

/** Returns the error of a refusal. */
export function errorOf(refusal: Refusal): TwilioError {
  const known = isSuspended(refusal) ? SUSPENDED : byCode[refusal.code];
  if (known) return known;
  const { problem, detail, code } = refusal;
  const path = code === 'bad-destination' ? 'phones' : (refusal.path ?? '');
  if (code === 'source-not-verified')
    return { http: 400, code: 21606, message: 'From is no sender of this account' };
  const isMissing = detail?.reason === 'missing' || problem === 'empty';
  const codes = isMissing ? missing : invalid;
  return {
    http: 400,
    code: codes[path] ?? BAD_PARAMETER,
    message: path === '' ? problem : `${names[path] ?? path}: ${problem}`,
  };
}

/** Reasons of the limits of one-time codes, and of the fraud guard. */
const LIMITS: readonly unknown[] = ['phone-limit', 'account-limit'];
const FRAUD_RULES: readonly unknown[] = ['spending-cap', 'neighbours', 'conversion'];
const INVALID_PARAMETER = 60200;

/** Names of the fields of a verification. The sid of a service has the sender. */
const verifyNames: Readonly<Record<string, string>> = { phone: 'To', source: 'ServiceSid' };

/** Returns the error of a refusal by Verify. */
export function verifyErrorOf(refusal: Refusal): TwilioError {
  const { code, path = '', problem, detail } = refusal;
  if (code === 'not-now' && LIMITS.includes(detail?.reason))
    return { http: 429, code: 60203, message: 'Max send attempts reached' };
  if (code === 'not-now' && FRAUD_RULES.includes(detail?.reason))
    return { http: 403, code: 60410, message: 'Verification delivery attempt blocked' };
  const known = errorOf(refusal);
  if (byCode[code] || isSuspended(refusal)) return known;
  const name = code === 'bad-destination' ? 'To' : (verifyNames[path] ?? path);
  const about = name === '' ? problem : `${name}: ${problem}`;
  return { http: 400, code: INVALID_PARAMETER, message: `Invalid parameter ${about}` };
}

/** Returns the body of an error. */
export const bodyOf = ({ http, code, message }: TwilioError) => ({
  code,
  message,
  more_info: code === null ? '' : `https://www.twilio.com/docs/errors/${code}`,
  status: http,
});
