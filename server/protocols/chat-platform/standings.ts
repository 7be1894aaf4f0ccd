import type { PlatformFact, StandingFact, TierFact } from './facts.ts';
import { arrayOf, type JsonObject, objectOf } from './json.ts';
import { digitsOf, secondsOf, wordOf } from './notice-values.ts';

/** Maximum number of restrictions read from one notification; the platform has nine kinds. */
const MAX_RESTRICTIONS = 20;

/** Fields of notifications that report the standing of a business account or a number. */
export type StandingField =
  | 'phone_number_quality_update'
  | 'phone_number_name_update'
  | 'business_capability_update'
  | 'account_update'
  | 'account_review_update'
  | 'account_alerts';

/** Converts a notification of one of these fields to facts. Pure; never throws. */
export function* readStanding(
  field: StandingField,
  accountId: string,
  value: JsonObject,
  at: number,
): Generator<PlatformFact> {
  const whole = {
    kind: 'standing',
    accountId,
    businessNumber: '',
    reason: '',
    restrictions: [],
    at,
  } as const;
  const number = { ...whole, businessNumber: digitsOf(value.display_phone_number) };
  switch (field) {
    case 'phone_number_quality_update':
      yield* readTier(accountId, value, at);
      if (number.businessNumber !== '') yield* readFlag(number, wordOf(value.event));
      return;
    case 'business_capability_update':
      yield* readTier(accountId, value, at);
      return;
    case 'phone_number_name_update': {
      const reason = wordOf(value.rejection_reason);
      if (number.businessNumber === '') yield { kind: 'unknown', field };
      else yield { ...number, topic: 'name', word: wordOf(value.decision), reason };
      return;
    }
    case 'account_review_update':
      yield { ...whole, topic: 'review', word: wordOf(value.decision) };
      return;
    case 'account_alerts': {
      const alert = objectOf(value.alert_info);
      const reason = wordOf(alert.alert_severity);
      yield { ...whole, topic: 'alert', word: wordOf(alert.alert_type), reason };
      return;
    }
    case 'account_update':
      yield readAccount(whole, value);
      return;
  }
}

/** Keyed by the platform's keyword, or by the number that it writes instead. */
const tiers: Readonly<Record<string, number>> = {
  TIER_250: 250,
  TIER_2K: 2_000,
  TIER_10K: 10_000,
  TIER_100K: 100_000,
  TIER_UNLIMITED: 1_000_000,
  250: 250,
  2000: 2_000,
  10000: 10_000,
  100000: 100_000,
};

function* readTier(accountId: string, value: JsonObject, at: number): Generator<TierFact> {
  const limit = wordOf(value.max_daily_conversations_per_business) || wordOf(value.current_limit);
  if (limit === '') return;
  // In this event the limit describes the sending speed.
  const isSpeed = wordOf(value.event) === 'THROUGHPUT_UPGRADE' && limit === 'TIER_UNLIMITED';
  const tier = isSpeed || !Object.hasOwn(tiers, limit) ? null : tiers[limit]!;
  yield { kind: 'tier', accountId, tier, limit, at };
}

/**
 * Notifications of older versions: a number was flagged for its quality, or unflagged. The rating itself is only in the
 * list of numbers.
 */
function* readFlag(number: Omit<StandingFact, 'topic' | 'word'>, event: string): Generator<StandingFact> {
  if (event === 'FLAGGED') yield { ...number, topic: 'quality', word: 'RED' };
  if (event === 'UNFLAGGED') yield { ...number, topic: 'quality', word: 'UNKNOWN' };
}

/** Events of `account_update` that make a business account unusable or usable again. */
const connections: ReadonlySet<string> = new Set([
  'ACCOUNT_DELETED',
  'ACCOUNT_OFFBOARDED',
  'ACCOUNT_RECONNECTED',
  'PARTNER_ADDED',
  'PARTNER_REMOVED',
]);

function readAccount(whole: Omit<StandingFact, 'topic' | 'word'>, value: JsonObject): PlatformFact {
  const event = wordOf(value.event);
  const ban = wordOf(objectOf(value.ban_info).waba_ban_state);
  if (ban !== '') return { ...whole, topic: 'ban', word: ban };
  const violation = wordOf(objectOf(value.violation_info).violation_type);
  if (event === 'ACCOUNT_VIOLATION' || violation !== '') {
    return { ...whole, topic: 'violation', word: violation || event };
  }
  if (event === 'ACCOUNT_RESTRICTION' || Array.isArray(value.restriction_info)) {
    return {
      ...whole,
      topic: 'restriction',
      word: 'ACCOUNT_RESTRICTION',
      restrictions: restrictionsOf(value),
    };
  }
  if (connections.has(event)) {
    const reason = wordOf(objectOf(value.disconnection_info).reason);
    return { ...whole, topic: 'connection', word: event, reason };
  }
  return { kind: 'account', accountId: whole.accountId, event };
}

const restrictionsOf = (value: JsonObject) =>
  arrayOf(value.restriction_info)
    .slice(0, MAX_RESTRICTIONS)
    .map(objectOf)
    .map(({ restriction_type: type, expiration }) => ({ type: wordOf(type), until: secondsOf(expiration) }))
    .filter(({ type }) => type !== '');
