import type { TestContext } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import { systemClock } from '../../server/kit/clock.ts';
import { createLogger } from '../../server/kit/observability/log.ts';
import { sandboxApi } from '../../server/sandbox/api.ts';
import { LatestArrivals } from '../../server/sandbox/arrivals.ts';
import { SandboxChatPlatform } from '../../server/sandbox/chat-platform/platform.ts';
import { Endings } from '../../server/sandbox/endings.ts';
import { Mailboxes } from '../../server/sandbox/mail/mailboxes.ts';
import { phoneFeed } from '../../server/sandbox/phone-feed.ts';
import { SandboxSmsc } from '../../server/sandbox/smsc/smsc.ts';
import { startSandboxVoice } from '../../server/sandbox/voice.ts';

type Options = Parameters<typeof sandboxApi>[1];

/** Starts the sandbox API on the passed networks, with idle networks for the others; closed with the test. */
export async function startSandboxApi(t: TestContext, given: Partial<Options>): Promise<FastifyInstance> {
  const common = { clock: systemClock, log: createLogger('silent') };
  const platform = new SandboxChatPlatform({ ...common, appId: '', appSecret: '', businesses: [] });
  const voice = await startSandboxVoice({ ...common, ringMs: 0 });
  const smsc = new SandboxSmsc({ ...common, accounts: {} });
  const mailboxes = new Mailboxes();
  const app = fastify();
  t.after(() => Promise.all([app.close(), platform.close(), voice.exchange.stop()]));
  await app.register(sandboxApi, {
    smsc,
    platform,
    voice,
    mailboxes,
    answerMail: async () => undefined,
    endings: new Endings(),
    arrivals: new LatestArrivals(phoneFeed(smsc.phones, platform.phones, voice), mailboxes),
    normaliseNumber: (text: string) => {
      const digits = text.replace(/[\s+-]/g, '').replace(/^0/, '972');
      return /^[0-9]{7,15}$/.test(digits) ? digits : null;
    },
    advance: async (milliseconds: number) => systemClock.now() + milliseconds,
    ...given,
  });
  return app;
}
