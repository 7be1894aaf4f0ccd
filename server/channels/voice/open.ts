import { bind } from '../../api/v1/kit/route.ts';
import { ChangingConnectors, joined } from '../../engine/connectors/changing.ts';
import { nothing } from '../../engine/messages/message-content.ts';
import { maxPartsOfTrunk, partOfTrunk, type SipTrunkSettings } from '../../protocols/sip/settings.ts';
import { httpConnectors } from '../http-connectors.ts';
import type { ChannelContext, OpenChannel } from '../module.ts';
import { callFallback } from '../phone-fallbacks.ts';
import { statusHooks } from '../status-hooks.ts';
import { voiceChannel } from './channel.ts';
import { createVoiceModule, type VoiceModule } from './module.ts';
import { speechRoutes } from './v1.ts';

/** Its routes under /v1. */
export const routes = [...speechRoutes];

/** Opens calls: the trunks, the speech engine, and its preview. */
export const open: OpenChannel = async (context) => {
  const { network } = context;
  const dispatches = context.has('dispatch');
  const voice = await createVoiceModule({
    ...context,
    trunks: network.trunks,
    callTrunks: network.callTrunks,
    dispatches,
    callBack: (phone) => context.phoneVerifier.callBack(phone),
    onSpoken: context.sandbox?.voice.spoken,
  });
  const connectors = dispatches ? connectorsOf(context, voice) : { connectors: [] };
  return {
    delivery: statusHooks(voiceChannel),
    ...connectors,
    calls: voice,
    recalls: voice.recalls,
    fallback: callFallback(context),
    contentOf: async (_, { own, shared, call }) => {
      const spoken = call && voiceChannel.codec.decode({ own, shared, call });
      return { ...nothing, text: own ?? spoken?.text ?? shared, call: spoken };
    },
    routes: bind(speechRoutes, { ...context, voice }),
    stop: () => voice.stop(),
  };
};

/** SIP trunks, and connectors to providers that make the calls. */
function connectorsOf(context: ChannelContext, voice: VoiceModule) {
  const { network } = context;
  return joined(
    new ChangingConnectors<SipTrunkSettings>({
      network,
      kind: 'special',
      wanted: network.trunks,
      create: voice.createTrunk,
      limitOf: ({ callsPerSecond }) => callsPerSecond,
      withLimit: (settings, callsPerSecond) => ({ ...settings, callsPerSecond }),
      parts: { maxOf: maxPartsOfTrunk, of: partOfTrunk },
    }),
    httpConnectors(context, 'special', network.httpTrunks),
  );
}
