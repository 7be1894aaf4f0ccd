/*
 * A rule that refuses throws a Refusal with the domain's own word for why. Each door has one table from these words
 * to its codes (server/interfaces/sms-api/status-codes.ts), and no door invents a code of its own. Anything else that
 * is thrown is a fault of ours.
 */

export type RefusalCode =
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
  | 'too-fast';

/** A request that is refused. The message is for the caller and names the field where there is one. */
export class Refusal extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}
