import type { Config } from './config.ts';

type Settings = Pick<Config, 'KEEP_DAYS' | 'TEXT_KEEP_DAYS' | 'REQUEST_LOG_DAYS' | 'MEDIA_KEEP_DAYS'>;

/**
 * A kind of data with a retention time that accounts can shorten (docs/data.md, "Retention"). A module defines its kinds in
 * `retention.ts` of its folder; modules/retention/kinds.ts lists all kinds.
 */
export interface RetentionKindSpec<Kind extends string = string> {
  readonly kind: Kind;
  /** Description of the data for the API. */
  readonly meaning: string;
  /** Fewest days that anybody may ask for. */
  readonly leastDays: number;
  /** Days that the installation keeps it, by its settings. */
  days(config: Settings): number;
  /** Days after which it goes without retention, with a partition or by the upkeep of its module; `days` without it. */
  droppedAfter?(config: Settings): number;
}

/** Defines a kind. */
export const defineRetention = <const Kind extends string>(
  spec: RetentionKindSpec<Kind>,
): RetentionKindSpec<Kind> => spec;
