/* Events of webhooks (docs/events.md). A test compares these types with those that the service records. */

/** The final status of an SMS or a call. */
interface MessageStatus {
  readonly message_id: string;
  /** Your own id of the message. */
  readonly external_id: string | null;
  readonly shipment_id: string;
  readonly phone: string;
  readonly source: string;
  /** A delivery status: 102 delivered. */
  readonly status: number;
  /** The carrier's own code. */
  readonly code: string | null;
  /** `voice` for a call; absent for an SMS. */
  readonly channel?: string;
  readonly en_message: string;
  readonly he_message: string;
  readonly date: string;
}

/** An SMS arrived at a number of the account. */
interface IncomingSms {
  /** Id of the message, as in `message.received`. */
  readonly message_id: string;
  readonly source: string;
  readonly destination: string;
  readonly message: string;
  readonly date: string;
}

/** A number was added to the blacklist. */
interface BlacklistAdded {
  readonly phone: string;
  readonly date: string;
}

/** One-time codes to a range of numbers are being stopped. */
interface OtpBlocked {
  readonly rule: string;
  /** First digits of the numbers. */
  readonly prefix: string;
  /** Last number that was stopped. */
  readonly phone: string;
  /** Number of codes stopped within the hour. */
  readonly count: number;
  readonly date: string;
}

/** The delivery status of a chat message. */
interface ChatStatus {
  readonly message_id: string;
  readonly shipment_id: string;
  /** Business number. */
  readonly from: string;
  /** The client. */
  readonly to: string;
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  /** Reason of a failure. */
  readonly reason: string | null;
  readonly date: string;
}

/** Fields shared by incoming chat messages. */
interface ChatIncoming {
  readonly message_id: string;
  /** Number of the client, or `user_id` if it is hidden. */
  readonly from: string;
  /** Business number. */
  readonly to: string;
  readonly body: string;
  /** The quoted message, or the message with the button. */
  readonly reply_to: string | null;
  /** The platform's id of the client. */
  readonly user_id: string | null;
  /** Profile name. */
  readonly name: string;
  /** Content that `body` does not include. */
  readonly content: Readonly<Record<string, unknown>> | null;
  readonly date: string;
}

/** A client sent a chat message. */
interface ChatMessage extends ChatIncoming {
  /** `text`, `image`, `location`, … */
  readonly type: string;
  /** The message that this one reacts to, edits or deletes. */
  readonly about_id: string | null;
}

/** A client pressed a button. */
interface ChatButton extends ChatIncoming {
  readonly type: 'button';
  readonly button_id: string;
  /** The card of the button, from 1. */
  readonly card: number | null;
}

/** The status of a chat template changed. */
interface TemplateStatus {
  readonly template_id: string;
  readonly name: string;
  readonly language: string;
  /** 0 to 11. */
  readonly status: number;
  readonly reason: string;
  readonly date: string;
}

/** The platform changed the quality rating of a template. */
interface TemplateQuality {
  readonly template_id: string;
  readonly name: string;
  readonly language: string;
  /** `GREEN`, `YELLOW`, `RED` or `UNKNOWN`. */
  readonly quality: string;
  readonly previous_quality: string;
  readonly date: string;
}

/** The platform changed the category of a template, or announced a change. */
interface TemplateCategory {
  readonly template_id: string;
  readonly name: string;
  readonly language: string;
  /** `MARKETING`, `UTILITY` or `AUTHENTICATION`. */
  readonly category: string;
  /** Announced category; null without an announced change. */
  readonly next_category: string | null;
  /** Start of the announced category; null if the platform does not name it. */
  readonly changes_at: string | null;
  readonly date: string;
}

/** The platform reported the standing of a portfolio or a business number. */
interface ChatAccount {
  readonly portfolio_id: string;
  readonly portfolio: string;
  /** Business number; null for the portfolio. */
  readonly from: string | null;
  readonly topic: string;
  readonly word: string;
  readonly reason: string;
  /** Current restrictions; `until` is null for a permanent one. */
  readonly restrictions: readonly { readonly type: string; readonly until: string | null }[];
  readonly date: string;
}

/** Every message of a campaign was submitted or failed. */
interface CampaignFinished {
  readonly campaign_id: string;
  readonly campaign_name: string | null;
  readonly channel: string;
  readonly total: number;
  readonly sent: number;
  readonly failed: number;
  readonly date: string;
}

