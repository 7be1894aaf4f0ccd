import { SmppConnector } from '../../carriers/smpp/connector.ts';
import { smsApi } from '../../interfaces/sms-api/plugin.ts';
import { bind } from '../../interfaces/v1/kit/route.ts';
import type { OpenChannel } from '../module.ts';
import { statusHooks } from '../status-hooks.ts';
import { smsChannel } from './channel.ts';
import { ListCampaignSource } from './list-campaigns.ts';
import { repeatedSms } from './repeated.ts';
import { smsRoutes } from './v1.ts';

/** Opens SMS: its links, sends to contact lists, and `POST /api`. */
export const open: OpenChannel = async (context) => {
  const { carriers } = context;
  const { connectors, trunks } = carriers;
  const estimator = { ...context, connectors, trunks };
  return {
    delivery: statusHooks(smsChannel),
    connectors: context.has('dispatch') ? connectors.map((link) => new SmppConnector(link, context)) : [],
    campaigns: new ListCampaignSource(context),
    requestOf: (accountId, id) => repeatedSms(context, accountId, id),
    routes: bind(smsRoutes, { ...context, estimator, sending: context }),
    api: {
      async register(server, options) {
        await server.register(smsApi, { services: context, ...options });
      },
    },
  };
};
