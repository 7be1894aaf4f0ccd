/*
 * Every type of event, with what is recorded of it. What follows from the rest (status texts, dates) is added when
 * the event is sent, not stored half a million times.
 */

/** A message has its final status. Phones are E.164 digits. */
export interface MessageStatus {
  readonly message_id: number;
  readonly external_id: string | null;
  readonly shipment_id: number;
  readonly phone: string;
  readonly source: string;
  /** A delivery status of server/statuses.ts. */
  readonly status: number;
  /** The network's own word. */
  readonly code: string | null;
}

/** A person sent an SMS to a number of the account. */
export interface IncomingSms {
  readonly source: string;
  readonly destination: string;
  readonly message: string;
}

/** A number came onto the account's blacklist. */
export interface BlacklistAdded {
  readonly phone: string;
}

/** One-time codes to a range of numbers are being stopped: the first within an hour, the tenth, the hundredth, … */
export interface OtpBlocked {
  /** What stopped it (docs/one-time-codes.md). */
  readonly rule: string;
  /** The first digits of the numbers. */
  readonly prefix: string;
  /** The last of them. */
  readonly phone: string;
  /** How many were stopped within the hour. */
  readonly count: number;
}

export interface EventData {
  'message.status': MessageStatus;
  'sms.incoming': IncomingSms;
  'blacklist.added': BlacklistAdded;
  'otp.blocked': OtpBlocked;
}

export type EventType = keyof EventData;

/** Something that happened; `at` is when, in milliseconds since the epoch. */
export type Event = {
  [T in EventType]: { readonly type: T; readonly at: number; readonly data: EventData[T] };
}[EventType];

/** Which event each push is about; a webhook can be about any. */
export const pushes = {
  dlr: 'message.status',
  incoming: 'sms.incoming',
  blacklist: 'blacklist.added',
} as const satisfies Record<string, EventType>;

export type PushKind = keyof typeof pushes;
export type EndpointKind = PushKind | 'webhook';

/** Every event type there is, for checks of what a webhook asks for. */
export const eventTypes: readonly EventType[] = [
  'message.status',
  'sms.incoming',
  'blacklist.added',
  'otp.blocked',
];

/** An event with the id that receivers see, the same in every attempt and for every endpoint. */
export interface Item {
  readonly key: string;
  readonly event: Event;
}

/** The items of a batch of events. */
export function itemsOf(batchId: number, events: readonly Event[]): Item[] {
  return events.map((event, index) => ({ key: `evt_${batchId}_${index}`, event }));
}
