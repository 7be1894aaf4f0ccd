/** Why a chat message or template is refused, in the words that doors have codes for. */
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
  /** Over 24 hours since the client's last message, or a template message waits for his answer. */
  | 'window-closed'
  /** The client has never written. */
  | 'never-written'
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

/** A chat message is not taken. Nothing is stored, sent or charged. The message names what is wrong, for the caller. */
export class ChatRefusal extends Error {
  readonly problem: ChatProblem;

  constructor(problem: ChatProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
