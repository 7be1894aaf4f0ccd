import { CONTACT_PATH, contactPage } from '../../api/public-pages/contact.ts';
import { bind } from '../../api/v1/kit/route.ts';
import type { DueJob } from '../../database/due-look.ts';
import { settingsOf } from '../../kit/config.ts';
import { MediaCheck } from '../../kit/http/media-check.ts';
import { createGuardedAgent } from '../../kit/http/ssrf-guard.ts';
import type { ValuesOf } from '../../kit/setting.ts';
import { TlsPeer } from '../../kit/tls-faults.ts';
import { ChatPlatformClient } from '../../protocols/chat-platform/client.ts';
import { publicUrl } from '../../run/app-context.ts';
import type { ChannelApi, ChannelContext, ChannelModule, OpenChannel } from '../module.ts';
import { ChatNumbers } from './business-numbers.ts';
import { ChatCampaignSource } from './campaign-source.ts';
import { Campaigns } from './campaigns.ts';
import { chatApi } from './chat-api/plugin.ts';
import { ChatConnectors } from './connectors.ts';
import { chatEvidence } from './evidence.ts';
import { chatFallback } from './fallback.ts';
import { ChatInbound } from './inbound.ts';
import { IncomingMessages } from './incoming-messages.ts';
import { MEDIA_ORIGIN, mediaFetcher } from './media-fetch.ts';
import { templateMediaCheck } from './media-rules.ts';
import { OptOuts } from './opt-outs.ts';
import { OutgoingMedia } from './outgoing-media.ts';
import { chatPart } from './personal-data.ts';
import { receivedChats } from './received.ts';
import { chatContentReader, chatTextsReader } from './rendered.ts';
import { chatReplies } from './replies.ts';
import { chatDelivery } from './reversal.ts';
import { ChatSender } from './sender.ts';
import { chatSettings } from './settings.ts';
import { Standings } from './standings.ts';
import { Templates } from './templates.ts';
import { chatNumberRoutes } from './v1/business-numbers.ts';
import { chatCampaignRoutes } from './v1/campaigns.ts';
import { chatFreeFormRoutes } from './v1/free-form.ts';
import { operatorChatRoutes } from './v1/operator.ts';
import { chatSendingRoutes } from './v1/sending.ts';
import { chatTemplateRoutes } from './v1/templates.ts';
import { CHAT_WEBHOOKS_PATH, chatWebhooks } from './webhooks.ts';

const DAY = 86_400_000;
/** Milliseconds for which delivery of a message is attempted. */
const VALIDITY_MS = DAY;
/** Milliseconds between fetches of templates that were created elsewhere. */
const SYNC_MS = 3_600_000;
/**
 * Messages of one number in parallel: the maximum that a crash can send twice, unless the platform's webhooks report
 * which were accepted. At the platform's usual response time of 100 ms this permits 1,000 a second.
 */
const WINDOW = 100;
const WORK_MS = 1_000;

/** Returns the address and secrets of the platform from the settings. */
const platformOf = (settings: ValuesOf<typeof chatSettings>) => ({
  url: settings.CHAT_PLATFORM_URL,
  appId: settings.CHAT_APP_ID ?? '',
  appSecret: settings.CHAT_APP_SECRET ?? '',
  verifyToken: settings.CHAT_VERIFY_TOKEN ?? '',
});

/** Creates the services of chat. */
function createServices(context: ChannelContext) {
  const { config, log, sandbox, allowPrivate, numbers } = context;
  const settings = settingsOf(config, chatSettings);
  const platform = sandbox?.chat ?? platformOf(settings);
  const client = new ChatPlatformClient({
    baseUrl: platform.url,
    contactPage: publicUrl(config) + CONTACT_PATH,
    tlsPeer: new TlsPeer('chat', log),
  });
  const agent = createGuardedAgent({ allowPrivate });
  const media = new MediaCheck({ agent, mode: settings.MEDIA_CHECK });
  const chatNumbers = new ChatNumbers(context);
  const ofNumbers = { ...context, numbers: chatNumbers };
  const templates = new Templates({
    ...ofNumbers,
    platform: client,
    appId: platform.appId,
    media: agent,
    syncEveryMs: SYNC_MS,
  });
  const optOuts = new OptOuts(ofNumbers);
  context.mediaFetches.addFetcher(MEDIA_ORIGIN, mediaFetcher({ client, numbers: chatNumbers, agent }));
  const common = {
    ...context,
    chatNumbers,
    templates,
    checkMedia: templateMediaCheck(media),
    forgetUnansweredMs: settings.CHAT_UNANSWERED_DAYS * DAY,
    validityMs: VALIDITY_MS,
  };
  return {
    platform,
    client,
    agent,
    media,
    chatNumbers,
    templates,
    sender: new ChatSender({ ...common, numbers: chatNumbers, reader: numbers }),
    campaigns: new Campaigns(common),
    source: new ChatCampaignSource(common),
    inbound: new ChatInbound({
      ...ofNumbers,
      templates,
      standings: new Standings({ ...ofNumbers, platform: client }),
      messages: new IncomingMessages({ ...ofNumbers, optOuts }),
      optOuts,
    }),
  };
}

