import type { Context } from '../../kit/context.ts';
import type { Language } from '../../kit/text/language.ts';
import type { Blacklist } from '../../modules/audience/blacklist.ts';
import { removalsTotal } from '../../modules/audience/metrics.ts';
import { type Consents, withdrawal } from '../../modules/consents/consents.ts';
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
  readonly blacklist: Pick<Blacklist, 'addWithin'>;
  readonly consents: Pick<Consents, 'recordWithin'>;
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
}
