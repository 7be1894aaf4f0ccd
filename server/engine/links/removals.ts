import type { Context } from '../../kit/context.ts';
import type { Language } from '../../kit/text/language.ts';
import type { Blacklist } from '../../modules/audience/blacklist.ts';
import { removalsTotal } from '../../modules/audience/metrics.ts';
import { type Consents, undoneWithdrawal, withdrawal } from '../../modules/consents/consents.ts';
import { isPseudonym } from '../../modules/personal-data/subject.ts';
import type { Codes } from './codes.ts';

/** A recipient to remove, and the account that sent the message. */
export interface Removal {
  readonly accountId: number;
  readonly phone: string;
  /** Sender of the message with the link. */
  readonly source: string;
  readonly language: Language;
}

interface RemovalsDeps extends Pick<Context, 'sql'> {
  readonly codes: Codes;
  readonly blacklist: Pick<Blacklist, 'addWithin' | 'remove'>;
  readonly consents: Pick<Consents, 'recordWithin' | 'record' | 'list'>;
}

/** Removal by the link in a message (decisions, `add_unsubscribe` 3). */
export class Removals {
  readonly #deps: RemovalsDeps;

  constructor(deps: RemovalsDeps) {
    this.#deps = deps;
  }

  /** Returns the removal of a code; undefined for an unknown or expired code, or one of a short link. */
  async find(code: string): Promise<Removal | undefined> {
    const target = await this.#deps.codes.find(code);
    if (target?.linkId !== null) return undefined;
    const { accountId, messageId, language } = target;
    const [message] = await this.#deps.sql<{ phone: string; source: string }[]>`
      SELECT recipient AS phone, source FROM messages WHERE account_id = ${accountId} AND id = ${messageId}`;
    // The recipient was erased, so their number is unknown.
    if (!message || isPseudonym(message.phone)) return undefined;
    return { accountId, ...message, language };
  }

  /** Adds the number to the account's blacklist and records the event; repeated calls have no further effect. */
  async remove({ accountId, phone, language }: Removal): Promise<void> {
    const { sql, blacklist, consents } = this.#deps;
    const added = await sql.begin(async (tx) => {
      const phones = await blacklist.addWithin(tx, accountId, [phone]);
      const said = { ...withdrawal, channel: 'any', source: 'removal-link', evidence: { language } } as const;
      await consents.recordWithin(
        tx,
        accountId,
        phones.map((subject) => ({ ...said, subject })),
      );
      return phones;
    });
    if (added.length > 0) removalsTotal.inc({ by: 'page' });
  }

  /** Whether the recipient can undo the removal: the link put the number on the blacklist, and nothing was said since. */
  async mayRestore({ accountId, phone }: Removal): Promise<boolean> {
    const [last] = await this.#deps.consents.list(accountId, { subject: phone, limit: 1 });
    return last?.action === 'withdrawn' && last.source === 'removal-link';
  }

  /**
   * Undoes a removal by the link: takes the number off the blacklist, and records the consent again that the removal
   * withdrew, if there was one. Returns whether it was undone.
   */
  async restore(removal: Removal): Promise<boolean> {
    if (!(await this.mayRestore(removal))) return false;
    const { accountId, phone } = removal;
    const { blacklist, consents } = this.#deps;
    const removed = await blacklist.remove(accountId, [phone], 'undone by the recipient');
    if (removed.length === 0) return false;
    await consents.record(accountId, await undoneWithdrawal(consents, accountId, phone, 'removal-link'));
    return true;
  }
}
