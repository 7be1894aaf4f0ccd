import { z } from 'zod';
import { operatorReads } from '../../../api/access/rules.ts';
import { iso, out } from '../../../api/openapi/out.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { formatAmount, parseAmount } from '../../../modules/accounts/money.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { TotalsOfAccount } from '../hourly-statistics.ts';
import { HOUR_MS } from '../hours.ts';
import { overviewQuery, readSpan, rowsOf, sums, totalsOf } from './overview.ts';

const MAX_ACCOUNTS = 10;
/** Accounts are listed if their credit lasts no longer than this at their current spending. */
const LOW_DAYS = 7;
const DAY_MS = 24 * HOUR_MS;

const { channel, ...counts } = sums;
const accountAnswer = z.object({
  account_id: out.text('Id of the account.', '1774337460000003'),
  username: out.text('User name of the account.', 'shop'),
  balance: out.credits('Balance in credits.', '1234.5'),
  accepted: counts.accepted,
  delivered: counts.delivered,
  read: counts.read,
  failed: counts.failed,
  spent: counts.spent,
});
const overviewAnswer = z.object({
  from: out.time('Start of the first hour or day'),
  to: out.time('End of the last hour or day'),
  rows: z
    .array(z.object({ at: out.time('Start of the hour or day'), ...sums }))
    .describe('Messages of all accounts by time of acceptance.'),
  totals: z.array(z.object(sums)).describe('Totals of the whole time.'),
  accounts: z.array(accountAnswer).describe(`Accounts with the most messages, at most ${MAX_ACCOUNTS}.`),
  low_balances: z
    .array(accountAnswer)
    .describe(
      `Accounts whose balance lasts less than ${LOW_DAYS} days at their spending in this time, lowest first; at most ${MAX_ACCOUNTS}.`,
    ),
});

type Deps = Pick<CoreContext, 'clock' | 'hourlyStatistics' | 'defaultZone' | 'accounts'>;

const route = resource<Deps>('operator');

/** Sums of all accounts: sent, delivered and failed messages, and spending. For operators. */
export const operatorOverviewRoutes = [
  route('GET /v1/operator/overview', {
    access: operatorReads,
    operationId: 'showOperatorOverview',
    title: 'Show the statistics of all accounts',
    description:
      'Returns messages by channel and hour or day, the accounts with the most messages, and those whose credit is running out. The counts are updated in the background, some seconds to minutes late.',
    query: overviewQuery,
    answer: overviewAnswer,
    handler: async ({ query }, deps) => {
      const span = readSpan(deps, query, query.time_zone ?? deps.defaultZone);
      const days = Math.max(1 / 24, ((span.end - span.first) * HOUR_MS) / DAY_MS);
      const [rows, busiest, low] = await Promise.all([
        deps.hourlyStatistics.ofAllAccounts(span.first, span.end),
        deps.hourlyStatistics.busiestAccounts(span.first, span.end, MAX_ACCOUNTS),
        deps.hourlyStatistics.lowBalances(span.first, span.end, LOW_DAYS / days, MAX_ACCOUNTS),
      ]);
      const show = (accounts: readonly TotalsOfAccount[]) =>
        Promise.all(accounts.map((one) => showTotals(deps, one)));
      return {
        from: iso(span.first * HOUR_MS),
        to: iso(span.end * HOUR_MS),
        rows: rowsOf(rows, span),
        totals: totalsOf(rows),
        accounts: await show(busiest),
        low_balances: await show(low),
      };
    },
  }),
];

async function showTotals({ accounts }: Deps, { account_id, balance, spent, ...sent }: TotalsOfAccount) {
  return {
    ...sent,
    account_id: String(account_id),
    username: (await accounts.byId(account_id))?.username ?? '',
    balance: formatAmount(parseAmount(balance)),
    spent: formatAmount(parseAmount(spent)),
  };
}
