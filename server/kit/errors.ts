import type { ProblemDetail, Reason } from './reasons.ts';

/*
 * Rules of the domain refuse with a Refusal: a code, and the affected field of the domain's request. Each API
 * translates it once into its own codes (server/api/sms/status-codes.ts, chat-api/reasons.ts,
 * mail-api/envelope.ts, v1/errors.ts) and field names. All other errors are faults of the service.
 */

/** Reasons to refuse a chat message or template. */
export type ChatProblem =
  /** Not a business number of the account. */
  | 'unknown-source'
  /** Empty, or not a phone number. */
  | 'bad-destination'
  | 'unknown-template'
  /** Not approved, paused, disabled or deleted. */
  | 'template-not-usable'
  /** Two template messages have not been answered. */
  | 'two-unanswered'
  /** Within 24 hours, the portfolio has begun conversations with as many clients as its messaging limit permits. */
  | 'tier-reached'
  /** More than 24 hours since the client's last message, or a template message waits for an answer. */
  | 'window-closed'
  /** The client has never written. */
  | 'never-written'
  /**
   * The client does not want marketing messages: they are on the account's blacklist or, hiding their number, have told
   * the platform.
   */
  | 'blacklisted'
  /** The variables of the body: their number differs from the template's, or one is empty. */
  | 'bad-variables'
  /** A variable of the body or the header has a line break, a tab or four consecutive spaces. */
  | 'bad-variable-text'
  /**
   * The variable of a header is missing; or the link of a media header is missing, points to a too large file, or to
   * none.
   */
  | 'bad-header'
  /** The link of a media header points to a file of another type. */
  | 'bad-header-type'
  | 'bad-website-variable'
  /** More than 1,024 characters, variables included. */
  | 'too-long'
  | 'bad-coupon'
  | 'bad-otp'
  /** The message of the client to quote does not exist. */
  | 'bad-reply'
  | 'no-credit'
  /** The account is suspended. */
  | 'suspended';

/** Reasons to refuse a change of people, their passwords and second factors. */
export type PersonProblem =
  | 'wrong-password'
  | 'wrong-code'
  /** The rules of the account require a second factor, which the person has not set up. */
  | 'second-factor-required'
  /** The last proof of identity in the session is too old for this request. */
  | 'proof-needed'
  /** A one-time link is used, expired or unknown. */
  | 'link-over';

type CommonCode =
  | 'unreadable'
  | 'bad-field'
  | 'signed-out'
  | 'token-expired'
  | 'wrong-account'
  | 'not-verified'
  | 'no-credit'
  | 'not-now'
  | 'try-again'
  | 'several-messages'
  | 'all-blocked'
  | 'bad-destination'
  | 'bad-token-action'
  | 'unknown-user'
  | 'no-token'
  | 'no-phones'
  | 'not-allowed'
  | 'source-not-verified'
  | 'url-known'
  | 'bad-recent-days'
  | 'all-filtered'
  | 'bad-blacklist-entry'
  | 'already-cancelled'
  | 'already-sent'
  | 'not-cancelled'
  | 'unknown-campaign'
  | 'unknown-list'
  | 'bad-links'
  | 'bad-dynamic-fields'
  | 'bad-message'
  | 'bad-source'
  | 'over-credit'
  | 'bad-amount'
  | 'bad-password'
  | 'username-taken'
  | 'bad-username'
  | 'bad-name'
  | 'unknown-command'
  | 'key-reused'
  | 'key-in-progress'
  | 'too-large'
  | 'too-fast'
  /** A budget of the account is used up (server/modules/budgets); the detail names it and the time of its renewal. */
  | 'over-budget';

/** Reasons to refuse a request. `not-found`: the object that a path or field names does not exist. */
export type RefusalCode = CommonCode | ChatProblem | PersonProblem | 'not-found';

/** A refused request. Nothing was stored, sent or charged. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  /** The problem in words for the caller, without the name of a field. */
  readonly problem: string;
  /** The affected field of the domain's request (`phones[2]`); undefined if none is affected. */
  readonly path: string | undefined;
  /** The problem for programs, if it has a reason. */
  readonly detail: ProblemDetail | undefined;

  /** `message` is the problem, preceded by the path. A problem of a field or a state always has a detail for programs. */
  constructor(code: RefusalCode, problem: string, path: string | undefined, detail: ProblemDetail);
  constructor(
    code: Exclude<RefusalCode, 'bad-field' | 'not-now'>,
    problem: string,
    path?: string,
    detail?: ProblemDetail,
  );
  constructor(code: RefusalCode, problem: string, path?: string, detail?: ProblemDetail) {
    super(path === undefined ? problem : `${path}: ${problem}`);
    this.code = code;
    this.problem = problem;
    this.path = path;
    this.detail = detail;
  }

  /** Returns the same refusal for a field with another path. */
  at(path: string | undefined): Refusal {
    const { code, problem, detail } = this;
    // A `bad-field` and a `not-now` always have a detail.
    return detail
      ? new Refusal(code, problem, path, detail)
      : new Refusal(code as 'not-found', problem, path);
  }
}

/** Refuses a field: `path` (`phones[2]`), the problem in words without it, and for programs. */
export const badField = (
  path: string | undefined,
  problem: string,
  reason: Reason,
  params?: ProblemDetail['params'],
): Refusal => new Refusal('bad-field', problem, path, { reason, ...(params && { params }) });

/** Codes that APIs refuse a suspended account with: each channel has its own on the wire. */
export type SuspendedCode = 'not-now' | 'not-allowed' | 'suspended';

/** Refuses what a suspended account may not do. */
export const accountSuspended = (code: SuspendedCode = 'not-now'): Refusal =>
  new Refusal(code, 'the account is suspended', undefined, { reason: 'account-suspended' });

/**
 * Refuses to overwrite a version that is no longer the newest. `last` is the newest version and who saved it (null: a
 * token).
 */
export function savedMeanwhile(last: {
  readonly version: number;
  readonly updatedBy: string | null;
}): Refusal {
  return new Refusal('not-now', `version ${last.version} has been saved since`, 'version', {
    reason: 'changed-meanwhile',
    params: { by: last.updatedBy ?? '' },
  });
}
