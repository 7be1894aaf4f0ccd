import { requestsKept } from '../../api/requests/retention.ts';
import { eventsKept } from '../../engine/events/retention.ts';
import { messagesKept, textsKept } from '../../engine/messages/retention.ts';
import type { Config } from '../../kit/config.ts';
import type { TextMode } from '../../secrets/text-storage.ts';
import { conversationsKept } from '../conversations/retention.ts';
import { mediaKept } from '../media/retention.ts';
import { auditKept } from '../people/retention.ts';

/** Every kind, in the order in which APIs name them. */
const all = [
  textsKept,
  messagesKept,
  conversationsKept,
  eventsKept,
  requestsKept,
  auditKept,
  mediaKept,
] as const;
export type RetentionKind = (typeof all)[number]['kind'];
export const retentionKinds: readonly RetentionKind[] = all.map(({ kind }) => kind);

/** Days by kind. */
export type Days = Readonly<Record<RetentionKind, number>>;
/** Days by kind, without the kinds that have no setting. */
export type SomeDays = Readonly<Partial<Record<RetentionKind, number>>>;

type Settings = Pick<Config, 'KEEP_DAYS' | 'TEXT_KEEP_DAYS' | 'REQUEST_LOG_DAYS' | 'MEDIA_KEEP_DAYS'>;

const byKind = <T>(of: (spec: (typeof all)[number]) => T) =>
  Object.fromEntries(all.map((spec) => [spec.kind, of(spec)])) as Record<RetentionKind, T>;

/** What each kind is, for the description of the API. */
export const retentionMeanings: Readonly<Record<RetentionKind, string>> = byKind(({ meaning }) => meaning);

const leastDays: Days = byKind((spec) => spec.leastDays);

/** Returns the retention of the installation from its settings. */
export const installationDays = (config: Settings): Days => byKind((spec) => spec.days(config));

/** How long what is dropped without this module: with a partition, or by the upkeep of its module. */
export const droppedAfter = (config: Settings): Days =>
  byKind((spec) => spec.droppedAfter?.(config) ?? spec.days(config));

/** Retention of a kind, with the limits for an account's choice. */
export interface KeptKind {
  /** Days that apply. */
  readonly days: number;
  /** Days that the account chose; null for the maximum. */
  readonly asked: number | null;
  /** Maximum that the account can choose. */
  readonly limit: number;
  /** Maximum that the operator set for this account; null for the limit of the installation. */
  readonly ownLimit: number | null;
  /** Maximum that the operator can permit: the retention of the installation. */
  readonly installation: number;
  /** Minimum of any choice. */
  readonly least: number;
}

export type Kept = Readonly<Record<RetentionKind, KeptKind>>;

/** Retention of events without texts: one hour, so that interrupted event streams can resume. */
const DELIVERED_DAYS = 1 / 24;

/**
 * Computes the retention of an account from its settings and the operator's. A text is not kept longer than its message, nor
 * an event longer than its text.
 */
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
