import { accountsOf, numbers, texts } from '../../database/arrays.ts';
import {
  type Queryable,
  type Sql,
  type TransactionSql,
  violatedConstraint,
} from '../../database/connection.ts';
import type { Clock } from '../../kit/clock.ts';
import { type IdSource, idFloor } from '../../kit/ids.ts';
import { invariant } from '../../kit/observability/invariant.ts';
import { countMove } from './metrics.ts';
import { type LedgerKind, parseAmount, toNumeric } from './money.ts';

export interface LedgerEntry {
  readonly kind: LedgerKind;
  /** Ten-thousandths of a credit; negative takes from the wallet. */
  readonly amount: number;
  readonly shipmentId?: number;
  readonly peerId?: number;
  readonly note?: string;
}

/** A row of the ledger. */
export interface LedgerRow {
  readonly id: number;
  readonly kind: LedgerKind;
  /** Ten-thousandths of a credit; a negative amount left the wallet. */
  readonly amount: number;
  readonly shipmentId: number | null;
  /** Name of the campaign that the shipment is; null without one. */
  readonly campaignName: string | null;
  /** The other wallet of a transfer. */
  readonly peerId: number | null;
  readonly note: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Filter of ledger rows. Times are milliseconds since the epoch, `from` inclusive, `to` exclusive. */
interface LedgerFilter {
  readonly accountId: number;
  readonly kind?: LedgerKind | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only rows with a smaller id: the last one of the previous page. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** The wallet has too little credit. Nothing was changed. */
export class NotEnoughCredit extends Error {}

/** Whether a transaction failed because a wallet would have become negative. */
export function isOverdraft(error: unknown): boolean {
  return violatedConstraint(error) === 'wallets_balance_check';
}

/**
 * Changes the balance of a wallet and writes the ledger rows that explain it, in the caller's transaction. No other
 * code changes balances, so the sum of an account's ledger is its balance. The statements are sent together; the
 * promise rejects with a violation of `wallets_balance_check` if the wallet would become negative.
 */
export async function moveWallet(
  tx: TransactionSql,
  ids: IdSource,
  now: number,
  accountId: number,
  entries: readonly LedgerEntry[],
): Promise<void> {
  const total = entries.reduce((sum, entry) => sum + entry.amount, 0);
  const moved = tx`
    UPDATE wallets SET balance = balance + ${toNumeric(total)}::numeric WHERE account_id = ${accountId}`;
  const written = tx`
    INSERT INTO ledger (account_id, id, kind, amount, shipment_id, peer_id, note, at)
    SELECT w.account_id, u.id, u.kind, u.amount, u.shipment_id, u.peer_id, u.note, ${now}
    FROM wallets w, unnest(
      ${entries.map(() => ids.next())}::bigint[], ${entries.map((entry) => entry.kind)}::text[],
      ${entries.map((entry) => toNumeric(entry.amount))}::numeric[],
      ${entries.map((entry) => entry.shipmentId ?? null)}::bigint[],
      ${entries.map((entry) => entry.peerId ?? null)}::bigint[],
      ${entries.map((entry) => entry.note ?? '')}::text[]
    ) AS u (id, kind, amount, shipment_id, peer_id, note)
    WHERE w.account_id = ${accountId}`;
  invariant(Number.isSafeInteger(total), 'wallet', () => ({ accountId, total }));
  const [wallet, rows] = await Promise.all([moved, written]);
  if (rows.count !== entries.length) throw new Error(`account ${accountId} has no wallet`);
  invariant(wallet.count === 1, 'wallet', () => ({ accountId, wallets: wallet.count }));
  countWhenCommitted(tx, entries);
}

function countWhenCommitted(tx: TransactionSql, entries: readonly LedgerEntry[]): void {
  tx.afterCommit(() => {
    for (const { kind, amount } of entries) countMove(kind, amount);
  });
}

/**
 * Locks wallets by account id, the order of all transactions that lock several
 * (docs/decisions/0004-groups-of-accounts.md).
 */
export async function lockWallets(
  tx: Queryable,
  owners: readonly { readonly accountId: number }[],
): Promise<void> {
  const accounts = accountsOf(owners);
  await tx`
    SELECT FROM wallets WHERE account_id = ANY(${accounts}::bigint[]) ORDER BY account_id FOR NO KEY UPDATE`;
}

/** As `moveWallet`, for several wallets, locked in the order of their accounts. */
export async function moveWallets(
  tx: TransactionSql,
  ids: IdSource,
  now: number,
  moves: readonly { readonly accountId: number; readonly entry: LedgerEntry }[],
): Promise<void> {
  const totals = new Map<number, number>();
  for (const { accountId, entry } of moves) {
    totals.set(accountId, (totals.get(accountId) ?? 0) + entry.amount);
  }
  const accounts = numbers([...totals.keys()]);
  const moved = tx`
    UPDATE wallets w SET balance = w.balance + l.total FROM (
      SELECT w.account_id, u.total FROM unnest(
        ${accounts}::bigint[], ${texts([...totals.values()].map(toNumeric))}::numeric[]) AS u (account_id, total)
      JOIN wallets w ON w.account_id = u.account_id
      WHERE w.account_id = ANY(${accounts}::bigint[])
      ORDER BY w.account_id FOR NO KEY UPDATE OF w
    ) l
    WHERE w.account_id = l.account_id AND w.account_id = ANY(${accounts}::bigint[])`;
  const entries = moves.map(({ entry }) => entry);
  const written = tx`
    INSERT INTO ledger (account_id, id, kind, amount, shipment_id, peer_id, note, at)
    SELECT w.account_id, u.id, u.kind, u.amount, u.shipment_id, u.peer_id, u.note, ${now}
    FROM wallets w, unnest(
      ${numbers(moves.map(({ accountId }) => accountId))}::bigint[], ${numbers(moves.map(() => ids.next()))}::bigint[],
      ${texts(entries.map(({ kind }) => kind))}::text[],
      ${texts(entries.map(({ amount }) => toNumeric(amount)))}::numeric[],
      ${numbers(entries.map(({ shipmentId }) => shipmentId ?? null))}::bigint[],
      ${numbers(entries.map(({ peerId }) => peerId ?? null))}::bigint[],
      ${texts(entries.map(({ note }) => note ?? ''))}::text[]
    ) AS u (account_id, id, kind, amount, shipment_id, peer_id, note)
    WHERE w.account_id = u.account_id AND w.account_id = ANY(${accounts}::bigint[])`;
  const [wallets, rows] = await Promise.all([moved, written]);
  if (rows.count !== moves.length) throw new Error(`one of ${totals.size} accounts has no wallet`);
  invariant(wallets.count === totals.size, 'wallet', () => ({ wallets: wallets.count }));
  countWhenCommitted(tx, entries);
}

/**
 * Moves credit between two wallets in the caller's transaction, with a ledger row for each. Rejects as `moveWallet`
 * does if the paying wallet has too little.
 */
export async function transfer(
  tx: TransactionSql,
  ids: IdSource,
  now: number,
  from: number,
  to: number,
  amount: number,
  note: string,
): Promise<void> {
  const moves = [
    { accountId: from, entry: { kind: 'transfer', amount: -amount, peerId: to, note } as const },
    { accountId: to, entry: { kind: 'transfer', amount, peerId: from, note } as const },
    // In the order of their ids, so that two transfers between the same wallets cannot block each other.
  ].sort((a, b) => a.accountId - b.accountId);
  for (const { accountId, entry } of moves) await moveWallet(tx, ids, now, accountId, [entry]);
}

/** Balances and ledgers of wallets, except for sending. */
export class Wallets {
  readonly #sql: Sql;
  readonly #ids: IdSource;
  readonly #clock: Clock;

