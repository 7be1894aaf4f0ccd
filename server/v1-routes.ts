import type { Subscribers } from './accounts/subscribers.ts';
import type { Foundation } from './app-context.ts';
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
import type { Rooms } from './modules.ts';
import type { SandboxHandle } from './sandbox-handle.ts';
import type { Language } from './text/language.ts';

/** What the routes need beside the rooms. */
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
  foundation: Foundation,
  rooms: Rooms,
  needs: V1Needs,
  sandbox: SandboxHandle | undefined,
): BoundRoute[] {
  const { config, clock, numbers, wallets, people } = foundation;
  const { sql } = foundation.database;
  const { contactLists, csvJobs, imports, exports, blacklist, links, events, chat, mail, mailSending } =
    rooms;
  const { requestLog, hours, progress, sending } = rooms;
  const { control } = rooms.campaigns;
  const { acceptor, canceller, subscribers, hub, verifying, removalWord } = needs;
  const { trunks } = rooms.carriers;
  const finishing = { sql, clock, connectors: rooms.carriers.links };
  const sendingText = {
    ...foundation,
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
    ...bind(tokenRoutes, foundation),
    ...bind(accountPasswordRoutes, foundation),
    ...bind(webhookRoutes, { events }),
    ...bind(webhookDeliveryRoutes, { events }),
    ...bind(requestLogRoutes, { requestLog }),
    ...bind(walletRoutes, { ...foundation, subscribers }),
    ...bind(subscriberRoutes, { ...foundation, subscribers }),
    ...bind(sourceRoutes, { ...foundation, ...verifying }),
    ...bind(operatorAccountRoutes, foundation),
    ...bind(operatorSenderRoutes, foundation),
    ...bind(operatorPriceRoutes, foundation),
    ...bind(operatorChatRoutes, { ...foundation, chatNumbers: chat.chatNumbers }),
    ...bind(operatorNetworkRoutes, {
      ...foundation,
      sql,
      events,
      trunks,
      voice: rooms.voice,
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
    ...bind(messageRoutes, { sql, clock, numbers, hours, events }),
    ...bind([...shipmentRoutes, ...campaignRoutes], { sql, progress, canceller, control }),
    ...bind(smsRoutes, {
      acceptor,
      wallets,
      estimator: { ...sending, ...finishing, trunks },
      sending: sendingText,
      voice: rooms.voice,
    }),
    ...bind(speechRoutes, { voice: rooms.voice }),
    ...bind(chatSendingRoutes, { ...chat, wallets, clock, finishing }),
    ...bind(overviewRoutes, { sql, hours, clock, defaultZone: config.TIME_ZONE }),
    ...bind(liveRoutes, { hub, numbers }),
    ...bind(sessionRoutes, foundation),
    ...bind(secondFactorRoutes, people),
    ...bind(peopleRoutes, people),
    ...bind(peopleRulesRoutes, people),
    ...bind(auditRoutes, people),
    ...rooms.opened.flatMap(({ module }) => module.routes ?? []),
  ];
}
