import { Subscribers } from './accounts/subscribers.ts';
import { Alerts } from './alerts/alerts.ts';
import type { SendServiceMail } from './alerts/means/mail.ts';
import { alertContactsPart } from './alerts/personal-data.ts';
import { type AppContext, createEventModule, publicUrl, switchOf } from './app-context.ts';
import { Blacklist } from './audience/blacklist.ts';
import { ContactLists } from './audience/contact-lists.ts';
import { CsvJobs, heldCsvFiles } from './audience/csv-jobs.ts';
import { contactExports } from './audience/exports.ts';
import { Imports } from './audience/imports.ts';
import { audiencePart } from './audience/personal-data.ts';
import { createRemovalWords } from './audience/removal-words.ts';
import { Suppressions } from './audience/suppressions.ts';
import { Authors } from './authors/authors.ts';
import { BudgetBook, type Held } from './budgets/budgets.ts';
import { sumOf } from './budgets/kinds.ts';
import { Questions } from './budgets/questions.ts';
import type { CampaignControl } from './campaigns/control.ts';
import { Drafts } from './campaigns/drafts.ts';
import { CampaignEngine } from './campaigns/engine.ts';
import { campaignsPart } from './campaigns/personal-data.ts';
import { noCarriers, readCarriers } from './carriers/configuration.ts';
import { Connectors } from './connectors/connectors.ts';
import { CarrierNetwork } from './connectors/network.ts';
import { Routes } from './connectors/routes.ts';
import { Consents } from './consents/consents.ts';
import { consentsPart } from './consents/personal-data.ts';
import { AutoCloser } from './conversations/auto-closer.ts';
import { Automation } from './conversations/automation.ts';
import { Conversations } from './conversations/conversations.ts';
import { ConversationLabels } from './conversations/labels.ts';
import { conversationsPart } from './conversations/personal-data.ts';
import { Replies } from './conversations/replies.ts';
import { ConversationRules } from './conversations/rules.ts';
import { SavedReplies } from './conversations/saved-replies.ts';
import { ConversationSettingsStore } from './conversations/settings.ts';
import { DataSubjects } from './data-subjects/data-subjects.ts';
import { ErasureRecords, erasuresFolderOf } from './data-subjects/erasure-records.ts';
import { heldArchives, SubjectRequests } from './data-subjects/requests.ts';
import type { Dispatcher } from './dispatch/dispatcher.ts';
import type { DeliveryHooks } from './dispatch/hooks.ts';
import { Inbound } from './dispatch/inbound.ts';
import { Permits } from './dispatch/permits.ts';
import { incomingPart } from './dispatch/personal-data.ts';
import { Receipts } from './dispatch/receipts.ts';
import { Recorder } from './dispatch/recorder.ts';
import { type Cancelled, type CancelledMessages, type Paused, Signals } from './dispatch/signals.ts';
import { DueLook } from './due-look.ts';
import { eventsPart } from './events/personal-data.ts';
import { FraudGuard } from './fraud-guard/fraud-guard.ts';
import { openGate } from './gate/open.ts';
import { PhoneGate } from './gate/phones.ts';
import { Clicks } from './links/clicks.ts';
import { Links } from './links/links.ts';
import { Changes } from './live/changes.ts';
import { openMedia } from './media/open.ts';
import { heldFiles } from './media/rows.ts';
import { Acceptor } from './messages/accept.ts';
import type { CallService } from './messages/call-request.ts';
import { Canceller } from './messages/cancel.ts';
import type { HandOver } from './messages/hand-over.ts';
import { HourlyStatistics } from './messages/hourly-statistics.ts';
import type { Lane } from './messages/lanes.ts';
import { messagesPart } from './messages/personal-data.ts';
import { PhoneVerifier } from './messages/phone-verifier.ts';
import { removalWordOf } from './messages/removal-reply.ts';
import { SecretTexts } from './messages/secret-text.ts';
import { ShipmentProgress } from './messages/shipment-progress.ts';
import { createKosherCheck, kosherTable } from './numbers/kosher.ts';
import { OneTimeCodes } from './otp/one-time-codes.ts';
import { codesPart } from './otp/personal-data.ts';
import { policyOf } from './otp/policy.ts';
import { auditPart } from './people/personal-data.ts';
import { openProviders } from './people/providers/open.ts';
import type { PersonalDataPart } from './personal-data/part.ts';
import type { Role } from './process-roles.ts';
import { RequestLog } from './requests/request-log.ts';
import { Remover } from './retention/remover.ts';
import { Retention } from './retention/retention.ts';
import type { SandboxHandle } from './sandbox-handle.ts';
import { sendKeysPart } from './send-keys/personal-data.ts';
import { SendKeys } from './send-keys/send-keys.ts';
import { recipientSendsPart } from './sending-policy/personal-data.ts';
import { HeldWork } from './suspension/held-work.ts';
import { Work } from './work/work.ts';

