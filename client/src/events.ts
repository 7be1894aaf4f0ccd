/* What webhooks tell (docs/events.md). A test compares these types with those that the service records. */

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
  /** `voice` for a call; an SMS has none. */
  readonly channel?: string;
  readonly en_message: string;
  readonly he_message: string;
  readonly date: string;
}

/** An SMS arrived at a number of the account. */
interface IncomingSms {
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
  /** The first digits of the numbers. */
  readonly prefix: string;
  /** The last number that was stopped. */
  readonly phone: string;
  /** How many were stopped within the hour. */
  readonly count: number;
  readonly date: string;
}

/** The delivery status of a chat message. */
interface ChatStatus {
  readonly message_id: string;
  readonly shipment_id: string;
  /** The business number. */
  readonly from: string;
  /** The client. */
  readonly to: string;
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  /** Why a message failed. */
  readonly reason: string | null;
  readonly date: string;
}

/** What incoming chat messages have in common. */
interface ChatIncoming {
  readonly message_id: string;
  /** The number of the client, or `user_id` where it is hidden. */
  readonly from: string;
  /** The business number. */
  readonly to: string;
  readonly body: string;
  /** The message that was quoted, or that had the button. */
  readonly reply_to: string | null;
  /** The platform's id of the client. */
  readonly user_id: string | null;
  /** The name of their profile. */
  readonly name: string;
  /** What `body` does not say. */
  readonly content: Readonly<Record<string, unknown>> | null;
  readonly date: string;
}

/** A client wrote by chat. */
interface ChatMessage extends ChatIncoming {
  /** `text`, `image`, `location`, … */
  readonly type: string;
  /** The message that was reacted to, edited or deleted. */
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

/** The platform rates a template anew. */
interface TemplateQuality {
  readonly template_id: string;
  readonly name: string;
  readonly language: string;
  /** `GREEN`, `YELLOW`, `RED` or `UNKNOWN`. */
  readonly quality: string;
  readonly previous_quality: string;
  readonly date: string;
}

/** The platform changed the category of a template, or will. */
interface TemplateCategory {
  readonly template_id: string;
  readonly name: string;
  readonly language: string;
  /** `MARKETING`, `UTILITY` or `AUTHENTICATION`. */
  readonly category: string;
  /** What it will be; null for no change to come. */
  readonly next_category: string | null;
  /** When, where the platform says. */
  readonly changes_at: string | null;
  readonly date: string;
}

/** The platform says how a portfolio or a business number stands. */
interface ChatAccount {
  readonly portfolio_id: string;
  readonly portfolio: string;
  /** The business number; null: the portfolio. */
  readonly from: string | null;
  readonly topic: string;
  readonly word: string;
  readonly reason: string;
  /** Those in force; `until` is null for one without an end. */
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

/** A user of mailing lists receives no more mails. */
interface MailUnsubscribed {
  readonly user_id: string;
  readonly email: string;
  readonly campaign_id: string | null;
  /** `page`, `one-click`, `complaint` or `account`. */
  readonly cause: string;
  readonly date: string;
}

/** An address does not accept mail. */
interface MailBounced {
  readonly user_id: string;
  readonly email: string;
  readonly campaign_id: string | null;
  /** The answer of its mail server. */
  readonly reason: string;
  readonly date: string;
}

/** What events of conversations have in common. */
interface ConversationAbout {
  readonly conversation_id: string;
  readonly channel: string;
  /** The client. */
  readonly from: string;
  /** Your number or address. */
  readonly to: string;
  readonly date: string;
}

/** A client wrote, over any channel. */
interface MessageReceived extends ConversationAbout {
  readonly message_id: string;
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** A conversation began, or a closed one was opened again. */
interface ConversationOpened extends ConversationAbout {
  readonly reopened: boolean;
}

/** A person was assigned to a conversation; nobody where `assignee` is null. */
interface ConversationAssigned extends ConversationAbout {
  readonly assignee_id: string | null;
  readonly assignee: string | null;
  /** Who did it; null for a rule or a program. */
  readonly by: string | null;
}

/** A conversation was closed. */
interface ConversationClosed extends ConversationAbout {
  readonly by: string | null;
}

/** A rule that tells webhooks matched a message of a client. */
interface ConversationRuleMatched extends ConversationAbout {
  readonly rule_id: string;
  readonly rule: string;
  readonly message_id: string;
  readonly text: string;
}

/** All data of a person was erased; `reference` is what the request was called. */
interface DataSubjectErased {
  readonly request_id: string;
  readonly reference: string;
  /** How many rows of each kind. */
  readonly counts: Readonly<Record<string, number>>;
  readonly date: string;
}

/** What events of alerts say of one. */
interface AlertAbout {
  readonly alert_id: string;
  readonly rule_id: string;
  readonly rule: string;
  /** `low-balance`, `delivery-rate`, `webhook`, `code-fraud`, `queue-age`, … */
  readonly kind: string;
  /** A prefix, a connector, the id of a webhook; empty for the account itself. */
  readonly subject: string;
  /** By its kind. */
  readonly measured: Readonly<Record<string, string | number>>;
  /** ISO 8601 in UTC. */
  readonly began_at: string;
  readonly date: string;
}

/** The condition of an alert rule holds. */
interface AlertBegan extends AlertAbout {
  /** How often it began since people were told of the subject last. */
  readonly times: number;
  /** Somebody tests the rule. */
  readonly test: boolean;
}

/** The condition of an alert rule does not hold any more. */
interface AlertEnded extends AlertAbout {
  readonly ended_at: string;
}

/** What each type of event has in `data`. */
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
    /** When it happened, ISO 8601 in UTC. */
    readonly timestamp: string;
    readonly data: EventData[Type];
  };
}[EventType];
