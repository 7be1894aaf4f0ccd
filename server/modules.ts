import { type AppContext, createEventModule, publicUrl, switchOf } from './app-context.ts';
import { Blacklist } from './audience/blacklist.ts';
import { ContactLists } from './audience/contact-lists.ts';
import { ContactWork } from './audience/contact-work.ts';
import { CsvJobs } from './audience/csv-jobs.ts';
import { Exports } from './audience/exports.ts';
import { Imports } from './audience/imports.ts';
import { createRemovalWords } from './audience/removal-words.ts';
import { CampaignEngine } from './campaigns/engine.ts';
import { releaseAllCampaigns } from './campaigns/expander.ts';
import { callRoutes, noCarriers, readCarriers } from './carriers/configuration.ts';
import { Routing } from './carriers/routing.ts';
import { createSmppConnector } from './carriers/smpp/connector.ts';
import { chatAccessOf, mailSettings } from './channel-settings.ts';
import { chatChannel } from './channels/chat/channel.ts';
import { createChatModule } from './channels/chat/module.ts';
import { chatDelivery } from './channels/chat/reversal.ts';
import type { DeliveryHooks } from './channels/contract.ts';
import { BounceRecorder } from './channels/mail/bounce-recorder.ts';
import { mailChannel } from './channels/mail/channel.ts';
import { createMailModule } from './channels/mail/module.ts';
import { createMailSending } from './channels/mail/sending.ts';
import { openChannels } from './channels/open.ts';
import { smsChannel } from './channels/sms/channel.ts';
import { ListCampaignSource, storeListCampaigns } from './channels/sms/list-campaigns.ts';
import { voiceChannel } from './channels/voice/channel.ts';
import { createVoiceModule } from './channels/voice/module.ts';
import { releaseAllLeases } from './dispatch/batches.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import { Inbound } from './dispatch/inbound.ts';
import { Receipts } from './dispatch/receipts.ts';
import { Recorder } from './dispatch/recorder.ts';
import { type Paused, Signals } from './dispatch/signals.ts';
import { CONTACT_PATH } from './interfaces/public-pages/contact.ts';
import { Jobs } from './jobs.ts';
import { Clicks } from './links/clicks.ts';
import { Links } from './links/links.ts';
import { Changes } from './live/changes.ts';
import { Acceptor } from './messages/accept.ts';
import { HourlyStatistics } from './messages/hourly-statistics.ts';
import type { Lane } from './messages/lanes.ts';
import { PhoneVerifier } from './messages/phone-verifier.ts';
import { SecretTexts } from './messages/secret-text.ts';
import { ShipmentProgress } from './messages/shipment-progress.ts';
import { statusHooks } from './messages/status-event.ts';
import type { Role } from './process-roles.ts';
import { RequestLog } from './requests/request-log.ts';
import type { SandboxHandle } from './sandbox-handle.ts';
import { SendKeys } from './send-keys/send-keys.ts';

/**
 * Opens the modules on an app context, those that the roles of this process need; nothing is started. Throws
 * ConfigError for settings that cannot be used, and what the database throws.
 */