type Services = ReturnType<typeof createServices>;

export { discardings } from './lost-secrets.ts';

/** Its routes under /v1. */
export const routes = [
  ...operatorChatRoutes,
  ...chatNumberRoutes,
  ...chatTemplateRoutes,
  ...chatCampaignRoutes,
  ...chatSendingRoutes,
  ...chatFreeFormRoutes,
];

/** Opens chat: the client of the platform, a connector for each business number, the chat API and the webhooks. */
export const open: OpenChannel = async (context): Promise<ChannelModule> => {
  const services = createServices(context);
  const { client, agent, chatNumbers, templates, inbound } = services;
  const { config, network, sandbox } = context;
  let connectors: ChatConnectors | undefined;
  const finishing = { ...context, connectors: network.smsConnectors };
  const deps = { ...context, ...services, finishing };
  return {
    delivery: chatDelivery,
    requestOf: (accountId, id) => services.campaigns.requestOf(accountId, id),
    listsOf: (accountId, id) => services.campaigns.listsOf(accountId, id),
    connectors: [],
    changing: {
      async start(holder) {
        connectors = new ChatConnectors({
          client,
          numbers: chatNumbers,
          outgoingMedia: new OutgoingMedia({ media: context.media, client }),
          holder,
          log: context.log,
          window: WINDOW,
          clientPauseMs: sandbox ? 0 : settingsOf(config, chatSettings).CHAT_CLIENT_PAUSE_MS,
        });
        await connectors.start();
      },
      stop: async () => connectors?.stop(),
    },
    campaigns: services.source,
    contentOf: chatContentReader(context.sql, templates),
    textsOf: chatTextsReader(context.sql),
    personalData: chatPart(context),
    evidence: chatEvidence(context.sql),
    fallback: chatFallback(services),
    received: receivedChats(context.sql),
    replies: chatReplies({ ...deps, files: context.media }),
    jobs: jobsOf(services),
    upkeep: () => inbound.cleanUp(),
    routes: [
      ...bind(operatorChatRoutes, deps),
      ...bind(chatNumberRoutes, deps),
      ...bind(chatTemplateRoutes, deps),
      ...bind(chatCampaignRoutes, deps),
      ...bind(chatSendingRoutes, deps),
      ...bind(chatFreeFormRoutes, deps),
    ],
    api: apiOf(context, services),
    async stop(graceMs) {
      await templates.stop();
      await client.close(graceMs);
      await agent.close();
    },
  };
};

const jobsOf = ({ templates, inbound }: Services): DueJob[] => [
  { owner: 'template fetches', everyMs: WORK_MS, step: () => templates.ensureSyncs() },
  { owner: 'early chat statuses', everyMs: WORK_MS, step: () => inbound.retryEarly() },
];

function apiOf(context: ChannelContext, services: Services): ChannelApi {
  const { config, sandbox } = context;
  const { appSecret, verifyToken } = services.platform;
  const aliases = settingsOf(config, chatSettings).CHAT_API_ALIASES?.split(',') ?? [];
  return {
    aliases: new Map(
      aliases.map((alias) => [`/${alias.split('/').filter(Boolean).join('/')}`, '/chat-api'] as const),
    ),
    async register(server, options) {
      await server.register(contactPage, context);
      await server.register(chatApi, { services: { ...context, ...services }, aliases, ...options });
      if (appSecret === '') return;
      await server.register(chatWebhooks, {
        inbound: services.inbound,
        clock: context.clock,
        log: context.log,
        appSecret,
        verifyToken,
      });
    },
    listen: async (address) => sandbox?.chat.subscribe(address + CHAT_WEBHOOKS_PATH),
  };
}
