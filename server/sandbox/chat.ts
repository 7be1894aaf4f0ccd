import { randomBytes } from 'node:crypto';
import type { Sql } from '../database/connection.ts';
import type { Clock } from '../kit/clock.ts';
import type { Logger } from '../kit/observability/log.ts';
import { DEMO_CHAT_NUMBER } from './chat-demo.ts';
import { demoTemplates } from './chat-platform/demo-templates.ts';
import { SandboxChatPlatform } from './chat-platform/platform.ts';
import type { SandboxTemplate } from './chat-platform/prepared.ts';

/** The demo account on the simulated platform: its business account, access token and number id. */
export const demoBusiness = {
  platformId: '100000000000001',
  accessToken: 'sandbox',
  numberPlatformId: '200000000000001',
} as const;

export const CHAT_APP_ID = '300000000000001';
const TEMPLATES_KEY = 'sandbox-chat-templates';

/** Connection of the service to the simulated chat platform, as to the real one. */
export interface SandboxChat {
  readonly platform: SandboxChatPlatform;
  readonly url: string;
  readonly appId: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  /** Sends further webhooks to this address. */
  subscribe(callbackUrl: string): Promise<void>;
}

/** Starts the simulated chat platform, with the templates of its last run. */
export async function startSandboxChat(deps: {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Logger;
  readonly messagesPerSecond: number;
  /** Milliseconds from a message to its delivery. */
  readonly deliveryMs: number;
  /** Random by default. */
  readonly preset: { readonly appSecret: string | undefined; readonly verifyToken: string | undefined };
  readonly endingOf?: (number: string) => string;
  /** Any free port by default. */
  readonly port?: number | undefined;
}): Promise<SandboxChat> {
  const { sql, clock, log, messagesPerSecond, deliveryMs, preset, endingOf } = deps;
  const [kept] = await sql<
    { value: SandboxTemplate[] }[]
  >`SELECT value FROM state WHERE key = ${TEMPLATES_KEY}`;
  const appSecret = preset.appSecret ?? randomBytes(24).toString('base64url');
  const verifyToken = preset.verifyToken ?? randomBytes(12).toString('base64url');
  const { platformId, accessToken, numberPlatformId } = demoBusiness;
  const platform = new SandboxChatPlatform({
    appId: CHAT_APP_ID,
    appSecret,
    clock,
    log,
    messagesPerSecond,
    ...(endingOf && { endingOf }),
    ...deliveryTimes(deliveryMs),
    businesses: [
      {
        accountId: platformId,
        token: accessToken,
        numbers: [{ phoneNumberId: numberPlatformId, number: DEMO_CHAT_NUMBER }],
        templates: kept?.value ?? demoTemplates,
      },
    ],
    onTemplates(_accountId, templates) {
      keepTemplates(sql, templates).catch((error: unknown) => {
        log.warn({ err: error }, "the simulated chat platform's templates were not kept");
      });
    },
  });
  const port = await platform.listen(deps.port ?? 0);
  return {
    platform,
    url: `http://127.0.0.1:${port}`,
    appId: CHAT_APP_ID,
    appSecret,
    verifyToken,
    subscribe: (callbackUrl) => platform.subscribe(callbackUrl, verifyToken),
  };
}

/** Returns the platform's delays that deliver a message after this many milliseconds. */
export function deliveryTimes(deliveryMs: number): { sentDelayMs: number; deliveredDelayMs: number } {
  return { sentDelayMs: Math.min(deliveryMs, 50), deliveredDelayMs: deliveryMs };
}

async function keepTemplates(sql: Sql, templates: readonly SandboxTemplate[]): Promise<void> {
  await sql`
    INSERT INTO state (key, value) VALUES (${TEMPLATES_KEY}, ${JSON.stringify(templates)}::text::jsonb)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
}
