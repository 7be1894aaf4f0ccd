import { systemClock } from '../../../server/kit/clock.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { demoTemplates } from '../../../server/sandbox/chat-platform/demo-templates.ts';
import { SandboxChatPlatform } from '../../../server/sandbox/chat-platform/platform.ts';
import { atEnd } from '../../support/database.ts';
import type { Installation } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';

/* A chat platform for the real program, and an account that sends by way of it. */

const SECRET = 'the secret of the app';
export const VERIFY = 'the token of the app';
/** The business number. */
export const NUMBER = '972550000077';
const [BUSINESS, NUMBER_ID, TOKEN] = ['4001', '5001', 'token'];

/**
 * A platform that writes down every message it takes, which is closed with the file.
 *
 * @param numbers business numbers, each of a business account of its own
 */
export async function startPlatformOf(
  numbers: readonly { readonly number: string; readonly token: string }[],
) {
  const taken = new Map<string, number>();
  const platform = new SandboxChatPlatform({
    appId: '1',
    appSecret: SECRET,
    clock: systemClock,
    log: createLogger('silent'),
    sentDelayMs: 10,
    deliveredDelayMs: 20,
    reads: false,
    webhookRetryMs: 100,
    businesses: numbers.map(({ number, token }, index) => ({
      accountId: String(4_001 + index),
      token,
      numbers: [{ phoneNumberId: String(5_001 + index), number }],
      templates: demoTemplates,
    })),
    onSend: ({ to }) => taken.set(to, (taken.get(to) ?? 0) + 1),
  });
  const port = await platform.listen(0);
  atEnd(() => platform.close());
  const environment = {
    CHAT_PLATFORM_URL: `http://127.0.0.1:${port}`,
    CHAT_APP_SECRET: SECRET,
    CHAT_VERIFY_TOKEN: VERIFY,
    CHAT_CLIENT_PAUSE_MS: '0',
  };
  return { platform, taken, port, environment };
}

/** As `startPlatformOf`, with the number that `addNumber` adds. */
export async function startPlatform() {
  const started = await startPlatformOf([{ number: NUMBER, token: TOKEN }]);
  return {
    ...started,
    /** Takes connections again, where it did before. */
    async listenAgain() {
      await started.platform.listen(started.port);
    },
  };
}

export interface Caller {
  readonly username: string;
  readonly token: string;
}

/** An account with a business number on the platform, and its template. */
export async function addNumber(installation: Installation, url: string, username: string): Promise<Caller> {
  const account = await installation.account(url, username, 100_000);
  const portfolio = ['--platform-id', BUSINESS, '--token', TOKEN, '--tier', '100000'];
  const { id } = await installation.command<{ id: number }>(
    'chat-portfolio',
    'add',
    username,
    'Test',
    ...portfolio,
  );
  const number = ['--portfolio', String(id), '--platform-id', NUMBER_ID, '--rate', '0'];
  await installation.command('chat-number', 'add', username, NUMBER, ...number);
  return account;
}

/** Sends a request of the chat API. */
export async function post(url: string, { token }: Caller, path: string, body: object) {
  const response = await fetch(`${url}/chat-api/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as {
    success: boolean;
    ans: { reason: number };
    data: { success: boolean; sum: number };
  };
}

/** Fetches the templates that are on the platform; the id of the one without variables. */
export async function plainTemplate(url: string, { token }: Caller): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  return waitFor('the templates are here', async () => {
    await fetch(`${url}/v1/chat/numbers/${NUMBER}/sync`, { method: 'POST', headers });
    const response = await fetch(`${url}/chat-api/get-phone-templates/${NUMBER}`, { headers });
    const { templates = [] } = (await response.json()) as {
      templates?: { name: string; templateId: string }[];
    };
    return templates.find(({ name }) => name === 'plain')?.templateId;
  });
}

/** None of the endings that have a meaning. */
export const phones = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => String(972_500_000_017 + (from + index) * 100));