export async function openModules(
  appContext: AppContext,
  wanted: readonly Role[],
  sandbox: SandboxHandle | undefined,
) {
  const { config, log, clock, database, secrets, ids, numbers } = appContext;
  const { sql } = database;
  const owner = appContext.process.boot;
  if (database.embedded) await releaseAllLeases(sql, clock.now());
  const carriers = sandbox?.carriers ?? readCarriers(config) ?? noCarriers;
  const routing = new Routing(carriers.routes, callRoutes(carriers.trunks, voiceChannel.connectors.prefix));
  const has = (role: Role) => wanted.includes(role);

  const allowPrivate = switchOf(
    config.WEBHOOKS_TO_PRIVATE_ADDRESSES,
    sandbox !== undefined && !config.SANDBOX_PUBLIC,
  );
  const requestLog = new RequestLog({ sql, asyncCommitSql: database.asyncCommitSql, ids, log });
  const events = createEventModule(appContext, { allowPrivate, deliver: has('jobs') });
  const signals = new Signals(sql, log);
  const hourlyStatistics = new HourlyStatistics({ sql, clock, log });
  const progress = new ShipmentProgress({ sql, clock, log });
  const changes = new Changes({ sql, log, alone: database.embedded });
  const changed = (accountId: number, messageIds: Iterable<number>) => {
    hourlyStatistics.changed(accountId, messageIds);
    changes.said(accountId);
  };
  const blacklist = new Blacklist({ sql, ids, clock, events });
  const secretTexts = new SecretTexts(appContext.secrets);
  const contactLists = new ContactLists({ sql, ids, clock });
  const csvJobs = new CsvJobs({ sql, ids, clock, audit: appContext.people.audit, owner });
  if (database.embedded) await csvJobs.releaseAll();
  const imports = new Imports({ sql, jobs: csvJobs, lists: contactLists, blacklist, numbers });
  const exports = new Exports({ sql, jobs: csvJobs, lists: contactLists });

  /** Where the service answers, once it does. */
  const site: { url: string | undefined } = { url: undefined };
  const pageBase = () => site.url ?? publicUrl(config);
  const linkBase = () => config.SHORT_LINK_DOMAIN ?? pageBase();
  const mail = await createMailModule({
    sql,
    ids,
    clock,
    secrets,
    events,
    csvJobs,
    accounts: appContext.accounts,
    base: pageBase,
  });
  const bounceRecorder = new BounceRecorder({ clock, users: mail.users, maxSoft: config.MAIL_SOFT_BOUNCES });
  const hooks = new Map<number, DeliveryHooks>([
    [smsChannel.id, statusHooks(smsChannel)],
    [chatChannel.id, chatDelivery],
    [mailChannel.id, bounceRecorder.delivery],
    [voiceChannel.id, statusHooks(voiceChannel)],
  ]);
  const recorder = new Recorder({
    sql,
    placements: database.placements,
    ids,
    clock,
    events,
    log,
    hooks,
    changed,
  });
  const receipts = new Receipts({ sql, ids, clock, recorder, log });
  const links = await Links.open({ sql, ids, clock, secrets, base: linkBase });
  const clicks = new Clicks({ sql, ids, log });
  const inbound = new Inbound({
    sql,
    ids,
    clock,
    events,
    log,
    numbers,
    fallbackAccount: () => sandbox?.demoAccountId,
    blacklist,
    asksRemoval: createRemovalWords(config.REMOVAL_WORDS),
  });
  const callNumber = config.VERIFY_CALL_NUMBER ?? sandbox?.voice.number;
  const voice = await createVoiceModule({
    ...appContext,
    trunks: carriers.trunks,
    dispatches: has('dispatch'),
    callNumber,
    callBack: (phone) => phoneVerifier.callBack(phone),
    onSpoken: sandbox?.voice.spoken,
  });
  const dispatcher = has('dispatch')
    ? new Dispatcher({
        sql,
        asyncCommitSql: database.asyncCommitSql,
        ids,
        clock,
        log,
        owner,
        routing,
        recorder,
        receipts,
        inbound,
        events,
        secretTexts,
        carriers: carriers.connectors.map((link) => createSmppConnector(link, { log, clock })),
        trunks: voice.trunks,
        recalls: voice.recalls,
        maxCopies: config.MAX_COPIES,
      })
    : undefined;
  const contactWork = new ContactWork({ sql, log, jobs: csvJobs, imports, exports, mail });
  const sending = {
    sql,
    ids,
    clock,
    secrets,
    routing,
    events,
    links,
    secretTexts,
    contactLists,
    numbers,
    prices: appContext.prices,
    wallets: appContext.wallets,
    isKosher: voice.isKosher,
    notifyDispatcher(accountId: number, lane: Lane) {
      dispatcher?.hint(accountId, lane);
      changes.said(accountId);
      // The embedded database has this process alone: nobody else is listening.
      if (!database.embedded) signals.announceDue();
    },
  };
  const pausing = {
    announcePaused(shipment: Paused) {
      dispatcher?.paused(shipment);
      changes.said(shipment.accountId);
      if (!database.embedded) signals.announcePaused(shipment);
    },
    announceResumed(shipment: Paused) {
      dispatcher?.resumed(shipment);
      changes.said(shipment.accountId);
      if (!database.embedded) signals.announceResumed(shipment);
    },
  };
  const sendKeys = new SendKeys({ sql, clock, secrets });
  const validityMs = config.VALIDITY_HOURS * 3_600_000;
  const acceptor = new Acceptor({
    ...sending,
    placements: database.placements,
    validityMs,
    storeListCampaigns,
  });
  const phoneVerifier = new PhoneVerifier({
    ...appContext,
    acceptor,
    linkBase,
    source: config.VERIFY_SMS_SOURCE,
    text: config.VERIFY_SMS_TEXT,
    callText: config.VERIFY_CALL_TEXT,
    callNumber,
    callProblem: () => voice.problem(),
  });
  const leasing = { asyncCommitSql: database.asyncCommitSql, log, owner };
  const campaigns = new CampaignEngine({ ...sending, ...pausing, ...leasing });
  const opened = await openChannels({ ...appContext, ...sending, validityMs });
  for (const { channel, module } of opened) {
    hooks.set(channel.id, module.delivery);
    if (module.campaigns) campaigns.add(module.campaigns);
  }
  const campaigning = {
    ...sending,
    ...leasing,
    control: campaigns.control,
    recorder,
    changed,
    accounts: appContext.accounts,
  };
  const mailSending = await createMailSending({
    ...campaigning,
    ...mailSettings(config, sandbox),
    sources: appContext.sources,
    clicks,
    module: mail,
    bounceRecorder,
    base: pageBase,
  });
  const confirmations = mail.confirmations(mailSending.link && mailSending.outbox);
  const chatAccess = sandbox?.chat ?? chatAccessOf(config);
  const chat = createChatModule({
    ...campaigning,
    defaultZone: config.TIME_ZONE,
    platformUrl: chatAccess.url,
    appId: chatAccess.appId,
    contactPage: publicUrl(config) + CONTACT_PATH,
    clientPauseMs: sandbox ? 0 : config.CHAT_CLIENT_PAUSE_MS,
    unansweredDays: config.CHAT_UNANSWERED_DAYS,
    mediaCheck: config.MEDIA_CHECK,
    allowPrivate,
  });
  campaigns.add(new ListCampaignSource({ ...sending, validityMs }));
  campaigns.add(chat.campaignSource);
  campaigns.add(mailSending.campaignSource);
  if (database.embedded) {
    await Promise.all([releaseAllCampaigns(sql), chat.templates.releaseAll()]);
  }
  const jobs = has('jobs')
    ? new Jobs({
        sql,
        clock,
        log,
        keep: config,
        inbound,
        recorder,
        contactWork,
        csvJobs,
        campaigns,
        hourlyStatistics,
        progress,
        channelJobs: opened.flatMap(({ module }) => module.jobs ?? []),
        chat,
        mail: { ...mail, ...mailSending, confirmations },
        people: appContext.people,
        sendKeys: new SendKeys({ sql: database.asyncCommitSql, clock, secrets }),
      })
    : undefined;

  return {
    site,
    linkBase,
    carriers,
    requestLog,
    events,
    signals,
    hourlyStatistics,
    progress,
    changes,
    changed,
    blacklist,
    contactLists,
    csvJobs,
    imports,
    exports,
    links,
    clicks,
    callNumber,
    voice,
    dispatcher,
    sending,
    acceptor,
    sendKeys,
    phoneVerifier,
    validityMs,
    campaigns,
    mail,
    mailSending,
    confirmations,
    chatAccess,
    chat,
    opened,
    jobs,
  };
}

export type Modules = Awaited<ReturnType<typeof openModules>>;
