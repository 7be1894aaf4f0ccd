import type { ChatProblem, PersonProblem, RefusalCode } from '../../kit/errors.ts';

/** Codes of refusals in the SMS API. */
export type SmsRefusalCode =
  | Exclude<RefusalCode, ChatProblem | PersonProblem | 'not-found'>
  | 'bad-destination'
  | 'no-credit';

/** Statuses of the SMS API for the domain's codes (decisions, "Request status codes"). */
export const statusCodes: Readonly<Record<SmsRefusalCode, number>> = {
  unreadable: 1,
  'too-large': 1,
  'bad-field': 2,
  'key-reused': 2,
  'signed-out': 3,
  'no-credit': 4,
  'not-now': 5,
  'over-budget': 5,
  'try-again': 6,
  'key-in-progress': 6,
  'too-fast': 6,
  'several-messages': 7,
  'all-blocked': 8,
  'bad-destination': 9,
  'token-expired': 10,
  'wrong-account': 11,
  'not-verified': 12,
  'bad-token-action': 502,
  'unknown-user': 503,
  'no-token': 504,
  'no-phones': 510,
  'not-allowed': 511,
  'source-not-verified': 515,
  'url-known': 517,
  'bad-recent-days': 714,
  'all-filtered': 715,
  'bad-blacklist-entry': 933,
  'already-cancelled': 955,
  'already-sent': 966,
  'not-cancelled': 970,
  'unknown-campaign': 977,
  'unknown-list': 988,
  'bad-links': 980,
  'bad-dynamic-fields': 987,
  'bad-message': 989,
  'over-credit': 990,
  'bad-amount': 991,
  'bad-source': 992,
  'bad-password': 993,
  'username-taken': 994,
  'bad-username': 995,
  'bad-name': 996,
  'unknown-command': 997,
};

/** Fixed messages that clients compare (decisions, section 8), in place of those that name the field. */
export const messages: Partial<Record<RefusalCode, string>> = {
  'source-not-verified': 'unverified source number - you can verify this number with verify_phone request',
};

/** Statuses of success. */
export const done = { accepted: 0, removedFromBlacklist: 944, addedToBlacklist: 946 } as const;

/** An internal error. */
export const FAULT = 999;

/** Returns the status of a refusal; FAULT for a code that no operation of the SMS API uses. */
export const statusOf = (code: RefusalCode): number =>
  (statusCodes as Partial<Record<RefusalCode, number>>)[code] ?? FAULT;
