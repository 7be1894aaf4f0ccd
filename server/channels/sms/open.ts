import { smsApi } from '../../api/sms/plugin.ts';
import { bind } from '../../api/v1/kit/route.ts';
import type { ConnectorHolder } from '../../engine/carriers/carrier.ts';
import { ChangingConnectors } from '../../engine/connectors/changing.ts';
import { PollCursors } from '../../engine/connectors/poll-cursors.ts';
import { HttpConnector } from '../../protocols/http-carrier/connector.ts';
import type { HttpCarrierSettings } from '../../protocols/http-carrier/settings.ts';
import { tryHttpCarrier } from '../../protocols/http-carrier/trial.ts';
import { SmppConnector } from '../../protocols/smpp/connector.ts';
import { partOfSmpp, type SmppConnectorSettings } from '../../protocols/smpp/settings.ts';
import type { ChannelApi, ChannelContext, OpenChannel } from '../module.ts';
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
  const estimator = { ...context, connectors: network.smsConnectors, trunks: network.trunks };
  for (const settings of network.configured.http) {
    context.connectors.offer({
      name: settings.name,
      protocol: 'http',
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
    received: receivedSms(context.sql),
    replies: smsReplies(context),
    routes: bind(smsRoutes, { ...context, estimator, sending: context }),
    api: apiOf(context),
  };
};

function connectorsOf(context: ChannelContext) {
  const { network } = context;
  const limits = {
    kind: 'general',
    limitOf: ({ messagesPerSecond }: { readonly messagesPerSecond: number }) => messagesPerSecond,
  } as const;
  const smpp = new ChangingConnectors<SmppConnectorSettings>({
    ...{ network, ...limits, wanted: network.connectors },
    create: (settings) => new SmppConnector(settings, context),
    withLimit: (settings, messagesPerSecond) => ({ ...settings, messagesPerSecond }),
    parts: { maxOf: ({ binds, window }) => Math.min(binds, window), of: partOfSmpp },
  });
  const cursors = new PollCursors(context);
  const http = new ChangingConnectors<HttpCarrierSettings>({
    ...{ network, ...limits, wanted: network.httpCarriers },
    create: (settings) =>
      new HttpConnector(settings, {
        ...context,
        publicUrl: context.pageBase,
        cursors,
        exchanges: context.testMessages.recorder,
      }),
    withLimit: (settings, messagesPerSecond) => ({ ...settings, messagesPerSecond }),
  });
  return {
    connectors: [...smpp.initial, ...http.initial],
    changing: {
      async start(holder: ConnectorHolder) {
        await Promise.all([smpp.start(holder), http.start(holder)]);
      },
      async stop() {
        await Promise.all([smpp.stop(), http.stop()]);
      },
    },
  };
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
