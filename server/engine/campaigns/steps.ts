import type { TransactionSql } from '../../database/connection.ts';
import { isFree, released } from '../../database/leases.ts';
import { RESTING_MS } from '../messages/resting.ts';
import { removeWork, wantWork } from '../work/work.ts';
import { HIDDEN, type PreviousItems, type PreviousKey } from '../work/worker.ts';

/** Kind of background work: the steps of a campaign, by its id. */
export const CAMPAIGN = 'campaign';

/**
 * `lease_until` of a campaign whose next step is an item of background work. The version before 0132 leases campaigns by this
 * column, and therefore does not take it.
 */
export const BY_WORK = HIDDEN;

/** A campaign with a next step at `dueAt`, in milliseconds since the epoch. */
interface NextStep {
  readonly id: number;
  readonly dueAt: number;
}

/** Adds the next steps of campaigns, in the transaction that sets their `next_at`, and `lease_until` to `BY_WORK`. */
export async function addSteps(
  tx: TransactionSql,
  accountId: number,
  campaigns: readonly NextStep[],
  now: number,
): Promise<void> {
  await Promise.all(
    campaigns.map(({ id, dueAt }) => wantWork(tx, { accountId, kind: CAMPAIGN, key: id }, dueAt, now)),
  );
}

/** Removes the next steps of campaigns, in the transaction that changes them. A step under way stores nothing. */
export const removeSteps = (tx: TransactionSql, accountId: number, ids: readonly number[]): Promise<void> =>
  removeWork(tx, accountId, CAMPAIGN, ids);

/** Campaigns that the version before leases by their rows. */
export const previousCampaigns: PreviousItems = {
  waiting: (sql, leaseNow, limit) => sql<PreviousKey[]>`
    SELECT account_id AS "accountId", id AS key FROM campaigns
    WHERE next_at < ${RESTING_MS} AND ${isFree(sql, leaseNow)} LIMIT ${limit}`,
  async take(tx, { accountId, key }, leaseNow) {
    const [row] = await tx<{ next_at: number }[]>`
      UPDATE campaigns SET ${released(tx, BY_WORK)}
      WHERE account_id = ${accountId} AND id = ${key} AND next_at < ${RESTING_MS} AND ${isFree(tx, leaseNow)}
      RETURNING next_at`;
    return row?.next_at;
  },
};
