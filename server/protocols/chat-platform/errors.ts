/** Why the platform did not send or deliver a message, in codes that each API maps to its own. */
export type PlatformReason =
  /** No one with this number can receive chat messages. */
  | 'no-such-number'
  /** The recipient has opted out of this kind of message. */
  | 'recipient-declined'
  /** Accepted, then held back by the platform for its own reasons. */
  | 'not-delivered'
  /** No such template in that language, or the template is not approved. */
  | 'template-unknown'
  /** The template may not be sent now: paused, disabled, or against a policy. */
  | 'template-rejected'
  /** A template parameter has another format than the template needs. */
  | 'template-structure'
  /** The number of body variables differs from the template's. */
  | 'body-variables'
  | 'too-long'
  /** More than 24 hours since the recipient's last message: only a template may be sent. */
  | 'window-closed'
  | 'media'
  /** Limit of the whole number or account exceeded. */
  | 'volume'
  /** Limit of messages to this recipient exceeded. */
  | 'rate'
  /** The request itself is wrong. */
  | 'request'
  /** The access token is wrong, expired, or lacks a permission. */
  | 'access'
  /** The business account or number is blocked, unpaid or not registered. */
  | 'account'
  /** The platform has a fault, or gives no details. */
  | 'platform';

/** How to handle an error of the platform. */
export interface ErrorMeaning {
  readonly reason: PlatformReason;
  /**
   * `final`: the same message would be rejected again. `again`: the cause passes without action here, or an operator
   * removes it. `throttled`: the cause passes, and the whole business number must slow down.
   */
  readonly treatment: 'final' | 'again' | 'throttled';
  /** Minimum milliseconds before the next attempt. */
  readonly pauseMs?: number;
}

type Row = readonly [code: number, meaning: ErrorMeaning];

const final = (reason: PlatformReason): ErrorMeaning => ({ reason, treatment: 'final' });
const again = (reason: PlatformReason, pauseMs?: number): ErrorMeaning => ({
  reason,
  treatment: 'again',
  pauseMs,
});
const throttled = (reason: PlatformReason, pauseMs?: number): ErrorMeaning => ({
  reason,
  treatment: 'throttled',
  pauseMs,
});
// An operator needs minutes at best to change a token.
const access = again('access', 60_000);

/** All codes with a specific meaning. docs/chat-platform.md lists them with the platform's descriptions. */
const table: readonly Row[] = [
  [0, access],
  [1, again('platform')],
  [2, again('platform')],
  [3, access],
  // Limit of the app's calls per hour.
  [4, throttled('volume', 60_000)],
  [10, access],
  // The business number was deleted.
  [33, final('account')],
  [100, final('request')],
  [190, access],
  // Restrictions for policy violations last days.
  [368, final('account')],
  // Limits of calls for the business account: messages, then templates.
  [80007, throttled('volume', 60_000)],
  [80008, throttled('volume', 60_000)],
  // Limit of the number's messages per second.
  [130429, throttled('volume', 1_000)],
  // The recipient is in an experiment of the platform's and receives no marketing.
  [130472, final('not-delivered')],
  [130497, final('account')],
  [131000, again('platform')],
  [131005, access],
  [131008, final('request')],
  [131009, final('request')],
  [131016, again('platform')],
  // The recipient is the sender.
  [131021, final('no-such-number')],
  [131026, final('no-such-number')],
  // A test number sends only to the recipients on its list.
  [131030, final('no-such-number')],
  [131031, final('account')],
  [131037, final('account')],
  // Payment problem.
  [131042, final('account')],
  [131045, final('account')],
  [131047, final('window-closed')],
  // Too many earlier messages were reported; the limit lasts days.
  [131048, final('volume')],
  // The platform rejects the message again within 24 hours.
  [131049, final('not-delivered')],
  [131050, final('recipient-declined')],
  [131051, final('request')],
  [131052, final('media')],
  [131053, final('media')],
  // On average, one recipient may receive one message in six seconds.
  [131056, again('rate', 6_000)],
  // Maintenance, or the number's throughput is being raised, which takes a minute.
  [131057, again('platform', 60_000)],
  [131062, final('request')],
  [131063, final('account')],
  [131064, final('volume')],
  [132000, final('body-variables')],
  [132001, final('template-unknown')],
  [132005, final('too-long')],
  [132007, final('template-rejected')],
  [132008, final('template-structure')],
  [132012, final('template-structure')],
  [132015, final('template-rejected')],
  [132016, final('template-rejected')],
  [132068, final('template-rejected')],
  [132069, final('template-rejected')],
  [133004, again('platform', 5_000)],
  [133010, final('account')],
  [135000, final('request')],
];

/** Meaning of each known error code. */
export const platformErrors: ReadonlyMap<number, ErrorMeaning> = new Map(table);

/**
 * Returns the meaning of an error code. An unknown code is final for the message, unless the HTTP status (0 in
 * webhooks, which have no status) marks it as temporary: retrying without end would fill a queue with messages that
 * never leave.
 */
export function meaningOf(code: number, httpStatus = 0): ErrorMeaning {
  const known = platformErrors.get(code);
  if (known) return known;
  if (code >= 200 && code <= 299) return access;
  if (httpStatus === 429) return throttled('volume', 1_000);
  if (httpStatus === 401 || httpStatus === 403) return access;
  if (httpStatus >= 500) return again('platform');
  return final('platform');
}
