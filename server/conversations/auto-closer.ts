import type { Context } from '../context.ts';
import { idFloor } from '../ids.ts';
import { type ChangeDeps, changeConversation } from './change.ts';
import type { Conversations } from './conversations.ts';
import { type Conversation, conversationColumns, nobody, stateNumber } from './rows.ts';

const DAY_MS = 86_400_000;
/** Conversations that one transaction closes. */
const AT_ONCE = 100;

interface AutoCloserDeps extends ChangeDeps, Pick<Context, 'sql'> {
  readonly conversations: Pick<Conversations, 'announce'>;
}

/** Closes conversations in which nothing has happened for as many days as their account has set. */
export class AutoCloser {
  readonly #deps: AutoCloserDeps;

  constructor(deps: AutoCloserDeps) {
    this.#deps = deps;
  }

  /** Closes what is silent in every account. Run now and then. */
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
    // What was opened again by hand has an old last message, and changed lately.
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
