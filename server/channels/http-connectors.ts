import type { ConnectorKind } from '../engine/carriers/carrier.ts';
import { ChangingConnectors } from '../engine/connectors/changing.ts';
import { PollCursors } from '../engine/connectors/poll-cursors.ts';
import { HttpConnector } from '../protocols/http-carrier/connector.ts';
import type { HttpCarrierSettings } from '../protocols/http-carrier/settings.ts';
import type { ChannelContext } from './module.ts';

/** Returns the connectors of a channel to providers with an HTTP interface. */
export function httpConnectors(
  context: ChannelContext,
  kind: ConnectorKind,
  wanted: () => readonly HttpCarrierSettings[],
): ChangingConnectors<HttpCarrierSettings> {
  const cursors = new PollCursors(context);
  return new ChangingConnectors<HttpCarrierSettings>({
    ...{ network: context.network, kind, wanted },
    create: (settings) =>
      new HttpConnector(settings, {
        ...{ ...context, publicUrl: context.pageBase, cursors },
        exchanges: context.testMessages.recorder,
      }),
    limitOf: ({ messagesPerSecond }) => messagesPerSecond,
    withLimit: (settings, messagesPerSecond) => ({ ...settings, messagesPerSecond }),
  });
}
