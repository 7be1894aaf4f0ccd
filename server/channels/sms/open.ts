import { smsApi } from '../../api/sms/plugin.ts';
import { bind } from '../../api/v1/kit/route.ts';
import { ChangingConnectors } from '../../engine/connectors/changing.ts';
import { SmppConnector } from '../../protocols/smpp/connector.ts';
import { partOfSmpp, type SmppConnectorSettings } from '../../protocols/smpp/settings.ts';
import type { OpenChannel } from '../module.ts';
import { statusHooks } from '../status-hooks.ts';
import { listsOfSms } from './campaign-lists.ts';
import { smsChannel } from './channel.ts';
import { smsEvidence } from './evidence.ts';
import { ListCampaignSource } from './list-campaigns.ts';
import { receivedSms } from './received.ts';
import { repeatedSms } from './repeated.ts';
import { smsReplies } from './replies.ts';
import { smsRoutes } from './v1.ts';

/** Its routes under /v1. */
export const routes = [...smsRoutes];

/** Opens SMS: its connectors, sends to contact lists, and `POST /api`. */
export const open: OpenChannel = async (context) => {
  const { network } = context;
  const { connectors, trunks } = network;
  const estimator = { ...context, connectors, trunks };
  const changing =
    context.has('dispatch') &&
    new ChangingConnectors<SmppConnectorSettings>({
      network,
      kind: 'general',
      wanted: connectors,
      create: (settings) => new SmppConnector(settings, context),
      limitOf: ({ messagesPerSecond }) => messagesPerSecond,
      withLimit: (settings, messagesPerSecond) => ({ ...settings, messagesPerSecond }),
      parts: { maxOf: ({ binds, window }) => Math.min(binds, window), of: partOfSmpp },
    });
  return {
    delivery: statusHooks(smsChannel),
    ...(changing ? { connectors: changing.initial, changing } : { connectors: [] }),
    campaigns: new ListCampaignSource(context),
    requestOf: (accountId, id) => repeatedSms(context, accountId, id),
    listsOf: (accountId, id) => listsOfSms(context, accountId, id),
    evidence: smsEvidence(context.sql),
    received: receivedSms(context.sql),
    replies: smsReplies(context),
    routes: bind(smsRoutes, { ...context, estimator, sending: context }),
    api: {
      async register(server, options) {
        await server.register(smsApi, { services: context, ...options });
      },
    },
  };
};
