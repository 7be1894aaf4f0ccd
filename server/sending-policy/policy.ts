import type { WeekHours } from '../week-hours.ts';

/** A day on which nothing is sent. */
export interface ClosedDate {
  /** `2027-10-02`, in the zone of the policy. */
  readonly date: string;
  readonly name: string;
}

/** Shabbat and Jewish holidays, by sunset at a place. */
export interface RestDays {
  /** Degrees; north and east are positive. */
  readonly latitude: number;
  readonly longitude: number;
  /** Minutes before sunset at which they begin, and after sunset at which they end. */
  readonly begins_before: number;
  readonly ends_after: number;
  /** Whether the second days of holidays are kept, as outside Israel. */
  readonly second_days: boolean;
}

/** At most so many messages to one recipient within some hours. */
export interface FrequencyCap {
  readonly messages: number;
  readonly hours: number;
  /** The name of a channel; null: those of all channels together. */
  readonly channel: string | null;
}

/** Whose clock the hours and the closed dates go by. */
export const zones = ['account', 'recipient'] as const;
/** What it holds: sends to many, or everything but what is exempt. */
export const scopes = ['campaigns', 'all'] as const;
/** What is done with a message that is not permitted now. */
export const actions = ['wait', 'refuse'] as const;

/** Whose consent a message needs: nobody's; or that of its recipient, to marketing messages on its channel. */
export const consentRules = ['not_required', 'marketing'] as const;

/** When, how often and to whom an account sends. */
export interface SendingPolicy {
  /** Null: at any hour. */
  readonly hours: WeekHours | null;
  readonly zone: (typeof zones)[number];
  readonly closed_dates: readonly ClosedDate[];
  /** Null: these days are as others. */
  readonly rest_days: RestDays | null;
  readonly applies_to: (typeof scopes)[number];
  readonly outside_hours: (typeof actions)[number];
  /** Whether a send may say that it is transactional, and is exempt then. */
  readonly allows_transactional: boolean;
  readonly caps: readonly FrequencyCap[];
  readonly over_cap: (typeof actions)[number];
  readonly consent: (typeof consentRules)[number];
}

/** The policy of an account that has set nothing: it holds nothing. */
export const noPolicy: SendingPolicy = {
  hours: null,
  zone: 'account',
  closed_dates: [],
  rest_days: null,
  applies_to: 'campaigns',
  outside_hours: 'wait',
  allows_transactional: false,
  caps: [],
  over_cap: 'refuse',
  consent: 'not_required',
};

/** Jerusalem; its candles are lit 40 minutes before sunset, and three stars are seen by 40 minutes after it all year. */
export const usualRestDays: RestDays = {
  latitude: 31.778,
  longitude: 35.235,
  begins_before: 40,
  ends_after: 40,
  second_days: false,
};

/** Why no policy holds a send, as the gate verified it. Ids are of the rows that show it; times in milliseconds since the epoch. */
export type Evidence =
  /** The message of the client that it answers. */
  | { readonly reply: number; readonly at: number }
  /** When the client of a chat last wrote. */
  | { readonly window: number }
  | { readonly code: number }
  | { readonly verification: readonly number[] }
  | { readonly alert: number }
  | { readonly contact: number }
  /** When the confirmation was requested. */
  | { readonly confirmation: number }
  | { readonly authentication: number }
  /** When a test was sent to people of the account. */
  | { readonly test: number }
  /** The sending policy of the account allows transactional sends. */
  | { readonly transactional: true };

/** A send that its account calls transactional. */
export interface Transactional {
  readonly exempt: { readonly transactional: true };
}

/** Hours of a send's own like `10:00-18:00`, each day. */
export interface OwnHours {
  readonly hours: string;
}

/**
 * Stored rule of a send for the sending policy of its account: its own hours, or the evidence for its exemption (`true` in rows
 * of an older version).
 */
export type SendingRule = OwnHours | { readonly exempt: Evidence | true };
