import type { ChannelContext } from './channels/module.ts';
import { contentReaderOf, type OpenedChannel, reactionReaderOf, requestReaderOf } from './channels/open.ts';
import { accountPasswordRoutes } from './interfaces/v1/account/password.ts';
import { requestLogRoutes } from './interfaces/v1/account/request-log.ts';
import { accountSettingsRoutes } from './interfaces/v1/account/settings.ts';
import { subscriberRoutes } from './interfaces/v1/account/subscribers.ts';
import { tokenRoutes } from './interfaces/v1/account/tokens.ts';
import { walletRoutes } from './interfaces/v1/account/wallet.ts';
import { draftRoutes } from './interfaces/v1/campaigns/drafts.ts';
import { campaignRoutes, shipmentRoutes } from './interfaces/v1/campaigns/routes.ts';
import { blacklistRoutes } from './interfaces/v1/contacts/blacklist.ts';
import { contactRoutes } from './interfaces/v1/contacts/contacts.ts';
import { csvJobRoutes } from './interfaces/v1/contacts/csv-jobs.ts';
import { contactListRoutes } from './interfaces/v1/contacts/lists.ts';
import { type BoundRoute, bind } from './interfaces/v1/kit/route.ts';
import { linkRoutes } from './interfaces/v1/messages/links.ts';
import { liveRoutes } from './interfaces/v1/messages/live.ts';
import { otpRoutes } from './interfaces/v1/messages/otp.ts';
import { overviewRoutes } from './interfaces/v1/messages/overview.ts';
import { messageRoutes } from './interfaces/v1/messages/routes.ts';
import { operatorAccountRoutes } from './interfaces/v1/operator/accounts.ts';
import { operatorNetworkRoutes } from './interfaces/v1/operator/network.ts';
import { operatorPriceRoutes } from './interfaces/v1/operator/prices.ts';
import { operatorSenderRoutes } from './interfaces/v1/operator/senders.ts';
import { auditRoutes } from './interfaces/v1/people/audit.ts';
import { peopleRoutes } from './interfaces/v1/people/people.ts';
import { peopleRulesRoutes } from './interfaces/v1/people/rules.ts';
import { secondFactorRoutes } from './interfaces/v1/people/second-factor.ts';
import { sessionRoutes } from './interfaces/v1/people/session.ts';
import { sourceRoutes } from './interfaces/v1/sending/senders.ts';
import { webhookDeliveryRoutes } from './interfaces/v1/webhooks/deliveries.ts';
import { webhookEventRoutes } from './interfaces/v1/webhooks/events.ts';
import { webhookRoutes } from './interfaces/v1/webhooks/routes.ts';
import type { LiveHub } from './live/hub.ts';

/** Every route under /v1, with what it needs: those of the modules, then those of each channel. */
export function v1Routes(
  context: ChannelContext,
  hub: LiveHub,
  opened: readonly OpenedChannel[],
): BoundRoute[] {
  const { people, carriers, sandbox } = context;
  const network = { ...context, trunks: carriers.trunks, sandbox: sandbox?.controls };
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
    ...bind(requestLogRoutes, context),
    ...bind(walletRoutes, context),
    ...bind(subscriberRoutes, context),
    ...bind(sourceRoutes, context),
    ...bind(operatorAccountRoutes, context),
    ...bind(operatorSenderRoutes, context),
    ...bind(operatorPriceRoutes, context),
    ...bind(operatorNetworkRoutes, network),
    ...bind(otpRoutes, context),
    ...bind(linkRoutes, context),
    ...bind(messageRoutes, withContents),
    ...bind([...shipmentRoutes, ...campaignRoutes], withContents),
    ...bind(draftRoutes, context),
    ...bind(overviewRoutes, context),
    ...bind(liveRoutes, { ...context, hub }),
    ...bind(sessionRoutes, context),
    ...bind(secondFactorRoutes, people),
    ...bind(peopleRoutes, people),
    ...bind(peopleRulesRoutes, people),
    ...bind(auditRoutes, people),
    ...opened.flatMap(({ module }) => module.routes ?? []),
  ];
}
