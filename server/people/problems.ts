/** Why something about people, their passwords and second factors is refused, beside the words of server/errors.ts. */
export type PersonProblem =
  | 'wrong-password'
  | 'wrong-code'
  /** The rules of the account demand a second factor, which the person has not set up. */
  | 'second-factor-required'
  /** A link that works once was used, is too old, or never was. */
  | 'link-over';

/** A refusal with one of these words. The message is for the caller. */
export class PersonRefusal extends Error {
  readonly code: PersonProblem;

  constructor(code: PersonProblem, message: string) {
    super(message);
    this.code = code;
  }
}
