/*
 * Every type of event, with what is recorded of it. What follows from the rest (status texts, dates) is added when
 * the event is sent, not stored half a million times.
 */

/** A message has its final status: an SMS, a call. Phones are E.164 digits. */
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
  /** The name of its channel; an SMS without. */
  readonly channel?: string;
}

/** A person sent an SMS to a number of the account. */
interface IncomingSms {
  readonly source: string;
  readonly destination: string;
  readonly message: string;
}

/** A number came onto the account's blacklist. */
interface BlacklistAdded {
  readonly phone: string;
}

/** One-time codes to a range of numbers are being stopped: the first within an hour, the tenth, the hundredth, … */
interface OtpBlocked {
  /** What stopped it (docs/one-time-codes.md). */
  readonly rule: string;
  /** The first digits of the numbers. */
  readonly prefix: string;
  /** The last of them. */
  readonly phone: string;
  /** How many were stopped within the hour. */
  readonly count: number;
}

/** The delivery status of a chat message; `failed` has a reason. */
interface ChatStatus {
  readonly message_id: number;
  readonly shipment_id: number;
  /** The business number, and the client's. */
  readonly from: string;
  readonly to: string;
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  /** Of one that failed: why, in a word. */
  readonly reason: string | null;
}

/** What incoming chat events say of the client and the message. */
interface ChatIncoming {
  /** The platform's id of the client; null where it does not say. */
  readonly user_id: string | null;
  /** The name of their profile. */
  readonly name: string;
  /** What `body` does not say (docs/events.md); null for nothing. */
  readonly content: Readonly<Record<string, unknown>> | null;
}

/** A client wrote by chat. */
interface ChatMessage extends ChatIncoming {
  readonly message_id: number;
  /** The client's number, or `user_id` where it is hidden. */
  readonly from: string;
  /** The business number. */
  readonly to: string;
  /** A type of carriers/chat-platform/incoming-content.ts */
  readonly type: string;
  readonly body: string;
  /** Our id of the message that was quoted. */
  readonly reply_to: number | null;
  /** Our id of the message that was reacted to, edited or deleted. */
  readonly about_id: number | null;
}

/** A client pressed a button (interface, "Events"). */
interface ChatButton extends ChatIncoming {
  readonly message_id: number;
  /** The client's number, or `user_id` where it is hidden. */
  readonly from: string;
  readonly to: string;
  readonly type: 'button';
  /** The button's text. */
  readonly body: string;
  readonly button_id: string;
  /** The card that it was on, from 1. */
  readonly card: number | null;
  /** Our id of the message that had the button. */
  readonly reply_to: number | null;
}

/** A template has another status. */
export interface TemplateStatusChanged {
  readonly template_id: string;
  readonly name: string;
  readonly language: string;
  /** 0 to 11 (interface, "Template status"). */
  readonly status: number;
  readonly reason: string;
}

/** The platform rates a template anew, by what its recipients report. */
interface TemplateQuality {
  readonly template_id: string;
  readonly name: string;
  readonly language: string;
  /** `GREEN`, `YELLOW`, `RED` or `UNKNOWN`. */
  readonly quality: string;
  readonly previous_quality: string;
}

/** The platform gives a template another category, or says that it will. */
interface TemplateCategoryChanged {
  readonly template_id: string;
  readonly name: string;
  readonly language: string;
  /** `MARKETING`, `UTILITY` or `AUTHENTICATION`: what it has now. */
  readonly category: string;
  /** What it is to have, and from when (ISO 8601); null for no change to come, and where the platform does not say when. */
  readonly next_category: string | null;
  readonly changes_at: string | null;
}

/** The platform says how a business account or one of its numbers stands: restricted, banned, rated. */
interface ChatAccount {
  readonly portfolio_id: number;
  readonly portfolio: string;
  /** The business number; null: the account as a whole. */
  readonly from: string | null;
  /** What it is about (docs/events.md). */
  readonly topic: string;
  /** The platform's words for how it stands, and for why; the latter may be empty. */
  readonly word: string;
  readonly reason: string;
  /** Of topic `restriction`; `until` (ISO 8601) is null for one without end. */
  readonly restrictions: readonly { readonly type: string; readonly until: string | null }[];
}

/** Every message of a campaign has been submitted or has failed. */
interface CampaignFinished {
  readonly campaign_id: number;
  readonly campaign_name: string | null;
  /** The name of its channel. */
  readonly channel: string;
  readonly total: number;
  readonly sent: number;
  readonly failed: number;
}

