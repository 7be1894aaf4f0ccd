import { numbers } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import type { DueRows } from '../../database/due-look.ts';

/** Members deleted per statement. */
const AT_ONCE = 5_000;

/** Deletes the members of emptied or removed lists in the background. */
export class MailListWork {
  readonly #sql: Sql;
  #stopping = false;

  constructor({ sql }: { readonly sql: Sql }) {
    this.#sql = sql;
  }

  /** The members that `run` would delete. */
  due(): DueRows {
    return this.#sql`FROM mail_discarded`;
  }

  /** Works until no members are left, or `stop` is called. */
  async run(): Promise<void> {
    while (!this.#stopping) {
      const [next] = await this.#sql<{ account_id: number; filling_id: number }[]>`
        SELECT account_id, filling_id FROM mail_discarded ORDER BY at LIMIT 1`;
      if (!next) return;
      await this.#deleteSome(next.account_id, next.filling_id);
    }
  }

  /** Makes `run` end after its current step. The next run resumes the rest. */
  stop(): void {
    this.#stopping = true;
  }

  /**
   * Deletes some members, and their users if they are in no other list. Users who have unsubscribed or cannot receive
   * emails stay, because their status matters when somebody adds them again.
   */
  async #deleteSome(accountId: number, generation: number): Promise<void> {
    await this.#sql.begin(async (tx) => {
      const members = await tx<{ user_id: number }[]>`
        SELECT user_id FROM mail_members WHERE account_id = ${accountId} AND filling_id = ${generation}
        ORDER BY user_id LIMIT ${AT_ONCE}`;
      const ids = numbers(members.map((member) => member.user_id));
      // A request that adds one of them to another list holds their lock, or gets it after this transaction, so the
      // state read below cannot change.
      await tx`
        SELECT id FROM mail_users WHERE account_id = ${accountId} AND id = ANY(${ids}::bigint[])
        ORDER BY address_key FOR UPDATE`;
      await tx`
        DELETE FROM mail_members
        WHERE account_id = ${accountId} AND filling_id = ${generation} AND user_id = ANY(${ids}::bigint[])`;
      await tx`
        DELETE FROM mail_confirmations
        WHERE account_id = ${accountId} AND filling_id = ${generation} AND user_id = ANY(${ids}::bigint[])`;
      await tx`
        DELETE FROM mail_users u
        WHERE u.account_id = ${accountId} AND u.id = ANY(${ids}::bigint[]) AND u.status IN ('active', 'deleted')
          AND NOT EXISTS (
            SELECT 1 FROM mail_members m WHERE m.account_id = ${accountId} AND m.user_id = u.id)`;
      if (members.length < AT_ONCE) {
        await tx`DELETE FROM mail_discarded WHERE account_id = ${accountId} AND filling_id = ${generation}`;
      }
    });
  }
}
