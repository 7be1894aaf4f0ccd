import type { Socket } from 'node:net';
import { Agent } from 'undici';
import { TRIAL_MS, type Trial, TrialSteps } from '../../engine/carriers/trial.ts';
import { createSsrfGuard } from '../../kit/http/ssrf-guard.ts';
import { OAuthTokens } from './oauth.ts';
import { splitUrl } from './request.ts';
import type { HttpCarrierSettings } from './settings.ts';

/**
 * Connects to a provider and, if its description has OAuth, gets a token. Sends no message: providers have no request in common
 * that would check the other forms of sign-in without one.
 */
export async function tryHttpCarrier(settings: HttpCarrierSettings, allowPrivate: boolean): Promise<Trial> {
  const steps = new TrialSteps();
  const { description, secrets } = settings;
  const { origin } = splitUrl(description.send.url, secrets);
  const guard = createSsrfGuard({ allowPrivate: settings.allowPrivate || allowPrivate }, TRIAL_MS);
  const { protocol, hostname, port, host } = new URL(origin);
  const isConnected = await steps.do(protocol === 'https:' ? 'connect TLS' : 'connect', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>();
    guard.connect(
      { protocol, hostname, host, port } as Parameters<typeof guard.connect>[0],
      (error, socket) => (error ? reject(error) : resolve(socket as Socket)),
    );
    (await promise).destroy();
    return protocol === 'https:' ? 'TLS' : 'without TLS';
  });
  const { auth } = description.send;
  if (!isConnected || !auth || !('oauth' in auth)) return steps.trial;
  const agent = new Agent({ connect: guard.connect });
  try {
    const tokens = new OAuthTokens(auth.oauth, secrets, TRIAL_MS);
    await steps.do('OAuth', async () => {
      const answer = await tokens.authorization(agent, AbortSignal.timeout(TRIAL_MS));
      return 'header' in answer ? 'token' : { refused: `HTTP ${answer.failed.status}` };
    });
  } finally {
    await agent.destroy();
  }
  return steps.trial;
}
