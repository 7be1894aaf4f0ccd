/* Statuses of users of mailing lists. Only active users get emails. */
export const userStatuses = ['active', 'removed', 'complained', 'bounced', 'deleted'] as const;

/**
 * - `active`: gets emails
 * - `removed`: unsubscribed
 * - `complained`: reported an email as spam
 * - `bounced`: the address does not accept emails
 * - `deleted`: the account deleted them
 */
export type UserStatus = (typeof userStatuses)[number];

/** Cause of a status: the page behind the link in an email, the button of an email client (RFC 8058), … */
type StatusCause = 'page' | 'one-click' | 'confirmation' | 'complaint' | 'bounce' | 'account';

/** Reason of a change of status. */
export interface StatusChange {
  readonly cause: StatusCause;
  /** In words: the response of the mail server. Stored and shown unchanged, so it must not contain text of an email. */
  readonly reason?: string;
  /** The email that caused it. */
  readonly campaignId?: number | null;
}

/**
 * Permitted previous statuses of each status. A person's own choice outlives bounces and actions of the account; only
 * the account's explicit restoration (`active`) ends it.
 */
const mayFollow: Readonly<Record<UserStatus, readonly UserStatus[]>> = {
  active: ['removed', 'complained', 'bounced', 'deleted'],
  removed: ['active', 'bounced', 'deleted'],
  complained: ['active', 'bounced', 'deleted'],
  bounced: ['active'],
  deleted: ['active', 'bounced'],
};

/** Whether a user with this status has unsubscribed or complained. */
export const isRemoved = (status: UserStatus): boolean => status === 'removed' || status === 'complained';

/** Whether a user may change from one status to another. */
export const follows = (from: UserStatus, to: UserStatus): boolean => mayFollow[to].includes(from);

/**
 * `StatusEmail` of the interface (decisions, section 3): null for an active user without a delivery or choice of their
 * own yet.
 */
type StatusEmail = 'Active' | 'Inactive' | 'AskedRemoval' | 'BadEmail' | null;

/** Returns the interface's name of a user's status. `waiting`: they have not confirmed the list yet. */
export function statusEmail(status: UserStatus, heard: boolean, waiting: boolean): StatusEmail {
  switch (status) {
    case 'active':
      return waiting ? 'Inactive' : heard ? 'Active' : null;
    case 'deleted':
      return 'Inactive';
    case 'bounced':
      return 'BadEmail';
    default:
      return 'AskedRemoval';
  }
}
