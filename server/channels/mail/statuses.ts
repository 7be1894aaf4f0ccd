/*
 * What a user of mailing lists can be. Who is not active gets no mail.
 */
export const userStatuses = ['active', 'removed', 'complained', 'bounced', 'deleted'] as const;

/**
 * - `active`: gets mails
 * - `removed`: asked to get none
 * - `complained`: said to their mail service that they are spam
 * - `bounced`: their address takes no mail
 * - `deleted`: the account deleted them
 */
export type UserStatus = (typeof userStatuses)[number];

/** What changed a status: the page behind the link in a mail, the button of a mail program (RFC 8058), … */
type StatusCause = 'page' | 'one-click' | 'confirmation' | 'complaint' | 'bounce' | 'account';

/** Why a status changes. */
export interface StatusChange {
  readonly cause: StatusCause;
  /** In words: what the mail server said. Kept and told as it is, so no text of a mail. */
  readonly reason?: string;
  /** The mail that led to it. */
  readonly campaignId?: number | null;
}

/**
 * Which statuses each may follow on. What a person has asked for outlives what a mail server says and what the account
 * does; only the account's express wish to restore them (`active`) ends it.
 */
const mayFollow: Readonly<Record<UserStatus, readonly UserStatus[]>> = {
  active: ['removed', 'complained', 'bounced', 'deleted'],
  removed: ['active', 'bounced', 'deleted'],
  complained: ['active', 'bounced', 'deleted'],
  bounced: ['active'],
  deleted: ['active', 'bounced'],
};

/** Whether a user with this status wants no mails. */
export const isRemoved = (status: UserStatus): boolean => status === 'removed' || status === 'complained';

/** Whether a user who is `from` becomes `to` when somebody says so. */
export const follows = (from: UserStatus, to: UserStatus): boolean => mayFollow[to].includes(from);

/** `StatusEmail` of the interface (decisions, section 3): null until something is known of an active user. */
type StatusEmail = 'Active' | 'Inactive' | 'AskedRemoval' | 'BadEmail' | null;

/** The interface's word for a user's status. `waiting`: they have not confirmed that they want to be in the list. */
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