/** What there is only when everything is open: modules that are created before ask for it when they need it. */
export interface LateBound {
  /** Undefined in a process that does not dispatch. */
  dispatcher: Dispatcher | undefined;
  /** Where the service answers; undefined in a process that takes no requests. */
  url: string | undefined;
  /** Of the channel that calls phones. */
  calls: CallService | undefined;
  /** What the channels have about people. */
  personalData: readonly PersonalDataPart[];
  /** Of the channel that sends mails, where a relay is set up. */
  mailer: SendServiceMail | undefined;
}

/**
 * Creates the modules that every channel uses, on an app context; nothing is started. Throws ConfigError for settings that
 * cannot be used, and what the database throws.
 */
export async function createCore(
  appContext: AppContext,
  wanted: readonly Role[],
  sandbox: SandboxHandle | undefined,
) {
  const { clock, database, secrets } = appContext;
  const lateBound: LateBound = {
    dispatcher: undefined,
    url: undefined,
    calls: undefined,
    personalData: [],
    mailer: undefined,
  };
  const settings = settingsOf(appContext, wanted, sandbox, lateBound);
  const { config, has, allowPrivate, linkBase, configured, codePolicy } = settings;
  const network = new CarrierNetwork({ ...appContext, configured });
  await network.reload();
  const signals = createSignals(appContext, lateBound);
  const { announce, changed } = signals;
  const budgets = new BudgetBook({ ...appContext, ...settings, held: { files: heldByAccount } });
  const dueLook = new DueLook({ sql: appContext.sql, placements: database.placements });
  const work = new Work({ ...appContext, placements: database.placements, owner: appContext.process.boot });
  const events = createEventModule(appContext, { allowPrivate, deliver: has('jobs'), dueLook });
  const base = {
    ...appContext,
    ...settings,
    network,
    routing: network.routing,
    connectors: new Connectors({ ...appContext, network }),
    routes: new Routes({ ...appContext, network }),
    owner: appContext.process.boot,
    placements: database.placements,
    sandbox,
    lateBound,
    calls: callsOf(lateBound),
    ...signals,
    notifyDispatcher: announce.due,
    secretTexts: new SecretTexts(secrets),
    sendKeys: new SendKeys(appContext),
    dueLook,
    work,
    requestLog: new RequestLog({ ...appContext, placements: database.placements }),
    events,
    fraudGuard: new FraudGuard({ ...appContext, events, settings: codePolicy.fraudGuard }),
    progress: new ShipmentProgress(appContext),
    contactLists: new ContactLists(appContext),
    ...openMedia({ ...appContext, budgets, work }),
    subscribers: new Subscribers(appContext),
    ...createPolicies(appContext, settings),
    retention: new Retention(appContext),
    authors: new Authors({ ...appContext, audit: appContext.people.audit }),
    budgets,
    questions: await Questions.open(appContext),
    signInProviders: openProviders({ ...appContext, ...settings, people: appContext.people }),
  };
  const audience = createAudience(base);
  const answering = createAnswering(base);
  const links = await Links.open({ ...base, base: linkBase });
  const hooks = new Map<number, DeliveryHooks>();
  const recorder = new Recorder({ ...base, hooks, changed });
  const sending = { ...base, ...audience, links, recorder, ...announce };
  const campaigns = new CampaignEngine(sending);
  const acceptor = new Acceptor({
    ...sending,
    handOver: handOverTo(lateBound, signals.changes),
    storeListCampaigns: (...send) => campaigns.storeListCampaigns(...send),
  });
  const canceller = new Canceller({
    ...base,
    unrendered: campaigns.unrendered,
    announce: announce.cancelled,
  });
  const alerts = new Alerts({ ...base, acceptor, mailer: () => lateBound.mailer });
  addAuthoredWork({ ...base, ...answering, alerts, control: campaigns.control });
  return {
    ...base,
    ...audience,
    links,
    remover: new Remover(base),
    clicks: new Clicks(base),
    /** The hooks of the channels, by their ids; each adds its own before anything runs. */
    hooks,
    recorder,
    receipts: new Receipts({ ...base, recorder }),
    inbound: new Inbound({
      ...sending,
      ...answering,
      fallbackAccount: () => sandbox?.demoAccountId,
    }),
    ...answering,
    campaigns,
    control: campaigns.control,
    heldWork: new HeldWork({ ...sending, canceller }),
    drafts: new Drafts(base),
    acceptor,
    canceller,
    ...createDataSubjects({ ...sending, unrendered: campaigns.unrendered, lateBound }),
    alerts,
    oneTimeCodes: new OneTimeCodes({
      ...base,
      acceptor,
      policy: codePolicy,
      defaultText: config.OTP_TEXT,
    }),
    phoneVerifier: new PhoneVerifier({
      ...base,
      acceptor,
      source: config.VERIFY_SMS_SOURCE,
      text: config.VERIFY_SMS_TEXT,
      callText: config.VERIFY_CALL_TEXT,
    }),
    /** For jobs, whose deletions may be lost in a crash. */
    expiredSendKeys: new SendKeys({ sql: database.asyncCommitSql, clock, secrets }),
  };
}

