import type { AccessRules } from '../api/access/table.ts';
import type { RequestLog } from '../api/requests/request-log.ts';
import type { SendKeys } from '../api/send-keys/send-keys.ts';
import type { DueLook } from '../database/due-look.ts';
import type { Placements } from '../database/placements.ts';
import type { CampaignControl } from '../engine/campaigns/control.ts';
import type { Drafts } from '../engine/campaigns/drafts.ts';
import type { CampaignEngine } from '../engine/campaigns/engine.ts';
import type { Routing } from '../engine/carriers/routing.ts';
import type { CarrierRoutes } from '../engine/connectors/carrier-routes.ts';
import type { Connectors } from '../engine/connectors/connectors.ts';
import type { CarrierNetwork } from '../engine/connectors/network.ts';
import type { Dispatcher } from '../engine/dispatch/dispatcher.ts';
import type { DeliveryHooks } from '../engine/dispatch/hooks.ts';
import type { Inbound } from '../engine/dispatch/inbound.ts';
import type { Permits } from '../engine/dispatch/permits.ts';
import type { Receipts } from '../engine/dispatch/receipts.ts';
import type { Recorder } from '../engine/dispatch/recorder.ts';
import type { Cancelled, CancelledMessages, Paused, Signals } from '../engine/dispatch/signals.ts';
import type { Events } from '../engine/events/events.ts';
import type { Destinations } from '../engine/gate/destinations.ts';
import type { Gate } from '../engine/gate/gate.ts';
import type { PhoneGate } from '../engine/gate/phones.ts';
import type { Clicks } from '../engine/links/clicks.ts';
import type { ShortLinks } from '../engine/links/short-links.ts';
import type { Changes } from '../engine/live/changes.ts';
import type { Acceptor } from '../engine/messages/accept.ts';
import type { CallService } from '../engine/messages/call-request.ts';
import type { Canceller } from '../engine/messages/cancel.ts';
import type { HourlyStatistics } from '../engine/messages/hourly-statistics.ts';
import type { Lane } from '../engine/messages/lanes.ts';
import type { PhoneVerifier } from '../engine/messages/phone-verifier.ts';
import type { SecretTexts } from '../engine/messages/secret-text.ts';
import type { ShipmentProgress } from '../engine/messages/shipment-progress.ts';
import type { HeldWork } from '../engine/suspension/held-work.ts';
import type { Work } from '../engine/work/work.ts';
import type { Subscribers } from '../modules/accounts/subscribers.ts';
import type { Alerts } from '../modules/alerts/alerts.ts';
import type { SendServiceMail } from '../modules/alerts/means/mail.ts';
import type { Blacklist } from '../modules/audience/blacklist.ts';
import type { ContactLists } from '../modules/audience/contact-lists.ts';
import type { AudienceTurns, ContactWork } from '../modules/audience/contact-work.ts';
import type { CsvJobs } from '../modules/audience/csv-jobs.ts';
import type { contactExports } from '../modules/audience/exports.ts';
import type { Imports } from '../modules/audience/imports.ts';
import type { AsksRemoval } from '../modules/audience/removal-words.ts';
import type { Suppressions } from '../modules/audience/suppressions.ts';
import type { Authors } from '../modules/authors/authors.ts';
import type { BudgetBook, Held } from '../modules/budgets/budgets.ts';
import type { Questions } from '../modules/budgets/questions.ts';
import type { Consents } from '../modules/consents/consents.ts';
import type { StandingConsents } from '../modules/consents/standing.ts';
import type { AutoCloser } from '../modules/conversations/auto-closer.ts';
import type { Conversations } from '../modules/conversations/conversations.ts';
import type { ConversationLabels } from '../modules/conversations/labels.ts';
import type { Replies } from '../modules/conversations/replies.ts';
import type { ConversationRules } from '../modules/conversations/rules.ts';
import type { SavedReplies } from '../modules/conversations/saved-replies.ts';
import type { ConversationSettingsStore } from '../modules/conversations/settings.ts';
import type { DataSubjects } from '../modules/data-subjects/data-subjects.ts';
import type { ErasureRecords } from '../modules/data-subjects/erasure-records.ts';
import type { SubjectRequests } from '../modules/data-subjects/requests.ts';
import type { FraudGuard } from '../modules/fraud-guard/fraud-guard.ts';
import type { MediaFetches } from '../modules/media/fetches.ts';
import type { Media } from '../modules/media/media.ts';
import type { OneTimeCodes } from '../modules/otp/one-time-codes.ts';
import type { ProvidersModule } from '../modules/people/providers/open.ts';
import type { PersonalDataPart } from '../modules/personal-data/part.ts';
import type { Remover } from '../modules/retention/remover.ts';
import type { Retention } from '../modules/retention/retention.ts';
import type { CapCounter } from '../modules/sending-policy/caps.ts';
import type { SendingGate } from '../modules/sending-policy/gate.ts';
import type { SendingPolicies } from '../modules/sending-policy/sending-policies.ts';
import type { AppContext } from './app-context.ts';
import type { RunSettings } from './run-settings.ts';
import type { SandboxHandle } from './sandbox-handle.ts';

