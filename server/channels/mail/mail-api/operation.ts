import type { OperationAbout } from '../../../api/openapi/description.ts';
import type { SendKeyUse } from '../../../api/send-keys/send-keys.ts';
import type { Account } from '../../../modules/accounts/accounts.ts';
import type { MailAdditions } from '../additions.ts';
import type { MailLists } from '../lists.ts';
import type { MailUsers } from '../users.ts';

/** Dependencies of the operations. */
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
  /** The send key of the call, for its transaction. */
  readonly sendKey?: SendKeyUse | undefined;
}

/** A response that is written while it is read from the database, with its long list in one field. */
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
   * Returns the fields of the response, without the envelope. `content` is the parsed body, undefined for an empty one,
   * or the query of a GET. Throws Refusal.
   */
  run(content: unknown, call: MailCall): Promise<object | Streamed>;
}
