/*
 * Every type of event, with its recorded data. Derived fields (status texts, dates) are added when the event is sent,
 * instead of being stored half a million times.
 */

/** A message, an SMS or a call, got its final status. Phones are E.164 digits. */
export interface MessageStatus {
  readonly message_id: number;
  readonly external_id: string | null;
  readonly shipment_id: number;
  readonly phone: string;
  readonly source: string;
  /** A delivery status of server/kit/statuses.ts. */
  readonly status: number;
  /** The network's status text. */
  readonly code: string | null;
  /** Name of its channel; absent for an SMS. */
  readonly channel?: string;
}

/** A person sent an SMS to a number of the account. */
interface IncomingSms {
  readonly message_id: number;
  readonly source: string;
  readonly destination: string;
  readonly message: string;
}

/** A number was added to the account's blacklist. */
interface BlacklistAdded {
  readonly phone: string;
}

/**
 * One-time codes to a range of numbers are being stopped. Sent for the first one within an hour, the tenth, the
 * hundredth, …
 */
interface OtpBlocked {
  /** Rule that stopped it (docs/one-time-codes.md). */
  readonly rule: string;
  /** First digits of the numbers. */
  readonly prefix: string;
  /** Last of these numbers. */
  readonly phone: string;
  /** Number of codes stopped within the hour. */
  readonly count: number;
}

/** The delivery status of a chat message; `failed` has a reason. */
interface ChatStatus {
  readonly message_id: number;
  readonly shipment_id: number;
  /** Business number, and client's number. */
  readonly from: string;
  readonly to: string;
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  /** Reason code of a failure. */
  readonly reason: string | null;
}

/** Fields of incoming chat events about the client and the message. */
interface ChatIncoming {
  /** The platform's id of the client; null when it sends none. */
  readonly user_id: string | null;
  /** Profile name. */
  readonly name: string;
  /** Content that `body` does not include (docs/events.md); otherwise null. */
  readonly content: Readonly<Record<string, unknown>> | null;
}

/** A client wrote by chat. */
interface ChatMessage extends ChatIncoming {
  readonly message_id: number;
  /** The client's number, or `user_id` if it is hidden. */
  readonly from: string;
  /** The business number. */
  readonly to: string;
  /** A type of protocols/chat-platform/incoming-content.ts */
  readonly type: string;
  readonly body: string;
  /** Our id of the quoted message. */
  readonly reply_to: number | null;
  /** Our id of the message that this one reacts to, edits or deletes. */
  readonly about_id: number | null;
}

/** A client pressed a button (interface, "Events"). */
interface ChatButton extends ChatIncoming {
  readonly message_id: number;
  /** The client's number, or `user_id` if it is hidden. */
  readonly from: string;
  readonly to: string;
  readonly type: 'button';
  /** Text of the button. */
  readonly body: string;
  readonly button_id: string;
  /** Card of the button, from 1. */
  readonly card: number | null;
  /** Our id of the message with the button. */
  readonly reply_to: number | null;
}

/** The status of a template changed. */
export interface TemplateStatusChanged {
  readonly template_id: string;
  readonly name: string;
  readonly language: string;
  /** 0 to 11 (interface, "Template status"). */
  readonly status: number;
  readonly reason: string;
}

/** The platform changed the quality rating of a template, based on reports of its recipients. */
interface TemplateQuality {
  readonly template_id: string;
  readonly name: string;
  readonly language: string;
  /** `GREEN`, `YELLOW`, `RED` or `UNKNOWN`. */
  readonly quality: string;
  readonly previous_quality: string;
}

/** The platform changed the category of a template, or announced a change. */
interface TemplateCategoryChanged {
  readonly template_id: string;
  readonly name: string;
  readonly language: string;
  /** Current category: `MARKETING`, `UTILITY` or `AUTHENTICATION`. */
  readonly category: string;
  /** Announced category, and its start (ISO 8601); null without an announced change, or without a start. */
  readonly next_category: string | null;
  readonly changes_at: string | null;
}