/** Values that exist only when everything is open. Modules that open before read them when they need them. */
export interface LateBound {
  /** Undefined in a process that does not dispatch. */
  dispatcher: Dispatcher | undefined;
  /** Address of the service; undefined in a process that takes no requests. */
  url: string | undefined;
  /** Of the channel that calls phones. */
  calls: CallService | undefined;
  /** Personal data of modules and channels, in the order in which it is erased. */
  personalData: readonly PersonalDataPart[];
  /** Imports and exports of the channels. */
  csvTurns: readonly AudienceTurns[];
  /** Of the channel that sends mails, where a relay is set up. */
  mailer: SendServiceMail | undefined;
}

/** Values that every module can need. They exist before the first module opens. */
export interface RunContext extends AppContext, RunSettings {
  /** This run of the process, for leases. */
  readonly owner: string;
  readonly placements: Placements;
  readonly sandbox: SandboxHandle | undefined;
  readonly lateBound: LateBound;
  readonly calls: CallService;
  readonly dueLook: DueLook;
  /** Stored files of an account, over all modules. */
  readonly storedFiles: Held;
  /** Delivery hooks of the channels, by their ids; each channel adds its own before anything runs. */
  readonly hooks: Map<number, DeliveryHooks>;
  readonly accessRules: AccessRules;
}

/** The services of all modules, by the names under which others ask for them. */
export interface Services {
  // accounts
  readonly subscribers: Subscribers;
  // connectors
  readonly network: CarrierNetwork;
  readonly routing: Routing;
  readonly connectors: Connectors;
  readonly routes: CarrierRoutes;
  // requests
  readonly requestLog: RequestLog;
  // send-keys
  readonly sendKeys: SendKeys;
  /** For jobs, whose deletions may be lost in a crash. */
  readonly expiredSendKeys: SendKeys;
  // work
  readonly work: Work;
  // live
  readonly changes: Changes;
  // messages
  readonly hourlyStatistics: HourlyStatistics;
  readonly secretTexts: SecretTexts;
  readonly progress: ShipmentProgress;
  /** Called after a commit with the messages that it changed. */
  readonly changed: (accountId: number, messageIds: Iterable<number>) => void;
  readonly acceptor: Acceptor;
  readonly canceller: Canceller;
  readonly phoneVerifier: PhoneVerifier;
  // dispatch
  readonly signals: Signals;
  readonly announce: Announcements;
  readonly notifyDispatcher: (accountId: number, lane: Lane) => void;
  readonly recorder: Recorder;
  readonly receipts: Receipts;
  readonly permits: Permits;
  readonly inbound: Inbound;
  // budgets
  readonly budgets: BudgetBook;
  readonly questions: Questions;
  // events
  readonly events: Events;
  // fraud-guard
  readonly fraudGuard: FraudGuard;
  // consents
  readonly consents: Consents;
  readonly standingConsents: StandingConsents;
  // audience
  readonly contactLists: ContactLists;
  readonly suppressions: Suppressions;
  readonly blacklist: Blacklist;
  readonly csvJobs: CsvJobs;
  readonly imports: Imports;
  readonly exports: ReturnType<typeof contactExports>;
  readonly contactWork: ContactWork;
  // media
  readonly media: Media;
  readonly mediaFetches: MediaFetches;
  readonly closeMedia: () => Promise<void>;
  // sending-policy
  readonly sendingPolicies: SendingPolicies;
  readonly sendingGate: SendingGate;
  readonly capCounter: CapCounter;
  // gate
  readonly destinations: Destinations;
  readonly gate: Gate;
  readonly phoneGate: PhoneGate;
  // retention
  readonly retention: Retention;
  readonly remover: Remover;
  // authors
  readonly authors: Authors;
  // people
  readonly signInProviders: ProvidersModule;
  // conversations
  readonly asksRemoval: AsksRemoval;
  readonly conversations: Conversations;
  readonly conversationLabels: ConversationLabels;
  readonly conversationRules: ConversationRules;
  readonly conversationSettings: ConversationSettingsStore;
  readonly savedReplies: SavedReplies;
  readonly replies: Replies;
  readonly autoCloser: AutoCloser;
  // links
  readonly links: ShortLinks;
  readonly clicks: Clicks;
  // campaigns
  readonly campaigns: CampaignEngine;
  readonly control: CampaignControl;
  readonly drafts: Drafts;
  // suspension
  readonly heldWork: HeldWork;
  // alerts
  readonly alerts: Alerts;
  // otp
  readonly oneTimeCodes: OneTimeCodes;
  // data-subjects
  readonly subjectRequests: SubjectRequests;
  readonly erasureRecords: ErasureRecords;
  readonly dataSubjects: DataSubjects;
}

/** Hints to the dispatcher of this process, and by the database to those of other processes. Nothing depends on them. */
export interface Announcements {
  due(accountId: number, lane: Lane): void;
  announcePaused(shipment: Paused): void;
  announceResumed(shipment: Paused): void;
  announceSuspended(accountId: number): void;
  cancelled(cancelled: Cancelled): void;
  messagesCancelled(cancelled: CancelledMessages): void;
}

/** Context of channels and routes. A `…Deps` names the parts that a constructor needs. */
export type CoreContext = RunContext & Services;