/** A user of mailing lists was unsubscribed. */
interface MailUnsubscribed {
  readonly user_id: string;
  readonly email: string;
  readonly campaign_id: string | null;
  /** `page`, `one-click`, `complaint` or `account`. */
  readonly cause: string;
  readonly date: string;
}

/** An address cannot receive email. */
interface MailBounced {
  readonly user_id: string;
  readonly email: string;
  readonly campaign_id: string | null;
  /** Answer of its mail server. */
  readonly reason: string;
  readonly date: string;
}

/** Fields shared by events about conversations. */
interface ConversationAbout {
  readonly conversation_id: string;
  readonly channel: string;
  /** The client. */
  readonly from: string;
  /** Your number or address. */
  readonly to: string;
  readonly date: string;
}

/** A client sent a message on any channel. */
interface MessageReceived extends ConversationAbout {
  readonly message_id: string;
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** A conversation was started, or a closed one reopened. */
interface ConversationOpened extends ConversationAbout {
  readonly reopened: boolean;
}

/** A conversation was assigned to a person; its assignment was removed if `assignee` is null. */
interface ConversationAssigned extends ConversationAbout {
  readonly assignee_id: string | null;
  readonly assignee: string | null;
  /** Name of the person who did it; null for a rule or a program. */
  readonly by: string | null;
}

/** A conversation was closed. */
interface ConversationClosed extends ConversationAbout {
  readonly by: string | null;
}

/** A rule that notifies webhooks matched a client's message. */
interface ConversationRuleMatched extends ConversationAbout {
  readonly rule_id: string;
  readonly rule: string;
  readonly message_id: string;
  readonly text: string;
}

/** All data of a person was erased; `reference` is your name of the request. */
interface DataSubjectErased {
  readonly request_id: string;
  readonly reference: string;
  /** Number of rows of each kind. */
  readonly counts: Readonly<Record<string, number>>;
  readonly date: string;
}

/** Fields shared by events about alerts. */
interface AlertAbout {
  readonly alert_id: string;
  readonly rule_id: string;
  readonly rule: string;
  /** `low-balance`, `delivery-rate`, `webhook`, `code-fraud`, `queue-age`, … */
  readonly kind: string;
  /** Subject: a prefix, a connector, the id of a webhook; empty for the account itself. */
  readonly subject: string;
  /** Measured values, by kind. */
  readonly measured: Readonly<Record<string, string | number>>;
  /** ISO 8601 in UTC. */
  readonly began_at: string;
  readonly date: string;
}

/** The condition of an alert rule became true. */
interface AlertBegan extends AlertAbout {
  /** Number of times that it began since the last notification about the subject. */
  readonly times: number;
  /** Whether it is a test of the rule. */
  readonly test: boolean;
}

/** The condition of an alert rule is no longer true. */
interface AlertEnded extends AlertAbout {
  readonly ended_at: string;
}

/** `data` of each event type. */
export interface EventData {
  readonly 'message.status': MessageStatus;
  readonly 'sms.incoming': IncomingSms;
  readonly 'blacklist.added': BlacklistAdded;
  readonly 'otp.blocked': OtpBlocked;
  readonly 'chat.message': ChatMessage;
  readonly 'chat.button': ChatButton;
  readonly 'chat.status': ChatStatus;
  readonly 'chat.account': ChatAccount;
  readonly 'template.status': TemplateStatus;
  readonly 'template.quality': TemplateQuality;
  readonly 'template.category': TemplateCategory;
  readonly 'campaign.finished': CampaignFinished;
  readonly 'mail.unsubscribed': MailUnsubscribed;
  readonly 'mail.bounced': MailBounced;
  readonly 'message.received': MessageReceived;
  readonly 'conversation.opened': ConversationOpened;
  readonly 'conversation.assigned': ConversationAssigned;
  readonly 'conversation.closed': ConversationClosed;
  readonly 'conversation.rule_matched': ConversationRuleMatched;
  readonly 'data_subject.erased': DataSubjectErased;
  readonly 'alert.began': AlertBegan;
  readonly 'alert.ended': AlertEnded;
}

export type EventType = keyof EventData;

/** An event of a webhook: `if (event.type === 'message.status') event.data.status`. */
export type WebhookEvent = {
  [Type in EventType]: {
    /** The same in every attempt, and for every endpoint. */
    readonly id: string;
    readonly type: Type;
    /** Time of the event (ISO 8601 in UTC). */
    readonly timestamp: string;
    readonly data: EventData[Type];
  };
}[EventType];
