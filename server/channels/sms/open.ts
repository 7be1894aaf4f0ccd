import { smsApi } from '../../api/sms/plugin.ts';
import { bind } from '../../api/v1/kit/route.ts';
import { ChangingConnectors, joined } from '../../engine/connectors/changing.ts';
import { tryHttpCarrier } from '../../protocols/http-carrier/trial.ts';
import { SmppConnector } from '../../protocols/smpp/connector.ts';
import { partOfSmpp, type SmppConnectorSettings } from '../../protocols/smpp/settings.ts';
import { httpConnectors } from '../http-connectors.ts';
import type { ChannelApi, ChannelContext, OpenChannel } from '../module.ts';
import { smsFallback } from '../phone-fallbacks.ts';
import { statusHooks } from '../status-hooks.ts';
import { listsOfSms } from './campaign-lists.ts';
import { smsChannel } from './channel.ts';
import { smsEvidence } from './evidence.ts';
import { carrierRequestsApi } from './http-carriers/plugin.ts';
import { ListCampaignSource } from './list-campaigns.ts';
import { receivedSms } from './received.ts';
import { repeatedSms } from './repeated.ts';
import { smsReplies } from './replies.ts';
import { smsRoutes } from './v1.ts';

/** Its routes under /v1. */
export const routes = [...smsRoutes];

/** Opens SMS: its connectors, sends to contact lists, `POST /api`, and the requests of providers. */
export const open: OpenChannel = async (context) => {
  const { network } = context;
  const estimator = { ...context, connectors: network.smsConnectors, trunks: network.callTrunks };
  for (const settings of network.configured.http) {
    context.connectors.offer({
      name: settings.name,
      ...{ protocol: 'http', channel: settings.description.channel },
      limit: settings.messagesPerSecond,
      try: () => tryHttpCarrier(settings, context.allowPrivate),
    });
  }
  return {
    delivery: statusHooks(smsChannel),
    ...(context.has('dispatch') ? connectorsOf(context) : { connectors: [] }),
    campaigns: new ListCampaignSource(context),
    requestOf: (accountId, id) => repeatedSms(context, accountId, id),
    listsOf: (accountId, id) => listsOfSms(context, accountId, id),
    evidence: smsEvidence(context.sql),
    fallback: smsFallback(context),
    received: receivedSms(context.sql),
    replies: smsReplies(context),
    routes: bind(smsRoutes, { ...context, estimator, sending: context }),
    api: apiOf(context),
  };
};

function connectorsOf(context: ChannelContext) {
  const { network } = context;
  const smpp = new ChangingConnectors<SmppConnectorSettings>({
    ...{ network, kind: 'general', wanted: network.connectors },
    limitOf: ({ messagesPerSecond }) => messagesPerSecond,
    create: (settings) => new SmppConnector(settings, context),
    withLimit: (settings, messagesPerSecond) => ({ ...settings, messagesPerSecond }),
    parts: { maxOf: ({ binds, window }) => Math.min(binds, window), of: partOfSmpp },
  });
  return joined(smpp, httpConnectors(context, 'general', network.httpCarriers));
}

const apiOf = (context: ChannelContext): ChannelApi => ({
  async register(server, options) {
    await server.register(smsApi, { services: context, ...options });
    const { network, receipts, inbound, clock, log, pageBase } = context;
    await server.register(carrierRequestsApi, {
      // A disabled connector still gets reports about messages that it has sent.
      carriers: network.allHttpCarriers,
      ...{ clock, log, publicUrl: pageBase },
      store: {
        receipt: (connector, receipt) => receipts.receipt(connector, receipt),
        incoming: (message) => inbound.whole(message),
      },
    });
  },
});
