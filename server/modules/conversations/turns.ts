import type { TransactionSql } from '../../database/connection.ts';
import type { Agent, People } from '../people/people.ts';
import { insertDefaults } from './settings.ts';

/**
 * Returns the person who answers the next conversation of an account: of the participants who may answer, the one whose
 * id follows that of the last turn; undefined if nobody takes part. Locks the row of the settings until the transaction
 * ends, so that parallel conversations go to different people.
 */
export async function takeTurn(
  tx: TransactionSql,
  people: Pick<People, 'listAgents'>,
  accountId: number,
): Promise<Agent | undefined> {
  await insertDefaults(tx, accountId);
  const [row] = await tx<{ turn_ids: readonly number[]; last_turn_id: number | null }[]>`
    SELECT turn_ids, last_turn_id FROM conversation_settings WHERE account_id = ${accountId} FOR UPDATE`;
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