/** The platform reported the standing of a business account or one of its numbers: restricted, banned, rated. */
interface ChatAccount {
  readonly portfolio_id: number;
  readonly portfolio: string;
  /** Business number; null for the account as a whole. */
  readonly from: string | null;
  /** Topic of the standing (docs/events.md). */
  readonly topic: string;
  /** The platform's names of the standing and of its reason, which may be empty. */
  readonly word: string;
  readonly reason: string;
  /** For the topic `restriction`; `until` (ISO 8601) is null for a permanent one. */
  readonly restrictions: readonly { readonly type: string; readonly until: string | null }[];
}

/** Every message of a campaign has been submitted or has failed. */
interface CampaignFinished {
  readonly campaign_id: number;
  readonly campaign_name: string | null;
  /** Name of its channel. */
  readonly channel: string;
  readonly total: number;
  readonly sent: number;
  readonly failed: number;
}

/** A user of mailing lists was unsubscribed: by request, by a complaint, or by deletion. */
interface MailUnsubscribed {
  readonly user_id: number;
  readonly email: string;
  /** Email that led to it, if known. */
  readonly campaign_id: number | null;
  /** `page`, `one-click` (RFC 8058), `complaint`, or `account` when the account itself did it. */
  readonly cause: string;
}

/** An address cannot receive email: no more are sent to it. */
interface MailBounced {
  readonly user_id: number;
  readonly email: string;
  readonly campaign_id: number | null;
  /** Message of its mail server. */
  readonly reason: string;
}

/** Fields of events about a conversation. */
export interface ConversationAbout {
  readonly conversation_id: number;
  /** Name of the channel of the client's last message. */
  readonly channel: string;
  /** The client: E.164 digits, an email address, or the chat platform's id of a client with a hidden number. */
  readonly from: string;
  /** Our number or address. */
  readonly to: string;
}

/** A conversation was started, or a closed one reopened. */
interface ConversationOpened extends ConversationAbout {
  readonly reopened: boolean;
}

/** A conversation was assigned to a person, or its assignment removed. */
interface ConversationAssigned extends ConversationAbout {
  readonly assignee_id: number | null;
  readonly assignee: string | null;
  /** Name of the person who did it; null for a rule or a program. */
  readonly by: string | null;
}

interface ConversationClosed extends ConversationAbout {
  readonly by: string | null;
}

/** A client sent a message on any channel. */
interface MessageReceived extends ConversationAbout {
  readonly message_id: number;
  /** Profile name; '' if unknown. */
  readonly name: string;
  /** `text`, or the channel's name of the type. */
  readonly type: string;
  readonly text: string;
}

/** A rule of the account matched a client's message and reports it. */
interface ConversationRuleMatched extends ConversationAbout {
  readonly rule_id: number;
  readonly rule: string;
  readonly message_id: number;
  readonly text: string;
}

/**
 * All data of a person was erased (docs/data.md). The event does not name the person: `reference` is the caller's name
 * of the request.
 */
