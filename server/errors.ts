import type { ProblemDetail } from './reasons.ts';

/*
 * A rule that refuses throws a Refusal: a code, and the field of the domain's request that is meant. Each API translates it
 * once into its own codes (server/interfaces/sms-api/status-codes.ts, chat-api/reasons.ts, mail-api/envelope.ts,
 * v1/errors.ts) and the names that its fields have. Anything else that is thrown is a fault of ours.
 */

/** Why a chat message or template is refused. */
export type ChatProblem =
  /** No business number of the account. */
  | 'unknown-source'
  /** Empty, or no phone number. */
  | 'bad-destination'
  | 'unknown-template'
  /** Not approved, paused, disabled or deleted. */
  | 'template-not-usable'
  /** Two template messages have had no answer. */
  | 'two-unanswered'
  /** The portfolio has written first to as many clients in 24 hours as its tier allows. */
  | 'tier-reached'
  /** Over 24 hours since the client's last message, or a template message waits for an answer. */
  | 'window-closed'
  /** The client has never written. */
  | 'never-written'
  /** The client wants no marketing messages: on the account's blacklist, or told to the platform by one who hides the number. */
  | 'blacklisted'
  /** The body's variables: not as many as the template has, or one that is empty. */
  | 'bad-variables'
  /** A variable of the body or the header with a line break, a tab or four spaces in a row. */
  | 'bad-variable-text'
  /** A header's variable is missing, or a media header's link is, is too large, or leads nowhere. */
  | 'bad-header'
  /** A media header's link leads to something of another type. */
  | 'bad-header-type'
  | 'bad-website-variable'
  /** Over 1,024 characters with its variables. */
  | 'too-long'
  | 'bad-coupon'
  | 'bad-otp'
  /** There is no such message of the client to quote. */
  | 'bad-reply'
  | 'no-credit'
  /** The account is suspended. */
  | 'suspended';

/** Why a change of people, their passwords and second factors is refused. */
export type PersonProblem =
  | 'wrong-password'
  | 'wrong-code'
  /** The rules of the account demand a second factor, which the person has not set up. */
  | 'second-factor-required'
  /** The last proof of identity in the session is too old for this. */
  | 'proof-needed'
  /** A link that works once was used, is too old, or never was. */
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
  /** A budget of the account is used up (server/budgets); the detail names it and when it renews. */
  | 'over-budget';

/** Why a request is refused. `not-found`: what a path or a field names is not there. */
export type RefusalCode = CommonCode | ChatProblem | PersonProblem | 'not-found';

/** A request that is refused. Nothing was stored, sent or charged. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  /** What is wrong, for the caller, without the name of a field. */
  readonly problem: string;
  /** The field of the domain's request that is meant (`phones[2]`); undefined where it is none. */
  readonly path: string | undefined;
  /** What is wrong, for programs, where it is known. */
  readonly detail: ProblemDetail | undefined;

  /** `message` is the problem with the path in front. What is wrong with a field is said for programs, too. */
  constructor(code: RefusalCode, problem: string, path: string | undefined, detail: ProblemDetail);
  constructor(
    code: Exclude<RefusalCode, 'bad-field'>,
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

  /** The same refusal of the field that has this path elsewhere. */
  at(path: string | undefined): Refusal {
    const { code, problem, detail } = this;
    // A `bad-field` was made with its detail.
    return detail ? new Refusal(code, problem, path, detail) : new Refusal(code as 'not-now', problem, path);
  }
}

/** Refuses to save over a version that is not the last one any more; the last one, and who saved it (null: a token). */
export function savedMeanwhile(last: {
  readonly version: number;
  readonly updatedBy: string | null;
}): Refusal {
  return new Refusal('not-now', `version ${last.version} has been saved since`, 'version', {
    reason: 'changed-meanwhile',
    params: { by: last.updatedBy ?? '' },
  });
}
