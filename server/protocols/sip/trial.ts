import { lookup } from 'node:dns/promises';
import { type Trial, TrialSteps } from '../../engine/carriers/trial.ts';
import { Endpoint } from './endpoint.ts';
import { readTrunkUri, type SipTrunkSettings } from './settings.ts';
import { addressTowards, type Peer } from './transport.ts';
import { authenticatorOf, optionsRequest, transportOf } from './trunk-exchange.ts';

/** OPTIONS statuses of a trunk that does not accept our calls, or accepts no calls now. */
const refusals = new Set([401, 403, 407, 408, 480, 500, 502, 503, 504]);

/**
 * Checks with OPTIONS whether a trunk is reachable, from a separate port, and answers its challenge. Does not register,
 * since that would redirect the calls of the active line.
 */
export async function trySip(settings: SipTrunkSettings): Promise<Trial> {
  const steps = new TrialSteps();
  const trunk = readTrunkUri(settings.uri)!;
  let peer: Peer | undefined;
  let endpoint: Endpoint | undefined;
  try {
    const isFound = await steps.do('look up', async () => {
      const { address } = await lookup(trunk.host);
      peer = { address, port: trunk.port };
      return address;
    });
    if (!isFound || !peer) return steps.trial;
    const to = peer;
    await steps.do('OPTIONS', async () => {
      const local = { address: settings.localAddress ?? (await addressTowards(to)), port: 0 };
      endpoint = new Endpoint({
        transport: transportOf({ settings }, trunk, local),
        t1Ms: settings.t1Ms,
        publicAddress: settings.publicAddress,
        onRequest: (transaction) => transaction.respond(481),
      });
      await endpoint.open();
      return ask(settings, endpoint, to);
    });
    return steps.trial;
  } finally {
    await endpoint?.close();
  }
}

async function ask(settings: SipTrunkSettings, endpoint: Endpoint, to: Peer) {
  let sequence = 0;
  const answer = await endpoint.ask(
    () => {
      const request = optionsRequest(settings, endpoint);
      request.headers.set('CSeq', `${++sequence} OPTIONS`);
      return request;
    },
    () => endpoint.transport.flowTo(to),
    authenticatorOf(settings),
  );
  if (typeof answer === 'string') return { refused: answer === 'timeout' ? 'no answer' : answer };
  const words = `${answer.status} ${answer.reason}`;
  return refusals.has(answer.status) ? { refused: words } : words;
}
