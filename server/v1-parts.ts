import type { Subscribers } from './accounts/subscribers.ts';
import type { Foundation } from './foundation.ts';
import { accountPasswordPart } from './interfaces/v1/account-password.ts';
import { auditPart } from './interfaces/v1/audit.ts';
import { blacklistPart } from './interfaces/v1/blacklist.ts';
import { chatCampaignsPart } from './interfaces/v1/chat-campaigns.ts';
import { chatNumbersPart } from './interfaces/v1/chat-numbers.ts';
import { chatSendingPart } from './interfaces/v1/chat-sending.ts';
import { chatTemplatesPart } from './interfaces/v1/chat-templates.ts';
import { contactListsPart } from './interfaces/v1/contact-lists.ts';
import { contactsPart } from './interfaces/v1/contacts.ts';
import { csvJobsPart } from './interfaces/v1/csv-jobs.ts';
import type { V1Part } from './interfaces/v1/door.ts';
import { linksPart } from './interfaces/v1/links.ts';
import { livePart } from './interfaces/v1/live.ts';
import { mailCampaignsPart } from './interfaces/v1/mail-campaigns.ts';
import { mailListsPart } from './interfaces/v1/mail-lists.ts';
import { mailTokensPart } from './interfaces/v1/mail-tokens.ts';
import { mailUsersPart } from './interfaces/v1/mail-users.ts';
import { messagesPart } from './interfaces/v1/messages.ts';
import { operatorPart } from './interfaces/v1/operator.ts';
import { operatorChatPart } from './interfaces/v1/operator-chat.ts';
import { operatorNetworkPart } from './interfaces/v1/operator-network.ts';
import { operatorPricesPart } from './interfaces/v1/operator-prices.ts';
import { operatorSendersPart } from './interfaces/v1/operator-senders.ts';
import { otpPart } from './interfaces/v1/otp.ts';
import { overviewPart } from './interfaces/v1/overview.ts';
import { peoplePart } from './interfaces/v1/people.ts';
import { peopleRulesPart } from './interfaces/v1/people-rules.ts';
import { requestLogPart } from './interfaces/v1/request-log.ts';
import { secondFactorPart } from './interfaces/v1/second-factor.ts';
import { sessionPart } from './interfaces/v1/session.ts';
import { shipmentsPart } from './interfaces/v1/shipments.ts';
import { smsPart } from './interfaces/v1/sms.ts';
import { sourcesPart } from './interfaces/v1/sources.ts';
import { speechPart } from './interfaces/v1/speech.ts';
import { subscribersPart } from './interfaces/v1/subscribers.ts';
import { tokensPart } from './interfaces/v1/tokens.ts';
import { walletsPart } from './interfaces/v1/wallets.ts';
import { webhookDeliveriesPart } from './interfaces/v1/webhook-deliveries.ts';
import { webhooksPart } from './interfaces/v1/webhooks.ts';
import type { LiveHub } from './live/hub.ts';
import type { Acceptor } from './messages/accept.ts';
import type { Canceller } from './messages/cancel.ts';
import type { PhoneVerifier } from './messages/phone-verifier.ts';
import type { Rooms } from './rooms.ts';
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

/** The parts of the door /v1. */
export function v1Parts(
  foundation: Foundation,
  rooms: Rooms,
  needs: V1Needs,
  sandbox: SandboxHandle | undefined,
): V1Part[] {
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
    contactListsPart({ contactLists, imports, exports }),
    csvJobsPart({ csvJobs, exports }),
    contactsPart({ contactLists, imports, numbers }),
    blacklistPart({ blacklist, imports, numbers, clock }),
    tokensPart(foundation),
    accountPasswordPart(foundation),
    webhooksPart({ events }),
    webhookDeliveriesPart({ events }),
    requestLogPart({ requestLog }),
    walletsPart({ ...foundation, subscribers }),
    subscribersPart({ ...foundation, subscribers }),
    sourcesPart({ ...foundation, ...verifying }),
    operatorPart(foundation),
    operatorSendersPart(foundation),
    operatorPricesPart(foundation),
    operatorChatPart({ ...foundation, chatNumbers: chat.chatNumbers }),
    operatorNetworkPart({
      ...foundation,
      sql,
      events,
      trunks,
      voice: rooms.voice,
      sandbox: sandbox?.controls,
    }),
    otpPart({ sql, clock }),
    chatNumbersPart(chat),
    chatTemplatesPart({ ...chat, numbers, clock }),
    chatCampaignsPart({ sql, campaigns: chat.campaigns, canceller }),
    linksPart({ sql, links }),
    mailCampaignsPart({ sql, campaigns: mailSending.campaigns, canceller }),
    mailListsPart(mail),
    mailUsersPart(mail),
    mailTokensPart({ tokens: mail.tokens.lasting }),
    messagesPart({ sql, clock, numbers, hours, events }),
    shipmentsPart({ sql, progress, canceller, control }),
    smsPart({
      acceptor,
      wallets,
      estimator: { ...sending, ...finishing, trunks },
      sending: sendingText,
      voice: rooms.voice,
    }),
    speechPart({ voice: rooms.voice }),
    chatSendingPart({ ...chat, wallets, clock, finishing }),
    overviewPart({ sql, hours, clock, defaultZone: config.TIME_ZONE }),
    livePart({ hub, numbers }),
    sessionPart({
      ...foundation,
    }),
    secondFactorPart(people),
    peoplePart(people),
    peopleRulesPart(people),
    auditPart(people),
  ];
}
