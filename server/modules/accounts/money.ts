/*
 * Amounts are whole numbers of ten-thousandths of a credit, exact in a JavaScript number up to 900 billion credits.
 * The database has them as numeric(18,4).
 */

/** Reason of a ledger entry. `hold` and `release` enclose the time that a scheduled shipment waits. */
export const ledgerKinds = ['topup', 'hold', 'release', 'charge', 'refund', 'transfer'] as const;
export type LedgerKind = (typeof ledgerKinds)[number];

/** Ten-thousandths in a credit. */
export const CREDIT = 10_000;

/**
 * Parses an amount: `12.5` → 125000. Throws RangeError for a text that is not an amount with at most four decimal
 * places, or exceeds what a number holds exactly.
 */
export function parseAmount(text: string): number {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,4}))?$/.exec(text);
  if (!match) throw new RangeError('not an amount with at most four decimal places');
  const units = Number(match[2]) * CREDIT + Number((match[3] ?? '').padEnd(4, '0'));
  if (!Number.isSafeInteger(units)) throw new RangeError('an amount beyond 900 billion');
  return match[1] && units > 0 ? -units : units;
}

/** Formats an amount for the database: 125000 → `12.5000`. */
export function toNumeric(units: number): string {
  const sign = units < 0 ? '-' : '';
  const whole = Math.floor(Math.abs(units) / CREDIT);
  return `${sign}${whole}.${String(Math.abs(units) % CREDIT).padStart(4, '0')}`;
}

/** Formats an amount for people and responses: 125000 → `12.5`. */
export function formatAmount(units: number): string {
  return toNumeric(units).replace(/\.?0+$/, '');
}
