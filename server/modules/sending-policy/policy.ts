import type { WeekHours } from '../../kit/week-hours.ts';

/** A day without messages. */
export interface ClosedDate {
  /** `2027-10-02`, in the time zone of the policy. */
  readonly date: string;
  readonly name: string;
}

/** Shabbat and Jewish holidays, by sunset at a location. */
export interface RestDays {
  /** Degrees; north and east are positive. */
  readonly latitude: number;
  readonly longitude: number;
  /** Minutes before sunset at which rest begins, and after sunset at which it ends. */
  readonly begins_before: number;
  readonly ends_after: number;
  /** Whether the second days of holidays count, as outside Israel. */
  readonly second_days: boolean;
}

/** Maximum number of messages to one recipient within a period. */
export interface FrequencyCap {
  readonly messages: number;
  readonly hours: number;
  /** Name of a channel; null: all channels together. */
  readonly channel: string | null;
}

/** Time zone of the hours and the closed dates. */
export const zones = ['account', 'recipient'] as const;
/** Sends that the policy applies to: campaigns, or all that are not exempt. */
export const scopes = ['campaigns', 'all'] as const;
/** Action for a message that is not permitted now. */
export const actions = ['wait', 'refuse'] as const;

/** Required consent of the recipient: none, or consent to marketing messages on the channel. */
export const consentRules = ['not_required', 'marketing'] as const;

/** Rules for when, how often and to whom an account sends. */
export interface SendingPolicy {
  /** Null: any hour. */
  readonly hours: WeekHours | null;
  readonly zone: (typeof zones)[number];
  readonly closed_dates: readonly ClosedDate[];
  /** Null: no days of rest. */
  readonly rest_days: RestDays | null;
  readonly applies_to: (typeof scopes)[number];
  readonly outside_hours: (typeof actions)[number];
  /** Whether a send may be declared transactional and is then exempt. */
  readonly allows_transactional: boolean;
  readonly caps: readonly FrequencyCap[];
  readonly over_cap: (typeof actions)[number];
  readonly consent: (typeof consentRules)[number];
}

/** The policy of an account without settings: it restricts nothing. */
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

/**
 * Jerusalem. Candles are lit 40 minutes before sunset, and three stars are visible within 40 minutes after it all year.
 */
export const usualRestDays: RestDays = {
  latitude: 31.778,
  longitude: 35.235,
  begins_before: 40,
  ends_after: 40,
  second_days: false,
};

/**
 * Why a send is exempt from policies, as verified by the gate. Ids refer to the rows that prove it; times are
 * milliseconds since the epoch.
 */
export type Evidence =
  /** The client's message that it answers. */
  | { readonly reply: number; readonly at: number }
  /** Time of the client's last message in a chat. */
  | { readonly window: number }
  | { readonly code: number }
  | { readonly verification: readonly number[] }
  | { readonly alert: number }
  | { readonly contact: number }
  /** Time of the request for confirmation. */
  | { readonly confirmation: number }
  | { readonly authentication: number }
  /** Time of a test to people of the account. */
  | { readonly test: number }
  /** The sending policy of the account permits transactional sends. */
  | { readonly transactional: true };

/** A send that its account declares transactional. */
export interface Transactional {
  readonly exempt: { readonly transactional: true };
}

/** Hours of the send itself, like `10:00-18:00`, each day. */
export interface OwnHours {
  readonly hours: string;
}

/**
 * Stored rule of a send for the sending policy of its account: its own hours, or the evidence for its exemption (`true` in rows
 * of an older version).
 */
export type SendingRule = OwnHours | { readonly exempt: Evidence | true };