/** The modules that every channel uses. */
type Core = Awaited<ReturnType<typeof createCore>>;

/** The app context with those modules: what channels are opened with and routes are bound to. A `…Deps` says which of it. */
export type CoreContext = AppContext & Core;

/** Stored files of an account. */
const heldByAccount: Held = async (sql, accountId) =>
  sumOf([
    await heldFiles(sql, accountId),
    await heldCsvFiles(sql, accountId),
    await heldArchives(sql, accountId),
  ]);

/** What the modules have to know of the settings, the roles of this process and the sandbox. */
function settingsOf(
  { config }: AppContext,
  wanted: readonly Role[],
  sandbox: SandboxHandle | undefined,
  lateBound: LateBound,
) {
  const isPrivate = sandbox !== undefined && !config.SANDBOX_PUBLIC;
  const pageBase = () => lateBound.url ?? publicUrl(config);
  return {
    config,
    /** Whether this process has a role. */
    has: (role: Role) => wanted.includes(role),
    /** Connectors and routes of the settings. */
    configured: sandbox?.carriers ?? readCarriers(config) ?? noCarriers,
    /** Whether nobody but this machine reaches the service: a sandbox on loopback. */
    isPrivate,
    /** Whether webhooks and media may lie at private addresses. */
    allowPrivate: switchOf(config.WEBHOOKS_TO_PRIVATE_ADDRESSES, isPrivate),
    /** How long delivery of a message is tried, in milliseconds. */
    validityMs: config.VALIDITY_HOURS * 3_600_000,
    /** Of accounts that have none of their own. */
    defaultZone: config.TIME_ZONE,
    /** Whether a source must be verified or approved. */
    verifySources: switchOf(config.VERIFY_SOURCES, sandbox === undefined),
    /** Where pages of the service are, without a slash at the end. */
    pageBase,
    /** Beginning of short links, without a slash at the end. */
    linkBase: () => config.SHORT_LINK_DOMAIN ?? pageBase(),
    /** Limits of one-time codes, and the settings of the fraud guard. */
    codePolicy: policyOf(config, switchOf(config.OTP_BRAKE, sandbox === undefined)),
    /** The number that landlines call to be verified. */
    callNumber: config.VERIFY_CALL_NUMBER ?? sandbox?.callNumber,
    isKosher: createKosherCheck(config.VOICE_KOSHER_PREFIXES?.split(',') ?? kosherTable.prefixes),
    /** The word to reply for removal, by language. */
    removalWord: removalWordOf(config.REMOVAL_WORDS),
  };
}

