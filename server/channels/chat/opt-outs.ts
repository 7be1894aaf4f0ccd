import type { Blacklist } from '../../audience/blacklist.ts';
import { removalsTotal } from '../../audience/metrics.ts';
import type { PreferenceFact } from '../../carriers/chat-platform/facts.ts';
import type { Context } from '../../context.ts';
import { clientOf, isUserId } from './clients.ts';
import type { ChatNumbers } from './numbers.ts';

interface OptOutsDeps extends Pick<Context, 'sql' | 'clock' | 'log'> {
  readonly numbers: Pick<ChatNumbers, 'byPlatformId'>;
  readonly blacklist: Pick<Blacklist, 'addWithin'>;
}

/** Clients who have told the platform that they want no marketing messages come onto the account's blacklist. */
export class OptOuts {
  readonly #deps: OptOutsDeps;

  constructor(deps: OptOutsDeps) {
    this.#deps = deps;
  }

  /**
   * Stores an opt-out, once: brought again, it does not undo that somebody took the number off the list since. A client who
   * wants messages again stays on the list, which may have other reasons.
   */
  async store(fact: PreferenceFact): Promise<void> {
    const { sql, clock, log, numbers, blacklist } = this.#deps;
    const number = fact.stops ? await numbers.byPlatformId(fact.phoneNumberId) : undefined;
    if (!number) return;
    const { accountId } = number;
    await sql.begin(async (tx) => {
      const client = fact.from === '' ? await clientOf(tx, accountId, fact.userId) : fact.from;
      if (isUserId(client)) {
        log.warn(
          'a client whose number is not known wants no marketing messages, which the platform refuses',
        );
        return;
      }
      const fresh = await tx`
        INSERT INTO chat_received (account_id, platform_id, at)
        VALUES (${accountId}, ${`stop ${client} ${fact.at}`}, ${clock.now()})
        ON CONFLICT DO NOTHING RETURNING platform_id`;
      if (fresh.length === 0) return;
      const added = await blacklist.addWithin(tx, accountId, [client]);
      if (added.length > 0) removalsTotal.inc({ by: 'chat' });
    });
  }
}
