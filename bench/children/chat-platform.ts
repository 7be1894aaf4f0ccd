/* The sandbox's chat platform in a separate process, without storing messages. */
import { systemClock } from '../../server/kit/clock.ts';
import { createLogger } from '../../server/kit/observability/log.ts';
import { demoTemplates } from '../../server/sandbox/chat-platform/demo-templates.ts';
import { SandboxChatPlatform } from '../../server/sandbox/chat-platform/platform.ts';
import { answer } from '../support/child.ts';

/** Values with which the service reaches the platform. */
export interface PlatformAccess {
  readonly businessId: string;
  readonly numberId: string;
  readonly number: string;
  readonly token: string;
  readonly appSecret: string;
  readonly verifyToken: string;
}

let platform: SandboxChatPlatform | undefined;

answer({
  /** Listens for one business number. Returns the port. */
  listen({ businessId, numberId, number, token, appSecret }: PlatformAccess): Promise<number> {
    platform = new SandboxChatPlatform({
      appId: 'bench',
      appSecret,
      clock: systemClock,
      log: createLogger('warn'),
      keepsMessages: false,
      reads: false,
      businesses: [
        {
          accountId: businessId,
          token,
          numbers: [{ phoneNumberId: numberId, number }],
          templates: demoTemplates,
        },
      ],
    });
    return platform.listen(0);
  },
  subscribe: ({ url, verifyToken }: { url: string; verifyToken: string }) =>
    platform!.subscribe(url, verifyToken),
  counts: () => platform!.counts,
});
