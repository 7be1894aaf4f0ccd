import type { Blacklist } from '../audience/blacklist.ts';
import { removalsTotal } from '../audience/metrics.ts';
import type { Sql } from '../database/connection.ts';
import type { Language } from '../text/language.ts';
import type { Codes } from './codes.ts';

/** Who can be removed by a code, and from whose messages. */
export interface Removal {
  readonly accountId: number;
  readonly phone: string;
  /** The sender of the message that the link came with. */
  readonly source: string;
  readonly language: Language;
}

/** Removal by the link in a message (decisions, `add_unsubscribe` 3). */
export class Removals {
  readonly #sql: Sql;
  readonly #codes: Codes;
  readonly #blacklist: Blacklist;

  constructor(parts: { sql: Sql; codes: Codes; blacklist: Blacklist }) {
    this.#sql = parts.sql;
    this.#codes = parts.codes;
    this.#blacklist = parts.blacklist;
  }

  /** What a code is for; undefined when it is unknown, too old, or a short link's. */
  async find(code: string): Promise<Removal | undefined> {
    const target = await this.#codes.find(code);
    if (target?.linkId !== null) return undefined;
    const { accountId, messageId, language } = target;
    const [message] = await this.#sql<{ phone: string; source: string }[]>`
      SELECT recipient AS phone, source FROM messages WHERE account_id = ${accountId} AND id = ${messageId}`;
    return message && { accountId, ...message, language };
  }

  /** Puts the number on the account's blacklist, with its event; once, however often it is asked. */
  async remove({ accountId, phone }: Removal): Promise<void> {
    const added = await this.#blacklist.add(accountId, [phone]);
    if (added.length > 0) removalsTotal.inc({ by: 'page' });
  }
}