interface DataSubjectErased {
  readonly request_id: number;
  readonly reference: string;
  /** Number of rows of each kind. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Fields of events about an alert. */
interface AlertAbout {
  readonly alert_id: number;
  readonly rule_id: number;
  readonly rule: string;
  /** Kind of its rule (docs/alerts.md). */
  readonly kind: string;
  /** Subject: a prefix, a connector, the id of a webhook; '' for the account itself. */
  readonly subject: string;
  /** Measured values, by kind (docs/alerts.md). */
  readonly measured: Readonly<Record<string, string | number>>;
  /** ISO 8601. */
  readonly began_at: string;
}

/** The condition of an alert rule of the account became true. */
interface AlertBegan extends AlertAbout {
  /** Number of times that it began since the last notification about the subject. */
  readonly times: number;
  /** Whether it is a test of the rule. */
  readonly test: boolean;
}

/** The condition is no longer true. */
interface AlertEnded extends AlertAbout {
  readonly ended_at: string;
}

export interface EventData {
  'message.status': MessageStatus;
  'sms.incoming': IncomingSms;
  'blacklist.added': BlacklistAdded;
  'otp.blocked': OtpBlocked;
  'chat.message': ChatMessage;
  'chat.button': ChatButton;
  'chat.status': ChatStatus;
  'chat.account': ChatAccount;
  'template.status': TemplateStatusChanged;
  'template.quality': TemplateQuality;
  'template.category': TemplateCategoryChanged;
  'campaign.finished': CampaignFinished;
  'mail.unsubscribed': MailUnsubscribed;
  'mail.bounced': MailBounced;
  'message.received': MessageReceived;
  'conversation.opened': ConversationOpened;
  'conversation.assigned': ConversationAssigned;
  'conversation.closed': ConversationClosed;
  'conversation.rule_matched': ConversationRuleMatched;
  'data_subject.erased': DataSubjectErased;
  'alert.began': AlertBegan;
  'alert.ended': AlertEnded;
}

export type EventType = keyof EventData;

/**
 * A request about one message: its status, to the address that its send named, or an incoming message, to the address of
 * its number (docs/decisions/0046-http-interfaces.md). Only its own endpoint receives it: no webhook, push or stream.
 */
export interface StatusCallback {
  readonly message_id: number;
  /** Null for a callback about an incoming message. */
  readonly shipment_id: number | null;
  readonly endpoint_id: number;
  readonly phone: string;
  readonly method: 'GET' | 'POST';
  /** Path and query of the address. */
  readonly path: string;
  /** Form fields. A GET has them in its query, after that of the path. */
  readonly body: string;
  /** Names and values of further headers, in turns. */
  readonly headers: readonly string[];
  /** The text that the body of the answer must be; null for any. */
  readonly expects: string | null;
  /** The reader of the answer, and values that it needs by its own names; absent if the answer is not read. */
  readonly answer?: { readonly reader: string; readonly terms: Readonly<Record<string, string>> };
}

/** Data of every recorded event. */
interface RecordedData extends EventData {
  'status.callback': StatusCallback;
}

/**
 * An event; `at` is its time, in milliseconds since the epoch. `trace` is the trace context for sending it, if its
 * message is traced (observability/tracing): it is stored, but is in no body.
 */
export type Event = {
  [T in keyof RecordedData]: {
    readonly type: T;
    readonly at: number;
    readonly data: RecordedData[T];
    readonly trace?: string;
  };
}[keyof RecordedData];

/** Types of recorded events. */
export type RecordedType = Event['type'];

/** Returns an event with the trace context for sending it. */
export const withTrace = (event: Event, trace: string | null | undefined): Event =>
  trace ? { ...event, trace } : event;

/** Event type of each push; a webhook can have any. */
export const pushes = {
  dlr: 'message.status',
  incoming: 'sms.incoming',
  blacklist: 'blacklist.added',
} as const satisfies Record<string, EventType>;

export type PushKind = keyof typeof pushes;
/** `callback`: the host of addresses that sends name for the status of their messages. */
export type EndpointKind = PushKind | 'webhook' | 'callback';

/** Kinds that accounts register; endpoints of the kind `callback` are registered by sends. */
export const registeredKinds: readonly EndpointKind[] = ['webhook', ...(Object.keys(pushes) as PushKind[])];

export const endpointKinds: readonly EndpointKind[] = [...registeredKinds, 'callback'];

/** All event types, to check those of a webhook. */
export const eventTypes: readonly EventType[] = [
  'message.status',
  'sms.incoming',
  'blacklist.added',
  'otp.blocked',
  'chat.message',
  'chat.button',
  'chat.status',
  'chat.account',
  'template.status',
  'template.quality',
  'template.category',
  'campaign.finished',
  'mail.unsubscribed',
  'mail.bounced',
  'message.received',
  'conversation.opened',
  'conversation.assigned',
  'conversation.closed',
  'conversation.rule_matched',
  'data_subject.erased',
  'alert.began',
  'alert.ended',
];

/** An event and its public id, which is the same in every attempt and for every endpoint. */
export interface Item {
  readonly key: string;
  readonly event: Event;
}

/** Returns the items of a batch of events. */
export function itemsOf(batchId: number, events: readonly Event[]): Item[] {
  return events.map((event, index) => ({ key: `evt_${batchId}_${index}`, event }));
}
