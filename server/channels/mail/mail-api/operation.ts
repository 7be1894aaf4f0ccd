import type { Account } from '../../../accounts/accounts.ts';
import type { OperationAbout } from '../../../interfaces/openapi/description.ts';
import type { SendKeyUse } from '../../../send-keys/send-keys.ts';
import type { MailAdditions } from '../additions.ts';
import type { MailLists } from '../lists.ts';
import type { MailUsers } from '../users.ts';

/** What operations work with. */
export interface MailServices {
  readonly lists: MailLists;
  readonly users: MailUsers;
  readonly additions: MailAdditions;
}

/** One call of an operation, signed in. */
export interface MailCall {
  readonly services: MailServices;
  /** The account of the token. */
  readonly account: Account;
  /** The key that the call came with, for the transaction that does it. */
  readonly sendKey?: SendKeyUse | undefined;
}

/** An answer that is written as it is read from the database: its fields, and the one that is a list of many. */
export class Streamed {
  readonly field: string;
  readonly pages: AsyncGenerator<readonly object[]>;

  constructor(field: string, pages: AsyncGenerator<readonly object[]>) {
    this.field = field;
    this.pages = pages;
  }
}

/** An operation of the mailing-list API. */
export interface MailOperation {
  readonly method: 'GET' | 'POST';
  /** The last segment of its path. */
  readonly path: string;
  readonly about: OperationAbout;
  /**
   * Gives what the answer has beside the envelope. `content` is what was read of the body, undefined for an empty one, or
   * the query of a GET. Throws Refusal.
   */
  run(content: unknown, call: MailCall): Promise<object | Streamed>;
}