/** When, how often and to whom accounts send, and the log of consents. */
function createPolicies(
  appContext: AppContext,
  settings: Pick<ReturnType<typeof settingsOf>, 'config' | 'defaultZone' | 'verifySources'>,
) {
  const consents = new Consents(appContext);
  const opened = openGate({ ...appContext, ...settings, consents });
  const serviceSource = settings.config.VERIFY_SMS_SOURCE;
  return {
    ...opened,
    phoneGate: new PhoneGate({ ...appContext, ...settings, ...opened, serviceSource }),
    consents,
    permits: new Permits({ ...appContext, ...opened }),
  };
}

/** What tells other modules and processes what has changed. */
function createSignals(appContext: AppContext, lateBound: LateBound) {
  const { sql, log, clock, database } = appContext;
  const signals = new Signals(sql, log);
  const hourlyStatistics = new HourlyStatistics({ sql, placements: database.placements, clock, log });
  const changes = new Changes({ sql, log, alone: database.embedded });
  // The embedded database has this process alone: nobody else is listening.
  const others = database.embedded ? undefined : signals;
  const changed = (accountId: number, messageIds: Iterable<number>) => {
    hourlyStatistics.changed(accountId, messageIds);
    changes.notify(accountId);
  };
  return {
    signals,
    hourlyStatistics,
    changes,
    /** Called after a commit with the messages that it changed. */
    changed,
    /** Hints to dispatchers, of this process at once and of others by the database; nothing rests on them. */
    announce: {
      due(accountId: number, lane: Lane) {
        lateBound.dispatcher?.hint(accountId, lane);
        changes.notify(accountId);
        others?.announceDue(accountId, lane);
      },
      announcePaused(shipment: Paused) {
        lateBound.dispatcher?.paused(shipment);
        changes.notify(shipment.accountId);
        others?.announcePaused(shipment);
      },
      announceResumed(shipment: Paused) {
        lateBound.dispatcher?.resumed(shipment);
        changes.notify(shipment.accountId);
        others?.announceResumed(shipment);
      },
      announceSuspended(accountId: number) {
        lateBound.dispatcher?.suspended(accountId);
        changes.notify(accountId);
        others?.announceSuspended(accountId);
      },
      cancelled(cancelled: Cancelled) {
        lateBound.dispatcher?.cancelled(cancelled);
        // Their hours; those of contacts that got their messages later are found by themselves.
        changed(cancelled.accountId, cancelled.shipmentIds);
        others?.announceCancelled(cancelled);
      },
      messagesCancelled(cancelled: CancelledMessages) {
        lateBound.dispatcher?.cancelledMessages(cancelled);
        changed(cancelled.accountId, cancelled.messageIds);
        others?.announceCancelledMessages(cancelled);
      },
    },
  };
}

type AnsweringDeps = AppContext & {
  readonly work: Work;
  readonly budgets: BudgetBook;
  readonly fraudGuard: FraudGuard;
  readonly defaultZone: string;
  readonly events: ReturnType<typeof createEventModule>;
  readonly sendKeys: SendKeys;
  readonly changes: Changes;
};

/** Conversations, and what answers in them: people, and rules. */
function createAnswering(base: AnsweringDeps) {
  const { people } = base.people;
  const asksRemoval = createRemovalWords(base.config.REMOVAL_WORDS);
  const automation = new Automation({ ...base, people, asksRemoval });
  const conversations = new Conversations({ ...base, automation, changed: (id) => base.changes.notify(id) });
  const ofAutomation = { ...base, people, changed: (id: number) => automation.changed(id) };
  return {
    asksRemoval,
    conversations,
    conversationLabels: new ConversationLabels(base),
    conversationRules: new ConversationRules(ofAutomation),
    conversationSettings: new ConversationSettingsStore(ofAutomation),
    savedReplies: new SavedReplies(base),
    replies: new Replies({ ...base, conversations }),
    autoCloser: new AutoCloser({ ...base, conversations }),
  };
}

