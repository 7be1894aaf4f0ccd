import { accountsOf } from '../../database/arrays.ts';
import { bigints, ints } from '../../database/binary-arrays.ts';
import type { Query, Queryable, Row } from '../../database/connection.ts';
import { isOfAccounts } from '../../database/rows-by-key.ts';
import { hourFloor } from './hours.ts';

/** An hour (number since the epoch) of an account. */
export interface AccountHour {
  readonly accountId: number;
  readonly hour: number;
}

/** Parts of a statement that reads the messages of hours. */
export interface HourRows {
  /** Accounts of the wallets `w`, and their hours as rows `u` (account_id, hour, first_id, next_id). */
  readonly from: Query<Row[]>;
  /** Condition on `w` and `u`. */
  readonly where: Query<Row[]>;
  /** Condition on the messages `m` of one row of `u`. */
  readonly ofHour: Query<Row[]>;
}

/** Returns the parts of a statement that reads the messages of hours, each by a range of the primary key. */
export function hourRows(sql: Queryable, hours: readonly AccountHour[]): HourRows {
  const firsts = hours.map(({ hour }) => hourFloor(hour));
  const nexts = hours.map(({ hour }) => hourFloor(hour + 1));
  return {
    from: sql`wallets w, unnest(
      ${bigints(hours.map(({ accountId }) => accountId))}::bigint[], ${ints(hours.map(({ hour }) => hour))}::integer[],
      ${bigints(firsts)}::bigint[], ${bigints(nexts)}::bigint[]
    ) AS u (account_id, hour, first_id, next_id)`,
    where: sql`w.account_id = u.account_id AND w.account_id = ANY(${accountsOf(hours)}::bigint[])`,
    ofHour: sql`m.account_id = w.account_id AND ${isOfAccounts(sql, sql`m.account_id`, hours)}
      AND m.id >= u.first_id AND m.id < u.next_id
      AND m.id >= ${Math.min(...firsts)} AND m.id < ${Math.max(...nexts)}`,
  };
}
