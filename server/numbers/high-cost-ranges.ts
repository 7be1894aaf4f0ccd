import { readFileSync } from 'node:fs';

/*
 * Ranges of numbers that cost a lot and whose owners earn a share of it: premium-rate and personal numbers of national plans,
 * satellite networks, networks of no country. Fraud with SMS and calls goes there.
 */

export const highCostKinds = ['premium-rate', 'personal', 'satellite', 'global-network'] as const;
export type HighCostKind = (typeof highCostKinds)[number];

/** The table that ships, as tools/high-cost-ranges.ts writes it. */
export interface HighCostRanges {
  readonly source: string;
  /** Prefixes of E.164 digits by kind. */
  readonly ranges: Readonly<Record<HighCostKind, readonly string[]>>;
}

export const highCostRanges = JSON.parse(
  readFileSync(new URL('high-cost-ranges.json', import.meta.url), 'utf8'),
) as HighCostRanges;
