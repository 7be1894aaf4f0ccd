import { numbers } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { Agent, People } from '../people/people.ts';
import { insertDefaults } from './settings.ts';

/**
 * Locks the turns of accounts of one placement until the transaction ends, so that parallel conversations go to different
 * people. Missing rows are created first, and both in the order of the accounts, as in `lockWindows` of chat.
 */
export async function lockTurns(tx: TransactionSql, accountIds: readonly number[]): Promise<void> {
  if (accountIds.length === 0) return;
  await insertDefaults(tx, accountIds);
  await tx`
    SELECT FROM conversation_settings WHERE account_id = ANY(${numbers(accountIds)}::bigint[])
    ORDER BY account_id FOR UPDATE`;
}

/**
 * Returns the person who answers the next conversation of an account: of the participants who may answer, the one whose
 * id follows that of the last turn; undefined if nobody takes part. The transaction has locked the turns.
 */
export async function takeTurn(
  tx: TransactionSql,
  people: Pick<People, 'listAgents'>,
  accountId: number,
): Promise<Agent | undefined> {
  const [row] = await tx<{ turn_ids: readonly number[]; last_turn_id: number | null }[]>`
    SELECT turn_ids, last_turn_id FROM conversation_settings WHERE account_id = ${accountId}`;
  const { turn_ids, last_turn_id } = row!;
  const agents = await people.listAgents(accountId, tx);
  const taking = agents
    .filter(({ id }) => turn_ids.length === 0 || turn_ids.includes(id))
    .sort((one, other) => one.id - other.id);
  const next = taking.find(({ id }) => id > (last_turn_id ?? 0)) ?? taking[0];
  if (next) {
    await tx`UPDATE conversation_settings SET last_turn_id = ${next.id} WHERE account_id = ${accountId}`;
  }
  return next;
}
