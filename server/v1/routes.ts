import type { ChannelContext } from '../channels/module.ts';
import { contentReaderOf, type OpenedChannel, reactionReaderOf, requestReaderOf } from '../channels/open.ts';
import { type BoundRoute, bind } from '../interfaces/v1/kit/route.ts';
import type { LiveHub } from '../live/hub.ts';
import { budgetRoutes } from './account/budgets.ts';
import { accountPasswordRoutes } from './account/password.ts';
import { requestLogRoutes } from './account/request-log.ts';
import { retentionRoutes } from './account/retention.ts';
import { accountSettingsRoutes } from './account/settings.ts';
import { subscriberRoutes } from './account/subscribers.ts';
import { tokenRoutes } from './account/tokens.ts';
import { walletRoutes } from './account/wallet.ts';
import { alertRoutes, operatorAlertRoutes } from './alerts/routes.ts';
import { draftRoutes } from './campaigns/drafts.ts';
import { campaignRoutes, shipmentRoutes } from './campaigns/routes.ts';
import { consentRoutes } from './consents/routes.ts';
import { blacklistRoutes } from './contacts/blacklist.ts';
import { contactRoutes } from './contacts/contacts.ts';
import { csvJobRoutes } from './contacts/csv-jobs.ts';
import { contactListRoutes } from './contacts/lists.ts';
import { labelRoutes } from './conversations/labels.ts';
import { replyRoutes } from './conversations/replies.ts';
import { conversationRoutes } from './conversations/routes.ts';
import { conversationRuleRoutes } from './conversations/rules.ts';
import { savedReplyRoutes } from './conversations/saved-replies.ts';
import { conversationSettingsRoutes } from './conversations/settings.ts';
import { dataSubjectRoutes } from './data-subjects/routes.ts';
import { linkRoutes } from './messages/links.ts';
import { liveRoutes } from './messages/live.ts';
import { mediaRoutes } from './messages/media.ts';
import { otpRoutes } from './messages/otp.ts';
import { overviewRoutes } from './messages/overview.ts';
import { messageRoutes } from './messages/routes.ts';
import { operatorAccountRoutes } from './operator/accounts.ts';
import { operatorCarrierRoutes } from './operator/carrier-routes.ts';
import { operatorConnectorRoutes } from './operator/connectors.ts';
import { operatorDestinationRoutes } from './operator/destinations.ts';
import { operatorNetworkRoutes } from './operator/network.ts';
import { operatorOverviewRoutes } from './operator/overview.ts';
import { operatorPriceRoutes } from './operator/prices.ts';
import { operatorSenderRoutes } from './operator/senders.ts';
import { operatorWebhookRoutes } from './operator/webhooks.ts';
import { operatorWorkRoutes } from './operator/work.ts';
import { agentRoutes } from './people/agents.ts';
import { auditRoutes } from './people/audit.ts';
import { passkeyRoutes } from './people/passkeys.ts';
import { peopleRoutes } from './people/people.ts';
import { proofRoutes } from './people/proof.ts';
import { providerSessionRoutes } from './people/provider-session.ts';
import { peopleRulesRoutes } from './people/rules.ts';
import { secondFactorRoutes } from './people/second-factor.ts';
import { sessionRoutes } from './people/session.ts';
import { signInProviderRoutes } from './people/sign-in-providers.ts';
import { codeRoutes } from './sending/codes.ts';
import { sendingPolicyRoutes } from './sending/policy.ts';
import { sourceRoutes } from './sending/senders.ts';
import { webhookDeliveryRoutes } from './webhooks/deliveries.ts';
import { webhookEventRoutes } from './webhooks/events.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { eventRoutes } from './webhooks/stream.ts';

/** Every route under /v1, with what it needs: those of the modules, then those of each channel. */
export function v1Routes(
  context: ChannelContext,
  hub: LiveHub,
  opened: readonly OpenedChannel[],
): BoundRoute[] {
  const { people, sandbox } = context;
  const network = { ...context, trunks: context.network.trunks, sandbox: sandbox?.controls };
  const withContents = {
    ...context,
    contentOf: contentReaderOf(opened),
    reactionsTo: reactionReaderOf(opened),
    requestOf: requestReaderOf(opened),
  };
  return [
    ...bind(contactListRoutes, context),
    ...bind(csvJobRoutes, context),
    ...bind(contactRoutes, context),
    ...bind(blacklistRoutes, context),
    ...bind(tokenRoutes, context),
    ...bind(accountSettingsRoutes, context),
    ...bind(accountPasswordRoutes, context),
    ...bind(webhookRoutes, context),
    ...bind(webhookDeliveryRoutes, context),
    ...bind(webhookEventRoutes, context),
    ...bind(eventRoutes, context),
    ...bind(requestLogRoutes, context),
    ...bind(budgetRoutes, context),
    ...bind(dataSubjectRoutes, context),
    ...bind(consentRoutes, context),
    ...bind(walletRoutes, context),
    ...bind(subscriberRoutes, context),
    ...bind(sourceRoutes, context),
    ...bind(sendingPolicyRoutes, context),
    ...bind(operatorOverviewRoutes, context),
    ...bind(operatorAccountRoutes, context),
    ...bind(operatorSenderRoutes, context),
    ...bind(operatorPriceRoutes, context),
    ...bind(operatorDestinationRoutes, context),
    ...bind(operatorNetworkRoutes, network),
    ...bind(operatorWebhookRoutes, context),
    ...bind(operatorWorkRoutes, context),
    ...bind(operatorConnectorRoutes, context),
    ...bind(operatorCarrierRoutes, context),
    ...bind(alertRoutes, context),
    ...bind(operatorAlertRoutes, context),
    ...bind(otpRoutes, context),
    ...bind(codeRoutes, { ...context, sending: context }),
    ...bind(linkRoutes, context),
    ...bind(mediaRoutes, context),
    ...bind(messageRoutes, withContents),
    ...bind([...shipmentRoutes, ...campaignRoutes], withContents),
    ...bind(draftRoutes, context),
    ...bind(overviewRoutes, context),
    ...bind(liveRoutes, { ...context, hub }),
    ...bind(sessionRoutes, context),
    ...bind(secondFactorRoutes, people),
    ...bind(passkeyRoutes, context),
    ...bind(proofRoutes, context),
    ...bind(providerSessionRoutes, context),
    ...bind(signInProviderRoutes, context),
    ...bind(peopleRoutes, people),
    ...bind(agentRoutes, people),
    ...bind(conversationRoutes, withContents),
    ...bind(replyRoutes, withContents),
    ...bind(labelRoutes, context),
    ...bind(savedReplyRoutes, context),
    ...bind(conversationRuleRoutes, context),
    ...bind(conversationSettingsRoutes, context),
    ...bind(peopleRulesRoutes, people),
    ...bind(retentionRoutes, context),
    ...bind(auditRoutes, people),
    ...opened.flatMap(({ module }) => module.routes ?? []),
  ];
}
