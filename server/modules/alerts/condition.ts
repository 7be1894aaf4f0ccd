import type { CarrierNetwork } from '../../engine/connectors/network.ts';
import type { Context } from '../../kit/context.ts';

export const alertLanguages = ['en', 'he'] as const;
export type AlertLanguage = (typeof alertLanguages)[number];

/** Thresholds of a rule; each kind uses some of them. */
export interface Thresholds {
  /** Ten-thousandths of a credit. */
  readonly below?: number;
  /** Whether subscribers' balances are included. */
  readonly subscribers?: boolean;
  /** Whether accounts that have sent nothing for a week are left out. */
  readonly active_only?: boolean;
  /** Percentage points below the usual rate. */
  readonly drop_percent?: number;
  readonly min_messages?: number;
  /** Prefix of the numbers, international digits; '' matches every number. */
  readonly prefix?: string;
  readonly minutes?: number;
  readonly count?: number;
  readonly free_percent?: number;
  readonly hours?: number;
}
export type ThresholdName = keyof Thresholds;

/** Bounds of a threshold, whole numbers. */
export const thresholdBounds = {
  drop_percent: { min: 5, max: 100 },
  min_messages: { min: 20, max: 1_000_000 },
  minutes: { min: 1, max: 1_440 },
  count: { min: 1, max: 1_000_000 },
  free_percent: { min: 1, max: 90 },
  hours: { min: 1, max: 8_760 },
} as const;

/** Account id of the operator's rules. */
export const OPERATOR = 0;

/** A rule as a condition reads it, with every threshold of its kind. */
export interface MeasuredRule {
  readonly id: number;
  /** OPERATOR covers all accounts. */
  readonly accountId: number;
  readonly thresholds: Thresholds;
}

/** Measured values for display: amounts in credits as decimal numbers, times in milliseconds since the epoch. */
export type Measured = Readonly<Record<string, string | number>>;

/** The condition of a rule holds for a subject. */
export interface Finding {
  readonly ruleId: number;
  /**
   * Identifies what the finding is about: a connector, a prefix, the id of a webhook endpoint; '' for the account itself.
   */
  readonly subject: string;
  readonly measured: Measured;
}

export interface ConditionDeps extends Pick<Context, 'sql' | 'clock' | 'config'> {
  readonly network: Pick<CarrierNetwork, 'smsConnectors' | 'callTrunks'>;
}

/** A kind of rule: one file below conditions/, which says everything about it, and a line in conditions/index.ts. */
export interface Condition<Kind extends string = string> {
  readonly kind: Kind;
  /** Owners of rules that may have it. */
  readonly of: readonly ('account' | 'operator')[];
  /** Its thresholds, with the defaults of a rule that gives none. */
  readonly thresholds: Thresholds;
  /** Routes (method and path) that show the same data: authors of the rules of accounts need the right to call them. */
  readonly reads: readonly (readonly [method: string, path: string])[];
  /** Minutes for which it holds before people get a message; default of `for_minutes`. */
  readonly forMinutes: number;
  /** Subject and values of test messages. */
  readonly example: { readonly subject: string; readonly measured: Measured };
  /** The rule of it that new accounts get, where they get one. */
  readonly firstRule?: { readonly name: string; readonly thresholds: Thresholds };
  /** Sentence that describes a finding, without a full stop. Numbers and times are passed as texts. */
  readonly holds: Readonly<Record<AlertLanguage, (measured: Measured) => string>>;
  /**
   * Returns the subjects for which the conditions of these rules hold, in a fixed number of statements. Throws errors of the
   * database.
   */
  measure(deps: ConditionDeps, rules: readonly MeasuredRule[]): Promise<readonly Finding[]>;
}

/** Defines a kind of rule. */
export const defineCondition = <const Kind extends string>(condition: Condition<Kind>): Condition<Kind> =>
  condition;
