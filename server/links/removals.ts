import type { Blacklist } from '../audience/blacklist.ts';
import { removalsTotal } from '../audience/metrics.ts';
import { type Consents, withdrawal } from '../consents/consents.ts';
import type { Context } from '../context.ts';
import { isPseudonym } from '../personal-data/subject.ts';
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

  /** What a code is for; undefined when it is unknown, too old, or a short link's. */
  async find(code: string): Promise<Removal | undefined> {
    const target = await this.#deps.codes.find(code);
    if (target?.linkId !== null) return undefined;
    const { accountId, messageId, language } = target;
    const [message] = await this.#deps.sql<{ phone: string; source: string }[]>`
      SELECT recipient AS phone, source FROM messages WHERE account_id = ${accountId} AND id = ${messageId}`;
    // Nobody knows any more whose link this was.
    if (!message || isPseudonym(message.phone)) return undefined;
    return { accountId, ...message, language };
  }

  /** Puts the number on the account's blacklist, with its event; once, however often it is asked. */
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
