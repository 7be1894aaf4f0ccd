import { bind } from '../../api/v1/kit/route.ts';
import type { Sql } from '../../database/connection.ts';
import type { DueJob } from '../../database/due-look.ts';
import { ChangingConnectors } from '../../engine/connectors/changing.ts';
import { settingsOf } from '../../kit/config.ts';
import { status } from '../../kit/statuses.ts';
import { MailConnector } from '../../protocols/smtp/connector.ts';
import type { DkimSettings } from '../../protocols/smtp/dkim.ts';
import { DEFAULT_RELAY, type RelaySettings } from '../../protocols/smtp/relay.ts';
import { tryRelay } from '../../protocols/smtp/trial.ts';
import { publicUrl } from '../../run/app-context.ts';
import { installationKey } from '../../secrets/installation-keys.ts';
import type { ChannelApi, ChannelContext, ChannelModule, OpenChannel } from '../module.ts';
import { BounceRecorder } from './bounce-recorder.ts';
import { MailBounces } from './bounces.ts';
import { reactionsToMail } from './campaign-report.ts';
import { MailCampaignSource } from './campaign-source.ts';
import { MailCampaigns } from './campaigns.ts';
import { MAIL_ROUTES } from './channel.ts';
import { MailRenderer } from './compose.ts';
import { Contents } from './contents.ts';
import { mailEvidence } from './evidence.ts';
import { IncomingMails } from './incoming-mails.ts';
import { mailPaths } from './mail-api/paths.ts';
import { mailApi } from './mail-api/plugin.ts';
import { MailGate } from './mail-gate.ts';
import { MailOutbox } from './mail-outbox.ts';
import { createBounceReader, createIncomingReader } from './mail-reader.ts';
import { createMailModule } from './module.ts';
import { MailOpens } from './opens.ts';
import { mailPages } from './pages/mail.ts';
import { mailOpenPages } from './pages/mail-opens.ts';
import { mailPart } from './personal-data.ts';
import { receivedMails } from './received.ts';
import { mailRecipients } from './recipients.ts';
import { mailContentReader, mailTextsReader } from './rendered.ts';
import { mailReplies } from './replies.ts';
import { MailTemplates } from './saved-templates.ts';
import { MailSenders } from './senders.ts';
import { sendingSettings } from './sending-settings.ts';
import { serviceMails } from './service-mails.ts';
import { mailSettings } from './settings.ts';
import { SignedTokens } from './signed-tokens.ts';
import { type BounceListener, openBounceListener } from './smtp-server.ts';
import { mailCampaignRoutes } from './v1/campaigns.ts';
import { mailListRoutes } from './v1/lists.ts';
import { mailTemplateRoutes } from './v1/templates.ts';
import { mailTokenRoutes } from './v1/tokens.ts';
import { mailUserRoutes } from './v1/users.ts';

/**
 * Emails submitted without a stored outcome: the maximum that a crash can send twice. An email takes some 40 ms from
 * reading its user to the stored outcome, so this permits 5,000 a second.
 */
const WINDOW = 200;
const WORK_MS = 500;
/** The migration that introduced tokens of 128 bits. */
const LONG_TOKENS = 31;

/** Creates the services of mailing lists and emails. */
async function createServices(context: ChannelContext) {
  const { sql, config, secrets, sandbox, pageBase: base } = context;
  const given = settingsOf(config, mailSettings);
  const settings = sendingSettings(given, publicUrl(config), sandbox?.mail.port);
  const { relay } = settings;
  const lists = await createMailModule({ ...context, base });
  const signedTokens = new SignedTokens(await installationKey(sql, secrets, 'mail-marks'), {
    earlierUntil: await timeOfLongTokens(sql),
  });
  const bounceRecorder = new BounceRecorder({ ...context, ...lists, maxSoft: given.MAIL_SOFT_BOUNCES });
  const route = MAIL_ROUTES + (relay?.name ?? DEFAULT_RELAY);
  const contents = new Contents(sql);
  const common = { ...context, ...lists, ...settings, base, route, contents, signedTokens };
  const outbox = new MailOutbox(common);
  const senders = new MailSenders(context.sources, context.verifySources);
  const mailGate = new MailGate({ gate: context.gate, senders });
  const renderer = new MailRenderer(common);
  return {
    ...lists,
    ...settings,
    bounceRecorder,
    contents,
    renderer,
    confirmations: lists.confirmations(relay && outbox),
    opens: new MailOpens(common),
    replies: mailReplies({ ...common, senders, mailGate, outbox, isSetUp: relay !== undefined }),
    campaigns: new MailCampaigns({ ...common, senders, mailGate, outbox, isSetUp: relay !== undefined }),
    source: new MailCampaignSource(common),
    incoming: new IncomingMails({ ...common, reader: createIncomingReader() }),
    bounces: new MailBounces({ ...common, book: bounceRecorder, reader: createBounceReader() }),
    mailer: relay && serviceMails({ ...common, relay }),
    connectors: relay && relayConnectors(context, { ...relay, name: route }, renderer, settings.dkim),
  };
}

