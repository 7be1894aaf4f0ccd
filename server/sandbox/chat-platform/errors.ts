import { randomBytes } from 'node:crypto';

/** A request that the platform rejects. */
export class PlatformRefusal extends Error {
  readonly code: number;
  readonly subcode: number | undefined;

  /** @param details the platform's explanation for this request */
  constructor(code: number, details: string, subcode?: number) {
    super(details);
    this.code = code;
    this.subcode = subcode;
  }
}

const titles: ReadonlyMap<number, string> = new Map([
  [4, 'Application request limit reached'],
  [100, 'Invalid parameter'],
  [190, 'Invalid OAuth access token'],
  [80007, 'Rate limit issues'],
  [130429, 'Rate limit hit'],
  [131000, 'Something went wrong'],
  [131008, 'Required parameter is missing'],
  [131009, 'Parameter value is not valid'],
  [131026, 'Message undeliverable'],
  [131047, 'Re-engagement message'],
  [131049, 'This message was not delivered to maintain healthy ecosystem engagement'],
  [131050, 'User has stopped marketing messages'],
  [131051, 'Unsupported message type'],
  [131053, 'Media upload error'],
  [131056, '(Business Account, Consumer Account) pair rate limit hit'],
  [132000, 'Number of parameters does not match the expected number of params'],
  [132001, 'Template name does not exist in the translation'],
  [132005, 'Translated text too long'],
  [132012, 'Parameter format does not match format in the created template'],
  [132015, 'Template is paused'],
  [132016, 'Template is disabled'],
]);
const rateLimits: ReadonlySet<number> = new Set([4, 80007, 130429, 131056]);

/** The title of an error, without its code. */
const errorTitle = (code: number): string => titles.get(code) ?? 'Unknown error';

/** Returns the HTTP status of the answer for an error code. */
export function httpStatusOf(code: number): number {
  if (code === 190) return 401;
  if (rateLimits.has(code)) return 429;
  return code === 131000 ? 500 : 400;
}

/** Returns the body of a rejection. */
export function errorBody({ code, subcode, message }: PlatformRefusal): string {
  return JSON.stringify({
    error: {
      message: `(#${code}) ${errorTitle(code)}`,
      type: 'OAuthException',
      code,
      error_subcode: subcode,
      error_data: { messaging_product: 'whatsapp', details: message },
      fbtrace_id: randomBytes(8).toString('base64url'),
    },
  });
}

/** Returns an error in the form of a message status. */
export function statusError(code: number): object {
  const title = errorTitle(code);
  return {
    code,
    title,
    message: title,
    error_data: { details: title },
    href: 'https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes',
  };
}

/** Returns the platform's error for an object that the token does not cover. */
export const noObject = (id: string): PlatformRefusal =>
  new PlatformRefusal(
    100,
    `Object with ID '${id}' does not exist or cannot be loaded due to missing permissions`,
    33,
  );
