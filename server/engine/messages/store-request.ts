import type { Sql, TransactionSql } from '../../database/connection.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import { Refusal } from '../../kit/errors.ts';
import { isOverdraft } from '../../modules/accounts/wallets.ts';

/**
 * Stores a request in one transaction. Throws Refusal `no-credit` when the balance is too low, Refusal `try-again` when
 * the database is unavailable, and errors of `store`; then nothing is stored.
 */
export async function storeRequest<T>(sql: Sql, store: (tx: TransactionSql) => Promise<T>): Promise<T> {
  try {
    return (await sql.begin(store)) as T;
  } catch (error) {
    if (isOverdraft(error)) throw new Refusal('no-credit', 'not enough credit');
    if (!isDatabaseTrouble(error)) throw error;
    throw new Refusal('try-again', 'the service cannot store the request now, try again');
  }
}
