import type { Context } from '../../kit/context.ts';
import { idFloor } from '../../kit/ids.ts';
import { type ChangeDeps, changeConversation } from './change.ts';
import type { Conversations } from './conversations.ts';
import { type Conversation, conversationColumns, nobody, stateNumber } from './rows.ts';

const DAY_MS = 86_400_000;
/** Conversations closed per transaction. */
const AT_ONCE = 100;

interface AutoCloserDeps extends ChangeDeps, Pick<Context, 'sql'> {
  readonly conversations: Pick<Conversations, 'announce'>;
}

/** Closes conversations without activity for the number of days that their account has set. */
export class AutoCloser {
  readonly #deps: AutoCloserDeps;

  constructor(deps: AutoCloserDeps) {
    this.#deps = deps;
  }

  /** Closes inactive conversations of every account. Runs periodically. */
  async run(): Promise<void> {
    const accounts = await this.#deps.sql<{ account_id: number; days: number }[]>`
      SELECT account_id, close_after_days AS days FROM conversation_settings WHERE close_after_days IS NOT NULL`;
    for (const { account_id, days } of accounts) {
      while ((await this.#closeSome(account_id, days)) === AT_ONCE);
    }
  }

  async #closeSome(accountId: number, days: number): Promise<number> {
    const { sql, clock, conversations } = this.#deps;
    const before = clock.now() - days * DAY_MS;
    // A conversation that a person reopened has an old last message but a recent change.
    const closed = await sql.begin(async (tx) => {
      const silent = await tx<Conversation[]>`
        SELECT ${conversationColumns(tx)} FROM conversations
        WHERE account_id = ${accountId} AND state = ${stateNumber('open')} AND last_id < ${idFloor(before)}
          AND changed_at < ${before}
        ORDER BY last_id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED`;
      for (const conversation of silent) {
        await changeConversation(tx, this.#deps, accountId, conversation, { state: 'closed' }, nobody);
      }
      return silent.length;
    });
    if (closed > 0) conversations.announce(accountId);
    return closed;
  }
}
