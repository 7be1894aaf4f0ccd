import { bind } from '../../../server/api/v1/kit/route.ts';
import type { OpenChannel } from '../../../server/channels/module.ts';
import { statusHooks } from '../../../server/channels/status-hooks.ts';
import { connectorOf } from '../../../server/engine/carriers/carrier.ts';
import { settingsOf } from '../../../server/kit/config.ts';
import { PushCampaigns } from './campaigns.ts';
import { PUSH_ROUTES, pushChannel, pushSettings } from './channel.ts';
import { PushConnector } from './connector.ts';
import { PushDevices, pushPart } from './devices.ts';
import { PushSender } from './sender.ts';
import { pushRoutes } from './v1.ts';

export { pushRoutes as routes } from './v1.ts';

/** Opens push notifications: the connector, campaigns and routes under /v1. */
export const open: OpenChannel = async (context) => {
  const name = `${PUSH_ROUTES}shop`;
  const url = settingsOf(context.config, pushSettings).PUSH_URL!;
  const campaigns = new PushCampaigns(context, pushChannel, name);
  const devices = new PushDevices(context);
  return {
    campaigns,
    delivery: statusHooks(pushChannel),
    connectors: [connectorOf({ name }, () => new PushConnector(name, url, (device) => devices.gone(device)))],
    personalData: pushPart,
    upkeep: () => devices.cleanUp(),
    routes: bind(pushRoutes, {
      sender: new PushSender(context, pushChannel, { route: name, devices }),
      campaigns,
    }),
  };
};
