import { isIP } from 'node:net';
import { IANAZone } from 'luxon';
import { Refusal } from '../errors.ts';
import { nameProblem } from '../text/harmless-name.ts';

/* What the operator may give an account, wherever it is given: command line or console. */

/** Whether a text can be a user name. */
export const isAccountUsername = (text: string): boolean => /^[\w.@-]{2,50}$/.test(text);
export const ACCOUNT_USERNAME_RULE = 'a user name has 2 to 50 letters, digits or . _ @ -';

/**
 * The name of an account, which the service's own texts show to strangers. Throws Refusal `bad-field` that names the field
 * for one with a link, a phone number or characters that are not seen.
 */
export function readAccountName(field: string, name: string): string {
  const problem = nameProblem(name);
  if (problem) throw new Refusal('bad-field', problem.words, field, { reason: problem.reason });
  return name;
}

/** Whether a text is a time zone, like Asia/Jerusalem. */
export const isTimeZone = (text: string): boolean => IANAZone.isValidZone(text);

/** Whether a text is an address or a block of them, like 192.0.2.0/24. */
export function isAddressBlock(text: string): boolean {
  const [address = '', bits] = text.split('/');
  const family = isIP(address);
  const most = family === 6 ? 128 : 32;
  return family !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most));
}

/** Whether a text can be a name that is approved as a sender of SMS (decisions, section 8). */
export const isSourceName = (text: string): boolean =>
  /^[0-9A-Za-z_.-](?:[0-9A-Za-z _.-]{0,9}[0-9A-Za-z_.-])?$/.test(text) && /[A-Za-z]/.test(text);

/** Whether a text can be a sender of SMS that is approved: a number, or a name. */
export const isSource = (text: string): boolean => /^[0-9A-Za-z]{1,15}$/.test(text) || isSourceName(text);

/** Credits that are added to a wallet at a time, at most: more than anyone means to type. */
export const MAX_CREDITS = 1_000_000_000;

/** Credits that a part, a conversation, a mail or a call may cost, at most. */
export const MAX_PRICE = 999_999;

/** Whether a text can be the prefix of a row of the price list. */
export const isPrefix = (text: string): boolean => /^\d{0,15}$/.test(text);
