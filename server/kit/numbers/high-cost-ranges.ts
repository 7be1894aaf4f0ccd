import { readFileSync } from 'node:fs';

/*
 * Ranges of expensive numbers whose owners receive a share of the price: premium-rate and personal numbers of national
 * plans, satellite networks, and networks without a country. SMS and call fraud targets them.
 */

export const highCostKinds = ['premium-rate', 'personal', 'satellite', 'global-network'] as const;
export type HighCostKind = (typeof highCostKinds)[number];

/** The included table, as written by tools/high-cost-ranges.ts. */
export interface HighCostRanges {
  readonly source: string;
  /** Prefixes of E.164 digits by kind. */
  readonly ranges: Readonly<Record<HighCostKind, readonly string[]>>;
}

export const highCostRanges = JSON.parse(
  readFileSync(new URL('high-cost-ranges.json', import.meta.url), 'utf8'),
) as HighCostRanges;