/** The connector of the relay, changeable by operators. `settings` contain the name of its route. */
function relayConnectors(
  { network, connectors, log }: ChannelContext,
  settings: RelaySettings,
  renderer: MailRenderer,
  dkim: DkimSettings | undefined,
) {
  const { name } = settings;
  const current = () => ({
    ...settings,
    mailsPerSecond: network.limitOf(name) ?? settings.mailsPerSecond,
  });
  connectors.offer({
    name,
    protocol: 'smtp',
    channel: 'mail',
    limit: settings.mailsPerSecond,
    try: () => tryRelay(settings),
  });
  return new ChangingConnectors<RelaySettings>({
    network,
    kind: 'own',
    wanted: () => (network.isEnabled(name) ? [current()] : []),
    create: (relay) =>
      new MailConnector(relay, {
        name,
        log,
        read: (message) => renderer.read(message),
        refused: { recipient: status.undelivered, content: status.rejected },
        window: WINDOW,
        dkim,
      }),
    limitOf: ({ mailsPerSecond }) => mailsPerSecond,
    withLimit: (relay, mailsPerSecond) => ({ ...relay, mailsPerSecond }),
  });
}

type Services = Awaited<ReturnType<typeof createServices>>;

/** Its routes under /v1. */
export const routes = [
  ...mailCampaignRoutes,
  ...mailListRoutes,
  ...mailUserRoutes,
  ...mailTemplateRoutes,
  ...mailTokenRoutes,
];

/** Opens email: the relay, mailing lists with their API, campaigns, bounces and complaints. */
export const open: OpenChannel = async (context): Promise<ChannelModule> => {
  const { clock, config } = context;
  const services = await createServices(context);
  const { tokens, contents, confirmations, connectors } = services;
  const deps = { ...context, ...services };
  return {
    delivery: services.bounceRecorder.delivery,
    ...(connectors ? { connectors: connectors.initial, changing: connectors } : { connectors: [] }),
    campaigns: services.source,
    requestOf: (accountId, id) => services.campaigns.requestOf(accountId, id),
    listsOf: (accountId, id) => services.campaigns.listsOf(accountId, id),
    contentOf: mailContentReader(contents),
    textsOf: mailTextsReader(contents),
    personalData: mailPart(context),
    replies: services.replies,
    mailer: services.mailer,
    reactionsTo: (accountId, messageId) => reactionsToMail(context.sql, accountId, messageId),
    evidence: mailEvidence(context.sql),
    received: receivedMails(context.sql),
    recipients: mailRecipients({ sql: context.sql, users: services.users }),
    csv: { audience: 'mail', imports: services.imports, exports: services.exports },
    jobs: jobsOf(services),
    async upkeep() {
      await contents.cleanUp(clock.now(), config.KEEP_DAYS);
      await confirmations.cleanUp();
      await services.incoming.cleanUp();
      await tokens.cleanUp();
    },
    routes: [
      ...bind(mailCampaignRoutes, deps),
      ...bind(mailListRoutes, deps),
      ...bind(mailUserRoutes, deps),
      ...bind(mailTemplateRoutes, { templates: new MailTemplates(context) }),
      ...bind(mailTokenRoutes, { tokens: tokens.lasting }),
    ],
    api: apiOf(context, services),
    async stop() {
      await Promise.all([services.renderer.stop(), services.opens.stop()]);
    },
  };
};

const jobsOf = ({ listWork }: Services): DueJob[] => [
  {
    owner: 'emptied mailing lists',
    everyMs: WORK_MS,
    step: () => listWork.run(),
    due: () => [listWork.due()],
    stop: () => listWork.stop(),
  },
];

function apiOf(context: ChannelContext, services: Services): ChannelApi {
  const { config, sandbox, log } = context;
  const settings = settingsOf(config, mailSettings);
  const aliases = settings.MAIL_API_ALIASES?.split(',') ?? [];
  const port = settings.MAIL_BOUNCE_PORT ?? (sandbox ? 0 : undefined);
  let listener: BounceListener | undefined;
  return {
    aliases: new Map(aliases.map((alias) => [`/api/${alias}`, '/api/Mailer'] as const)),
    canonicalUrl: mailPaths(aliases),
    async register(server, options) {
      await server.register(mailOpenPages, { opens: services.opens, log });
      await server.register(mailPages, { ...context, ...services });
      await server.register(mailApi, { services, tokens: services.tokens, aliases, ...options });
    },
    async listen() {
      if (port === undefined) return;
      listener = await openBounceListener({
        bounces: services.bounces,
        incoming: services.incoming,
        log,
        host: settings.MAIL_BOUNCE_HOST,
        port,
        name: services.bounceDomain ?? config.HOST,
      });
      sandbox?.mail.reportTo(listener.port);
    },
    close: async () => listener?.close(),
  };
}

/** Returns the time at which this installation began to write tokens of 128 bits, in milliseconds since the epoch. */
async function timeOfLongTokens(sql: Sql): Promise<number> {
  const [row] = await sql<{ applied_at: number }[]>`
    SELECT applied_at FROM migrations WHERE number = ${LONG_TOKENS}`;
  return row?.applied_at ?? 0;
}
