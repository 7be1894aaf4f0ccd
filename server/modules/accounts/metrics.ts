import type { Sql } from '../../database/connection.ts';
import { counter, gauge } from '../../kit/observability/metrics.ts';
import { CREDIT, type LedgerKind, ledgerKinds } from './money.ts';

const credits = counter(
  'carillon_wallet_credits_total',
  'Credits that entered wallets (`in`) and left them (`out`), by the kind of their ledger rows.',
  'kind',
  'direction',
);

// Created once, because each message may move a wallet. Each series starts at 0.
const moved = Object.fromEntries(
  ledgerKinds.map((kind) => [kind, { in: credits.labels(kind, 'in'), out: credits.labels(kind, 'out') }]),
) as Record<LedgerKind, Record<'in' | 'out', ReturnType<typeof credits.labels>>>;
for (const { in: into, out } of Object.values(moved)) {
  into.inc(0);
  out.inc(0);
}

/** Counts a committed movement of a wallet, in ten-thousandths of a credit; a negative amount leaves the wallet. */
export function countMove(kind: LedgerKind, amount: number): void {
  moved[kind][amount < 0 ? 'out' : 'in'].inc(Math.abs(amount) / CREDIT);
}

const balance = gauge('carillon_wallet_balance_credits', 'Credits in all wallets together.');
const empty = gauge('carillon_wallets_empty', 'Wallets without credit.');

/** Sums all wallets with one query. */
export async function measureWallets(sql: Sql): Promise<void> {
  const [row] = await sql<{ total: number; empty: number }[]>`
    SELECT coalesce(sum(balance), 0)::float8 AS total, count(*) FILTER (WHERE balance = 0)::int AS empty FROM wallets`;
  balance.set(row!.total);
  empty.set(row!.empty);
}