  constructor(sql: Sql, ids: IdSource, clock: Clock) {
    this.#sql = sql;
    this.#ids = ids;
    this.#clock = clock;
  }

  /** Returns the balance in ten-thousandths of a credit; with `sql`, as a transaction sees it. */
  async balance(accountId: number, sql: Queryable = this.#sql): Promise<number> {
    const [row] = await sql<{ balance: string }[]>`
      SELECT balance FROM wallets WHERE account_id = ${accountId}`;
    return parseAmount(row?.balance ?? '0');
  }

  /**
   * Adds credit from outside, or takes it if the amount is negative; `also` runs in the same transaction. Throws
   * NotEnoughCredit.
   */
  async topUp(
    accountId: number,
    amount: number,
    note: string,
    also?: (tx: Queryable) => Promise<void>,
  ): Promise<void> {
    await this.#move(async (tx) => {
      await moveWallet(tx, this.#ids, this.#clock.now(), accountId, [{ kind: 'topup', amount, note }]);
      await also?.(tx);
    });
  }

  /**
   * Moves credit between two wallets: two ledger rows in one transaction, which also runs `also`. Throws
   * NotEnoughCredit.
   */
  async transfer(
    from: number,
    to: number,
    amount: number,
    note: string,
    also?: (tx: Queryable) => Promise<void>,
  ): Promise<void> {
    await this.#move(async (tx) => {
      await transfer(tx, this.#ids, this.#clock.now(), from, to, amount, note);
      await also?.(tx);
    });
  }

  /** Returns rows of an account's ledger, newest first. */
  async ledger({ accountId, kind, from, to, before, limit }: LedgerFilter): Promise<LedgerRow[]> {
    const sql = this.#sql;
    const below = Math.min(before ?? Infinity, to === undefined ? Number.MAX_SAFE_INTEGER : idFloor(to));
    // Same condition as the partial index of rows other than charges (migration 0011), so that PostgreSQL uses the
    // index.
    const others = kind === undefined || kind === 'charge' ? sql`` : sql`AND kind <> 'charge'`;
    const rows = await sql<(Omit<LedgerRow, 'amount'> & { amount: string })[]>`
      SELECT id, kind, amount, shipment_id AS "shipmentId", peer_id AS "peerId", note, at,
        (SELECT s.campaign_name FROM shipments s WHERE s.account_id = ${accountId} AND s.id = ledger.shipment_id)
          AS "campaignName"
      FROM ledger
      WHERE account_id = ${accountId} AND id >= ${from === undefined ? 0 : idFloor(from)} AND id < ${below}
        ${others} ${kind === undefined ? sql`` : sql`AND kind = ${kind}`}
      ORDER BY id DESC LIMIT ${limit}`;
    return rows.map((row) => ({ ...row, amount: parseAmount(row.amount) }));
  }

  async #move(work: (tx: TransactionSql) => Promise<void>): Promise<void> {
    try {
      await this.#sql.begin(work);
    } catch (error) {
      if (isOverdraft(error)) throw new NotEnoughCredit('the wallet does not have that much');
      throw error;
    }
  }
}
