import { isIP } from 'node:net';
import { IANAZone } from 'luxon';
import { badField } from '../../kit/errors.ts';
import { nameProblem } from '../../kit/text/harmless-name.ts';

/* Rules for values that the operator sets on accounts, by the command line or the console. */

/** Whether a text can be a user name. */
export const isAccountUsername = (text: string): boolean => /^[\w.@-]{2,50}$/.test(text);
export const ACCOUNT_USERNAME_RULE = 'a user name has 2 to 50 letters, digits or . _ @ -';

/**
 * Checks the name of an account, which the service's own texts show to strangers. Throws Refusal `bad-field` for a name
 * with a link, a phone number or invisible characters.
 */
export function readAccountName(field: string, name: string): string {
  const problem = nameProblem(name);
  if (problem) throw badField(field, problem.words, problem.reason);
  return name;
}

/** Whether a text is a time zone, like Asia/Jerusalem. */
export const isTimeZone = (text: string): boolean => IANAZone.isValidZone(text);

/** Whether a text is an IP address or a CIDR block, like 192.0.2.0/24. */
export function isAddressBlock(text: string): boolean {
  const [address = '', bits] = text.split('/');
  const family = isIP(address);
  const most = family === 6 ? 128 : 32;
  return family !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
}

/** Whether a text can be an alphanumeric sender of SMS (decisions, section 8). */
export const isSourceName = (text: string): boolean =>
  /^[0-9A-Za-z_.-](?:[0-9A-Za-z _.-]{0,9}[0-9A-Za-z_.-])?$/.test(text) && /[A-Za-z]/.test(text);

/** Whether a text can be a sender of SMS: a number, or a name. */
export const isSource = (text: string): boolean => /^[0-9A-Za-z]{1,15}$/.test(text) || isSourceName(text);

/** Credits added to a wallet at a time, at most: more than anyone means to type. */
export const MAX_CREDITS = 1_000_000_000;

/** Maximum price of a part, conversation, email or call, in credits. */
export const MAX_PRICE = 999_999;

/** Whether a text can be the prefix of a row of the price list. */
export const isPrefix = (text: string): boolean => /^\d{0,15}$/.test(text);
