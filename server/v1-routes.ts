import type { Subscribers } from './accounts/subscribers.ts';
import type { AppContext } from './app-context.ts';
import { accountPasswordRoutes } from './interfaces/v1/account-password.ts';
import { auditRoutes } from './interfaces/v1/audit.ts';
import { blacklistRoutes } from './interfaces/v1/blacklist.ts';
import { chatCampaignRoutes } from './interfaces/v1/chat-campaigns.ts';
import { chatNumberRoutes } from './interfaces/v1/chat-numbers.ts';
import { chatSendingRoutes } from './interfaces/v1/chat-sending.ts';
import { chatTemplateRoutes } from './interfaces/v1/chat-templates.ts';
import { contactListRoutes } from './interfaces/v1/contact-lists.ts';
import { contactRoutes } from './interfaces/v1/contacts.ts';
import { csvJobRoutes } from './interfaces/v1/csv-jobs.ts';
import { type BoundRoute, bind } from './interfaces/v1/kit/route.ts';
import { linkRoutes } from './interfaces/v1/links.ts';
import { liveRoutes } from './interfaces/v1/live.ts';
import { mailCampaignRoutes } from './interfaces/v1/mail-campaigns.ts';
import { mailListRoutes } from './interfaces/v1/mail-lists.ts';
import { mailTokenRoutes } from './interfaces/v1/mail-tokens.ts';
import { mailUserRoutes } from './interfaces/v1/mail-users.ts';
import { messageRoutes } from './interfaces/v1/messages.ts';
import { operatorAccountRoutes } from './interfaces/v1/operator.ts';
import { operatorChatRoutes } from './interfaces/v1/operator-chat.ts';
import { operatorNetworkRoutes } from './interfaces/v1/operator-network.ts';
import { operatorPriceRoutes } from './interfaces/v1/operator-prices.ts';
import { operatorSenderRoutes } from './interfaces/v1/operator-senders.ts';
import { otpRoutes } from './interfaces/v1/otp.ts';
import { overviewRoutes } from './interfaces/v1/overview.ts';
import { peopleRoutes } from './interfaces/v1/people.ts';
import { peopleRulesRoutes } from './interfaces/v1/people-rules.ts';
import { requestLogRoutes } from './interfaces/v1/request-log.ts';
import { secondFactorRoutes } from './interfaces/v1/second-factor.ts';
import { sessionRoutes } from './interfaces/v1/session.ts';
import { campaignRoutes, shipmentRoutes } from './interfaces/v1/shipments.ts';
import { smsRoutes } from './interfaces/v1/sms.ts';
import { sourceRoutes } from './interfaces/v1/sources.ts';
import { speechRoutes } from './interfaces/v1/speech.ts';
import { subscriberRoutes } from './interfaces/v1/subscribers.ts';
import { tokenRoutes } from './interfaces/v1/tokens.ts';
import { walletRoutes } from './interfaces/v1/wallets.ts';
import { webhookDeliveryRoutes } from './interfaces/v1/webhook-deliveries.ts';
import { webhookRoutes } from './interfaces/v1/webhooks.ts';
import type { LiveHub } from './live/hub.ts';
import type { Acceptor } from './messages/accept.ts';
import type { Canceller } from './messages/cancel.ts';
import type { PhoneVerifier } from './messages/phone-verifier.ts';
import type { Modules } from './modules.ts';
import type { SandboxHandle } from './sandbox-handle.ts';
import type { Language } from './text/language.ts';

/** What the routes need beside the modules. */
export interface V1Needs {
  readonly acceptor: Acceptor;
  readonly canceller: Canceller;
  readonly subscribers: Subscribers;
  readonly hub: LiveHub;
  readonly verifying: {
    readonly phoneVerifier: PhoneVerifier;
    readonly verifySources: boolean;
  };
  readonly removalWord: (language: Language) => string;
}

/** Every route under /v1, with what it needs. */
export function v1Routes(
  appContext: AppContext,
  modules: Modules,
  needs: V1Needs,
  sandbox: SandboxHandle | undefined,
): BoundRoute[] {
  const { config, clock, numbers, wallets, people } = appContext;
  const { sql } = appContext.database;
  const { contactLists, csvJobs, imports, exports, blacklist, links, events, chat, mail, mailSending } =
    modules;
  const { requestLog, hourlyStatistics, progress, sending } = modules;
  const { control } = modules.campaigns;
  const { acceptor, canceller, subscribers, hub, verifying, removalWord } = needs;
  const { trunks } = modules.carriers;
  const finishing = { sql, clock, connectors: modules.carriers.connectors };
  const sendingText = {
    ...appContext,
    contactLists,
    links,
    removalWord,
    verifySources: verifying.verifySources,
  };
  return [
    ...bind(contactListRoutes, { contactLists, imports, exports }),
    ...bind(csvJobRoutes, { csvJobs, exports }),
    ...bind(contactRoutes, { contactLists, imports, numbers }),
    ...bind(blacklistRoutes, { blacklist, imports, numbers, clock }),
    ...bind(tokenRoutes, appContext),
    ...bind(accountPasswordRoutes, appContext),
    ...bind(webhookRoutes, { events }),
    ...bind(webhookDeliveryRoutes, { events }),
    ...bind(requestLogRoutes, { requestLog }),
    ...bind(walletRoutes, { ...appContext, subscribers }),
    ...bind(subscriberRoutes, { ...appContext, subscribers }),
    ...bind(sourceRoutes, { ...appContext, ...verifying }),
    ...bind(operatorAccountRoutes, appContext),
    ...bind(operatorSenderRoutes, appContext),
    ...bind(operatorPriceRoutes, appContext),
    ...bind(operatorChatRoutes, { ...appContext, chatNumbers: chat.chatNumbers }),
    ...bind(operatorNetworkRoutes, {
      ...appContext,
      sql,
      events,
      trunks,
      voice: modules.voice,
      sandbox: sandbox?.controls,
    }),
    ...bind(otpRoutes, { sql, clock }),
    ...bind(chatNumberRoutes, chat),
    ...bind(chatTemplateRoutes, { ...chat, numbers, clock }),
    ...bind(chatCampaignRoutes, { sql, campaigns: chat.campaigns, canceller }),
    ...bind(linkRoutes, { sql, links }),
    ...bind(mailCampaignRoutes, { sql, campaigns: mailSending.campaigns, canceller }),
    ...bind(mailListRoutes, mail),
    ...bind(mailUserRoutes, mail),
    ...bind(mailTokenRoutes, { tokens: mail.tokens.lasting }),
    ...bind(messageRoutes, { sql, clock, numbers, hourlyStatistics, events }),
    ...bind([...shipmentRoutes, ...campaignRoutes], { sql, progress, canceller, control }),
    ...bind(smsRoutes, {
      acceptor,
      wallets,
      estimator: { ...sending, ...finishing, trunks },
      sending: sendingText,
      voice: modules.voice,
    }),
    ...bind(speechRoutes, { voice: modules.voice }),
    ...bind(chatSendingRoutes, { ...chat, wallets, clock, finishing }),
    ...bind(overviewRoutes, { sql, hourlyStatistics, clock, defaultZone: config.TIME_ZONE }),
    ...bind(liveRoutes, { hub, numbers }),
    ...bind(sessionRoutes, appContext),
    ...bind(secondFactorRoutes, people),
    ...bind(peopleRoutes, people),
    ...bind(peopleRulesRoutes, people),
    ...bind(auditRoutes, people),
    ...modules.opened.flatMap(({ module }) => module.routes ?? []),
  ];
}