/** A user of mailing lists gets no more mails: they asked for it, called one spam, or were deleted. */
interface MailUnsubscribed {
  readonly user_id: number;
  readonly email: string;
  /** The mail that it came from, where it is known. */
  readonly campaign_id: number | null;
  /** `page`, `one-click` (RFC 8058), `complaint`; `account`: by the account itself. */
  readonly cause: string;
}

/** An address takes no mail: there will be no more to it. */
interface MailBounced {
  readonly user_id: number;
  readonly email: string;
  readonly campaign_id: number | null;
  /** What its mail server said. */
  readonly reason: string;
}

/** What events of conversations say of one. */
export interface ConversationAbout {
  readonly conversation_id: number;
  /** The name of the channel that the client wrote over last. */
  readonly channel: string;
  /** The client: E.164 digits, a mail address, or the chat platform's id of one who hides the number. */
  readonly from: string;
  /** Our number or address. */
  readonly to: string;
}

/** A conversation was begun, or a closed one opened again. */
interface ConversationOpened extends ConversationAbout {
  readonly reopened: boolean;
}

/** A person answers for a conversation, or nobody any more. */
interface ConversationAssigned extends ConversationAbout {
  readonly assignee_id: number | null;
  readonly assignee: string | null;
  /** The name of the person who did it; null: a rule, or a program. */
  readonly by: string | null;
}

interface ConversationClosed extends ConversationAbout {
  readonly by: string | null;
}

/** A client wrote, over any channel. */
interface MessageReceived extends ConversationAbout {
  readonly message_id: number;
  /** The name of their profile; '' where it is not told. */
  readonly name: string;
  /** `text`, or as the channel says it. */
  readonly type: string;
  readonly text: string;
}

/** A rule of the account matched a message of a client, and tells it. */
interface ConversationRuleMatched extends ConversationAbout {
  readonly rule_id: number;
  readonly rule: string;
  readonly message_id: number;
  readonly text: string;
}

/** All data of a person was erased (docs/data.md). Who it was is not told: `reference` is what the caller called the request. */
interface DataSubjectErased {
  readonly request_id: number;
  readonly reference: string;
  /** How many rows of each kind. */
  readonly counts: Readonly<Record<string, number>>;
}

/** What events of alerts say of one. */
interface AlertAbout {
  readonly alert_id: number;
  readonly rule_id: number;
  readonly rule: string;
  /** The kind of its rule (docs/alerts.md). */
  readonly kind: string;
  /** What it is about: a prefix, a connector, the id of a webhook; '' for the account itself. */
  readonly subject: string;
  /** By its kind (docs/alerts.md). */
  readonly measured: Readonly<Record<string, string | number>>;
  /** ISO 8601. */
  readonly began_at: string;
}

/** The condition of an alert rule of the account holds. */
interface AlertBegan extends AlertAbout {
  /** How often it began since people were told of the subject last. */
  readonly times: number;
  /** Somebody tests the rule. */
  readonly test: boolean;
}

/** The condition does not hold any more. */
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
 * Something that happened; `at` is when, in milliseconds since the epoch. `trace` is what sending it continues, when the
 * message that it is about is traced (observability/tracing): stored, and in no body.
 */
export type Event = {
  [T in EventType]: {
    readonly type: T;
    readonly at: number;
    readonly data: EventData[T];
    readonly trace?: string;
  };
}[EventType];

/** An event with what sending it continues. */
export const withTrace = (event: Event, trace: string | null | undefined): Event =>
  trace ? { ...event, trace } : event;

/** Which event each push is about; a webhook can be about any. */
export const pushes = {
  dlr: 'message.status',
  incoming: 'sms.incoming',
  blacklist: 'blacklist.added',
} as const satisfies Record<string, EventType>;

export type PushKind = keyof typeof pushes;
export type EndpointKind = PushKind | 'webhook';

export const endpointKinds: readonly EndpointKind[] = ['webhook', ...(Object.keys(pushes) as PushKind[])];

/** Every event type there is, for checks of what a webhook asks for. */
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

/** An event with the id that receivers see, the same in every attempt and for every endpoint. */
export interface Item {
  readonly key: string;
  readonly event: Event;
}

/** The items of a batch of events. */
export function itemsOf(batchId: number, events: readonly Event[]): Item[] {
  return events.map((event, index) => ({ key: `evt_${batchId}_${index}`, event }));
}