/** Registers the work that continues after a request with the rights of its author. */
function addAuthoredWork(modules: {
  readonly authors: Authors;
  readonly alerts: Alerts;
  readonly conversationRules: ConversationRules;
  readonly conversationSettings: ConversationSettingsStore;
  readonly control: CampaignControl;
  readonly events: ReturnType<typeof createEventModule>;
}): void {
  const { authors, alerts, conversationRules, conversationSettings, control, events } = modules;
  const kinds = [
    { kind: 'alert-rule', route: ['POST', '/v1/alert-rules'], of: alerts.rules },
    { kind: 'conversation-rule', route: ['POST', '/v1/conversation-rules'], of: conversationRules },
    { kind: 'away-message', route: ['PATCH', '/v1/conversation-settings'], of: conversationSettings },
    { kind: 'campaign', route: ['POST', '/v1/sms'], of: control },
  ] as const;
  for (const { kind, route, of } of kinds) {
    authors.add({ kind, route, authors: () => of.authors(), stop: (gone) => of.stop(gone) });
  }
  authors.add(events.authored);
}

type AudienceDeps = AppContext & {
  readonly owner: string;
  readonly work: Work;
  readonly events: ReturnType<typeof createEventModule>;
  readonly contactLists: ContactLists;
  readonly consents: Consents;
  readonly budgets: BudgetBook;
};

/** Contact lists, their CSV jobs, and the blacklist. */
function createAudience(base: AudienceDeps) {
  const { contactLists: lists, people } = base;
  const suppressions = new Suppressions(base);
  const blacklist = new Blacklist({ ...base, suppressions });
  const csvJobs = new CsvJobs({ ...base, audit: people.audit });
  return {
    blacklist,
    suppressions,
    csvJobs,
    imports: new Imports({ ...base, jobs: csvJobs, lists, blacklist }),
    exports: contactExports({ ...base, jobs: csvJobs, lists }),
  };
}

type DataSubjectsDeps = AppContext &
  ReturnType<typeof createAudience> & {
    readonly work: Work;
    readonly events: ReturnType<typeof createEventModule>;
    readonly unrendered: CampaignEngine['unrendered'];
    readonly messagesCancelled: (cancelled: CancelledMessages) => void;
    readonly lateBound: LateBound;
    readonly consents: Consents;
    readonly budgets: BudgetBook;
  };

/** Export and erasure of what there is about one person, over all modules and channels. */
function createDataSubjects(base: DataSubjectsDeps) {
  const subjectRequests = new SubjectRequests(base);
  const erasureRecords = new ErasureRecords({ folder: erasuresFolderOf(base.config), secrets: base.secrets });
  // In this order: files are found by messages, and what messages cause is erased after them.
  const parts = () => [
    ...base.lateBound.personalData,
    messagesPart(base),
    incomingPart,
    conversationsPart,
    audiencePart(base),
    codesPart,
    alertContactsPart,
    recipientSendsPart,
    consentsPart(base.consents),
    campaignsPart,
    sendKeysPart,
    eventsPart,
    auditPart,
  ];
  const homeCode = base.numbers.homeCode;
  return {
    subjectRequests,
    erasureRecords,
    dataSubjects: new DataSubjects({
      ...base,
      requests: subjectRequests,
      records: erasureRecords,
      homeCode,
      parts,
    }),
  };
}

/** What the dispatcher of this process takes as it is; nothing where there is none. */
function handOverTo(lateBound: LateBound, changes: Changes): HandOver {
  return {
    leasesFor: (plans) => lateBound.dispatcher?.leasesFor(plans) ?? [],
    take(plans) {
      lateBound.dispatcher!.take(plans);
      for (const { accountId } of plans) changes.notify(accountId);
    },
  };
}

/** The calls of the channel that is opened later. */
function callsOf(lateBound: LateBound): CallService {
  const none = 'no channel makes calls';
  return {
    problem: async () => (lateBound.calls ? lateBound.calls.problem() : none),
    speechProblem: async () => (lateBound.calls ? lateBound.calls.speechProblem() : none),
  };
}
