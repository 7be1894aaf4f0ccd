import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Sql } from '../database/connection.ts';
import type { Logger } from '../observability/log.ts';
import { DEMO_CHAT_NUMBER } from './chat-demo.ts';
import { demoTemplates } from './chat-platform/demo-templates.ts';
import { SandboxChatPlatform } from './chat-platform/platform.ts';
import type { SandboxTemplate } from './chat-platform/prepared.ts';

/** The demo account on the simulated platform: its business account, and its number's id. */
export const demoBusiness = {
  platformId: '100000000000001',
  accessToken: 'sandbox',
  numberPlatformId: '200000000000001',
} as const;

export const CHAT_APP_ID = '300000000000001';
const TEMPLATES_KEY = 'sandbox-chat-templates';

/** How the service reaches the simulated chat platform, as it would the real one. */
export interface SandboxChat {
  readonly platform: SandboxChatPlatform;
  readonly url: string;
  readonly appId: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  /** Brings webhooks to this address from now on. */
  subscribe(callbackUrl: string): Promise<void>;
}

/** Starts the simulated chat platform, with the templates that it had when it ran last. */
export async function startSandboxChat(deps: {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Logger;
  readonly messagesPerSecond: number;
  /** From a message to its delivery, in milliseconds. */
  readonly deliveryMs: number;
  /** Random without. */
  readonly preset: { readonly appSecret: string | undefined; readonly verifyToken: string | undefined };
  readonly endingOf?: (number: string) => string;
  /** Any free one without. */
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

/** The times of the platform that make a message's way take so many milliseconds. */
export function deliveryTimes(deliveryMs: number): { sentDelayMs: number; deliveredDelayMs: number } {
  return { sentDelayMs: Math.min(deliveryMs, 50), deliveredDelayMs: deliveryMs };
}

async function keepTemplates(sql: Sql, templates: readonly SandboxTemplate[]): Promise<void> {
  await sql`
    INSERT INTO state (key, value) VALUES (${TEMPLATES_KEY}, ${JSON.stringify(templates)}::text::jsonb)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
}
