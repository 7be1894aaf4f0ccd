/** Why the platform did not send or deliver, in the codes that every API maps to its own. */
export type PlatformReason =
  /** Nobody who can receive chat messages is behind the number. */
  | 'no-such-number'
  /** The recipient has asked for no more of this kind. */
  | 'recipient-declined'
  /** Accepted, and held back by the platform for reasons of its own. */
  | 'not-delivered'
  /** No such template in that language, or not approved. */
  | 'template-unknown'
  /** The template may not be sent now: paused, disabled, or against a policy. */
  | 'template-rejected'
  /** A parameter of a template has another form than the template wants. */
  | 'template-structure'
  /** Not as many body variables as the template has. */
  | 'body-variables'
  | 'too-long'
  /** Over 24 hours since the recipient's last message: only a template may be sent. */
  | 'window-closed'
  | 'media'
  /** Too much from the whole number or account. */
  | 'volume'
  /** Too fast to this one recipient. */
  | 'rate'
  /** The request itself is wrong. */
  | 'request'
  /** The access token is wrong, expired, or lacks a permission. */
  | 'access'
  /** The business account or number is blocked, unpaid or not registered. */
  | 'account'
  /** The platform has a fault, or does not say more. */
  | 'platform';

/** What an error means for the message that it is about. */
export interface ErrorMeaning {
  readonly reason: PlatformReason;
  /**
   * `final`: the same message would be refused again. `again`: passes by itself, or by what an operator does.
   * `throttled`: passes, and the whole business number is to slow down.
   */
  readonly treatment: 'final' | 'again' | 'throttled';
  /** How long to wait at least before the next try, in milliseconds. */
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
// An operator changes a token in minutes at best.
const access = again('access', 60_000);

/** Every code that has a meaning of its own (docs/chat-platform.md has them with the platform's words). */
const table: readonly Row[] = [
  [0, access],
  [1, again('platform')],
  [2, again('platform')],
  [3, access],
  // The app's calls of this hour.
  [4, throttled('volume', 60_000)],
  [10, access],
  // The business number was deleted.
  [33, final('account')],
  [100, final('request')],
  [190, access],
  // Restrictions for violated policies last days.
  [368, final('account')],
  // Calls for the business account: of messages, and of templates.
  [80007, throttled('volume', 60_000)],
  [80008, throttled('volume', 60_000)],
  // The number's messages a second.
  [130429, throttled('volume', 1_000)],
  // Recipients of an experiment get no marketing.
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
  // Payment.
  [131042, final('account')],
  [131045, final('account')],
  [131047, final('window-closed')],
  // Too many of the earlier messages were reported; lasts days.
  [131048, final('volume')],
  // Sent again within 24 hours it is refused again.
  [131049, final('not-delivered')],
  [131050, final('recipient-declined')],
  [131051, final('request')],
  [131052, final('media')],
  [131053, final('media')],
  // One message in six seconds to one recipient, in the long run.
  [131056, again('rate', 6_000)],
  // Maintenance; also while the number's throughput is raised, which takes a minute.
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

/** Every code with a meaning of its own. */
export const platformErrors: ReadonlyMap<number, ErrorMeaning> = new Map(table);

/**
 * What an error code means. One that is in no table is final for the message, unless the HTTP status (0 when there is
 * none, as in webhooks) says that it passes: tried without end, it would keep a queue full of messages that never leave.
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
