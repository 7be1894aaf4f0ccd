import type { CodeReason } from '../../kit/reasons.ts';

/*
 * Rules that stop a send: limits, which always hold, and the fraud guard against traffic pumping. In traffic pumping, somebody
 * causes codes, replies or questions to numbers that they earn by. Nobody uses or answers them, and their numbers belong to common
 * ranges. People answer within a minute or two, from unrelated numbers.
 */

/** Digits of a number by which sends and conversions are counted: of an Israeli mobile, 100,000 numbers. */
const PREFIX_DIGITS = 7;

/** How far back the fraud guard and the limit of a phone look. */
export const HOUR = 3_600_000;
/** Over how long an account's sends are limited. */
export const MINUTE = 60_000;
/** The spending cap's day. */
export const DAY = 86_400_000;
/** A code that was not used by then counts as one that will not be: people need a minute or two. */
export const RIPE = 3 * MINUTE;
/**
 * Numbers at most so far apart are neighbours. With 10,000 logins an hour among 8 million numbers, of a thousand
 * neighbours one or two have an unused code; with 100 in the place of 500 a run that takes each seventh number got
 * two thirds of its codes.
 */
export const NEAR = 500;
/** So long a number that has proved itself is not held to be one of a range: it has somebody behind it. */
export const KNOWN = 90 * DAY;

/** Maximum numbers of sends; 0: no limit. */
export interface Limits {
  readonly perPhoneHour: number;
  readonly perAccountMinute: number;
}

/** When the fraud guard stops. */
export interface FraudGuardSettings {
  /** Price that the codes of an account may reach within a day, in ten-thousandths of a credit; 0: no limit. */
  readonly maxSpend: number;
  /** Number of neighbours with unused codes from which their neighbours get no code. */
  readonly neighbours: number;
  /** How many of a prefix's last codes are judged, and how many there must be. */
  readonly judged: number;
  /** The percentage of them that must have been used. */
  readonly leastPercent: number;
}

/** Facts about an account and a number just before a send, within the times above. */
export interface Facts {
  /** Sends to this phone within an hour, and of the account within a minute, this one left out. */
  readonly toPhone: number;
  readonly ofAccount: number;
  /** Price of the account's codes of the day with this one, in ten-thousandths of a credit. */
  readonly spent: number;
  /** The phone used a code within KNOWN. */
  readonly known: boolean;
  /** Other phones near this one with a code of the last hour that was not used. */
  readonly neighbours: number;
  /** Of the other phones of the prefix: the last whose code was used or is ripe, and those of them that used it. */
  readonly judged: number;
  readonly used: number;
  /** Milliseconds since the last send to the prefix; Infinity when there was none within an hour. */
  readonly sincePrefix: number;
}

/** Rules that stop sends. */
export type Rule = CodeReason;

/** Texts of the refusals of one-time codes. */
export const ruleMessages: Readonly<Record<Rule, string>> = {
  'phone-limit': 'phone: too many codes were sent to this number, try again later',
  'account-limit': 'too many codes were sent by this account, try again in a minute',
  'spending-cap': 'the account has spent what it may spend on codes in a day',
  neighbours: 'phone: too many numbers next to this one got codes and did not use them',
  conversion: 'phone: codes to this range of numbers are not being used, try again in a minute',
};

/** The prefix that a phone (E.164 digits) counts under. */
export function prefixOf(phone: string): string {
  return phone.slice(0, PREFIX_DIGITS);
}

/**
 * The rule that stops a send, or null. Without `fraudGuard` only the limits count. A prefix that is stopped for its conversion
 * still gets one code a minute, so that one stopped in error (its network was down, say) shows that it is used again.
 */
export function stops(facts: Facts, limits: Limits, fraudGuard: FraudGuardSettings | undefined): Rule | null {
  if (limits.perPhoneHour > 0 && facts.toPhone >= limits.perPhoneHour) return 'phone-limit';
  if (limits.perAccountMinute > 0 && facts.ofAccount >= limits.perAccountMinute) return 'account-limit';
  if (!fraudGuard) return null;
  if (fraudGuard.maxSpend > 0 && facts.spent > fraudGuard.maxSpend) return 'spending-cap';
  return stopsRange(facts, fraudGuard);
}

/** The rule that stops a send because of the range of its number, or null. */
export function stopsRange(
  facts: Pick<Facts, 'known' | 'neighbours' | 'judged' | 'used' | 'sincePrefix'>,
  fraudGuard: FraudGuardSettings,
): Rule | null {
  if (facts.known) return null;
  if (facts.neighbours >= fraudGuard.neighbours) return 'neighbours';
  const unused =
    facts.judged >= fraudGuard.judged && facts.used * 100 < fraudGuard.leastPercent * facts.judged;
  return unused && facts.sincePrefix < MINUTE ? 'conversion' : null;
}
