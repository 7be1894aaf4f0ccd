import type { Config } from '../config.ts';
import { type RetentionKind, retentionKinds } from '../database/define-tables.ts';
import type { TextMode } from '../secrets/text-storage.ts';

/** Days by kind. */
export type Days = Readonly<Record<RetentionKind, number>>;
/** Days by kind; a kind that is not there has those of somebody else. */
export type SomeDays = Readonly<Partial<Record<RetentionKind, number>>>;

type Settings = Pick<Config, 'KEEP_DAYS' | 'TEXT_KEEP_DAYS' | 'REQUEST_LOG_DAYS' | 'MEDIA_KEEP_DAYS'>;

/** What was delivered or failed can be replayed for so long (docs/events.md). */
export const EVENT_DAYS = 30;

/**
 * How few days anybody may ask for. Receipts come for three weeks and messages are counted by the hour, so messages stay for a
 * month; an event is tried for a day; who changed what has to be found for a quarter of a year.
 */
const leastDays: Days = {
  texts: 1,
  messages: 31,
  conversations: 1,
  events: 2,
  requests: 1,
  audit: 90,
  media: 1,
};

/** How long the installation keeps what, by its settings. */
export function installationDays(config: Settings): Days {
  const { KEEP_DAYS, TEXT_KEEP_DAYS, REQUEST_LOG_DAYS, MEDIA_KEEP_DAYS } = config;
  return {
    texts: Math.min(TEXT_KEEP_DAYS, KEEP_DAYS),
    messages: KEEP_DAYS,
    conversations: KEEP_DAYS,
    events: EVENT_DAYS,
    requests: REQUEST_LOG_DAYS,
    audit: KEEP_DAYS,
    media: MEDIA_KEEP_DAYS,
  };
}

/**
 * How long what is dropped without this module: with a partition, or by the upkeep of its module. Texts go with their
 * messages.
 */
export const droppedAfter = (config: Settings): Days => ({
  ...installationDays(config),
  texts: config.KEEP_DAYS,
});

/** What is kept of a kind, and between what an account may choose. */
export interface KeptKind {
  /** How long it is kept. */
  readonly days: number;
  /** What the account asked for; null: as long as it may. */
  readonly asked: number | null;
  /** The most that the account may ask for. */
  readonly limit: number;
  /** What the operator has set for this account; null: the limit is that of the installation. */
  readonly ownLimit: number | null;
  /** The most that the operator may allow: what the installation keeps. */
  readonly installation: number;
  /** The least that anybody may ask for. */
  readonly least: number;
}

export type Kept = Readonly<Record<RetentionKind, KeptKind>>;

/** Without texts, an event is kept so long: an hour, for streams that were broken off. */
const DELIVERED_DAYS = 1 / 24;

/** What is kept of an account, by what it and the operator have set. No text outlives its message, no event its text. */
export function keptOf(config: Settings, asked: SomeDays, limits: SomeDays, mode: TextMode): Kept {
  const installation = installationDays(config);
  const kinds = retentionKinds.map((kind): [RetentionKind, KeptKind] => {
    const ownLimit = limits[kind] ?? null;
    const limit = Math.min(ownLimit ?? installation[kind], installation[kind]);
    const wanted = asked[kind] ?? null;
    return [
      kind,
      {
        days: Math.min(wanted ?? limit, limit),
        asked: wanted,
        limit,
        ownLimit,
        installation: installation[kind],
        least: Math.min(leastDays[kind], installation[kind]),
      },
    ];
  });
  const kept = Object.fromEntries(kinds) as Record<RetentionKind, KeptKind>;
  const shorten = (kind: RetentionKind, days: number): KeptKind => ({
    ...kept[kind],
    days: Math.min(kept[kind].days, days),
  });
  if (mode === 'none') {
    return { ...kept, texts: shorten('texts', 0), events: shorten('events', DELIVERED_DAYS) };
  }
  const texts = shorten('texts', kept.messages.days);
  return { ...kept, texts, events: shorten('events', Math.max(texts.days, kept.events.least)) };
}
