import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import type { Blacklist } from '../../modules/audience/blacklist.ts';
import { removalsTotal } from '../../modules/audience/metrics.ts';
import type { Suppressions } from '../../modules/audience/suppressions.ts';
import { type Consents, withdrawal } from '../../modules/consents/consents.ts';
import type { PreferenceFact } from '../../protocols/chat-platform/facts.ts';
import type { ChatNumbers } from './business-numbers.ts';
import { clientOf, isUserId, lockUser } from './clients.ts';

interface OptOutsDeps extends Pick<Context, 'sql' | 'clock'> {
  readonly numbers: Pick<ChatNumbers, 'byPlatformId'>;
  readonly blacklist: Pick<Blacklist, 'addWithin'>;
  readonly consents: Pick<Consents, 'recordWithin'>;
}

/**
 * Puts clients who opted out of marketing messages on the platform on the account's blacklist. Clients with an unknown
 * number are stored in `chat_stops`, by the platform's id, until the number becomes known.
 */
export class OptOuts {
  readonly #deps: OptOutsDeps;

  constructor(deps: OptOutsDeps) {
    this.#deps = deps;
  }

  /**
   * Stores an opt-out, once: a repetition does not add a number that somebody has since removed from the list. A client
   * who opts in again stays on the blacklist, which may have other reasons; `chat_stops` has no other reason, so the
   * client is deleted there.
   */
  async store(fact: PreferenceFact): Promise<void> {
    const { sql, numbers } = this.#deps;
    const number = await numbers.byPlatformId(fact.phoneNumberId);
    if (!number) return;
    const { accountId } = number;
    await sql.begin(async (tx) => {
      const client = fact.from === '' ? await this.#clientOf(tx, accountId, fact.userId) : fact.from;
      if (isUserId(client)) return this.#storeHidden(tx, accountId, client, fact);
      if (!fact.stops) return;
      await this.#storeStop(tx, accountId, client, fact.at);
    });
  }

  /**
   * Call this in the transaction in which the number of a client who hid it becomes known: a stored opt-out moves to
   * the blacklist.
   */
  async reveal(tx: TransactionSql, accountId: number, userId: string, phone: string): Promise<void> {
    const [stop] = await tx<{ is_stopped: boolean; at: number }[]>`
      DELETE FROM chat_stops WHERE account_id = ${accountId} AND user_id = ${userId} RETURNING is_stopped, at`;
    if (stop?.is_stopped) await this.#storeStop(tx, accountId, phone, stop.at);
  }

  /** Returns the client of an id, and locks the knowledge about them. */
  async #clientOf(tx: TransactionSql, accountId: number, userId: string): Promise<string> {
    await lockUser(tx, accountId, userId);
    return clientOf(tx, accountId, userId);
  }

  /** Stores the newest notice, so that older or repeated ones change nothing. */
  async #storeHidden(
    tx: TransactionSql,
    accountId: number,
    userId: string,
    { stops, at }: PreferenceFact,
  ): Promise<void> {
    const rows = await tx`
      INSERT INTO chat_stops AS s (account_id, user_id, is_stopped, at)
      VALUES (${accountId}, ${userId}, ${stops}, ${at})
      ON CONFLICT ON CONSTRAINT chat_stops_pkey DO UPDATE
        SET is_stopped = excluded.is_stopped, at = excluded.at WHERE s.at < excluded.at
      RETURNING is_stopped`;
    if (rows.length === 0 || !stops) return;
    removalsTotal.inc({ by: 'chat' });
    await this.#withdraw(tx, accountId, userId, at);
  }

  async #storeStop(tx: TransactionSql, accountId: number, phone: string, at: number): Promise<void> {
    const { clock, blacklist } = this.#deps;
    const fresh = await tx`
      INSERT INTO chat_received (account_id, platform_id, at)
      VALUES (${accountId}, ${`stop ${phone} ${at}`}, ${clock.now()})
      ON CONFLICT DO NOTHING RETURNING platform_id`;
    if (fresh.length === 0) return;
    const added = await blacklist.addWithin(tx, accountId, [phone]);
    if (added.length === 0) return;
    removalsTotal.inc({ by: 'chat' });
    await this.#withdraw(tx, accountId, phone, at);
  }

  /** Writes the opt-out into the consent log. */
  #withdraw(tx: TransactionSql, accountId: number, subject: string, at: number): Promise<number> {
    const said = { ...withdrawal, subject, channel: 'chat', at, source: 'chat-platform' } as const;
    return this.#deps.consents.recordWithin(tx, accountId, [said]);
  }
}

/**
 * Whether a client (E.164 digits, or the id of one who hides the number) has opted out of marketing messages of the
 * account.
 */
export async function isOptedOut(
  { sql, suppressions }: { readonly sql: Queryable; readonly suppressions: Pick<Suppressions, 'has'> },
  accountId: number,
  client: string,
): Promise<boolean> {
  const rows = await (isUserId(client)
    ? sql`SELECT 1 FROM chat_stops WHERE account_id = ${accountId} AND user_id = ${client} AND is_stopped`
    : sql`SELECT 1 FROM blacklist WHERE account_id = ${accountId} AND phone = ${client}`);
  return rows.length > 0 || (await suppressions.has(accountId, [client])).size > 0;
}
