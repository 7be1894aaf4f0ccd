import { channels } from '../../../server/channels/index.ts';
import { AdjustableClock } from '../../../server/kit/clock.ts';
import { readConfig } from '../../../server/kit/config.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { roles } from '../../../server/kit/process-roles.ts';
import { CREDIT } from '../../../server/modules/accounts/money.ts';
import { openAppContext } from '../../../server/run/open-app-context.ts';
import { startService } from '../../../server/run/service.ts';
import { startNetwork } from '../../faults/support.ts';
import { atEnd, createDatabase } from '../../support/database.ts';
import { databaseUrl } from '../../support/process.ts';
import { SECRET_KEY, secrets } from '../../support/secrets.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startPlatformOf, VERIFY } from './platform-support.ts';

const tokenOf = (number: string) => `token of ${number}`.replaceAll(' ', '-');
/** Business numbers, each of a business account of its own. */
export const NUMBERS = ['972550000077', '972550000078', '972550000079'] as const;

export type ChatDispatching = Awaited<ReturnType<typeof startChatDispatching>>;

/**
 * The whole service in this process, between a network for SMS and a chat platform that are not its own, with one account
 * that has three business numbers.
 */
export async function startChatDispatching(settings: Readonly<Record<string, string>> = {}) {
  const network = await startNetwork();
  const { sql, target } = await createDatabase();
  const { platform, taken, environment } = await startPlatformOf(
    NUMBERS.map((number) => ({ number, token: tokenOf(number) })),
  );
  const config = readConfig(
    {
      DATABASE_URL: databaseUrl(target),
      DATABASE_CONNECTIONS: '6',
      SECRET_KEY,
      SMPP_URL: network.url(),
      PORT: '0',
      VERIFY_SOURCES: 'off',
      RATE_LIMIT_ACCOUNT: '0',
      RATE_LIMIT_ADDRESS: '0',
      ...environment,
      ...settings,
    },
    channels,
  );
  const logged: string[] = [];
  const log = createLogger('info', { write: (line) => void logged.push(line) });
  const start = async () => {
    const appContext = await openAppContext(config, channels, log, async () => new AdjustableClock());
    const service = await startService(appContext, roles, undefined, (error) => {
      throw error;
    });
    await platform.subscribe(`${service.url}/chat-webhooks`, VERIFY);
    return { appContext, service };
  };
  let running = await start();
  atEnd(() => running.service.stop(5_000));
  await waitFor('the link is up', () => network.smsc.boundSessions > 0);

  const { accounts, wallets, tokens, ids, clock } = running.appContext;
  const { id: accountId } = await accounts.create({ username: 'chatting', name: 'Chatting' });
  await wallets.topUp(accountId, 100_000 * CREDIT, 'test');
  const { token } = await tokens.mint(accountId);
  for (const [index, number] of NUMBERS.entries()) {
    const portfolioId = ids.next();
    await sql`
      INSERT INTO chat_portfolios (id, account_id, name, tier, platform_id, access_token, created_at)
      VALUES (${portfolioId}, ${accountId}, ${number}, 100000, ${String(4_001 + index)}, 
        ${secrets.seal(tokenOf(number), 'chat_portfolios.access_token', portfolioId)}, ${clock.now()})`;
    await sql`
      INSERT INTO chat_numbers (phone, account_id, portfolio_id, name, platform_id, messages_per_second, created_at)
      VALUES (${number}, ${accountId}, ${portfolioId}, ${number}, ${String(5_001 + index)}, 0, ${clock.now()})`;
  }

  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${running.service.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const post = (path: string, body: object = {}) =>
    call(path, { method: 'POST', body: JSON.stringify(body) });

  /** The template without variables of a business number, when it was fetched. */
  async function templateOf(number: string): Promise<string> {
    return waitFor('the templates are here', async () => {
      await post(`/v1/chat/numbers/${number}/sync`);
      const { templates = [] } = (await call(`/chat-api/get-phone-templates/${number}`)) as {
        templates?: { name: string; templateId: string }[];
      };
      return templates.find(({ name }) => name === 'plain')?.templateId;
    });
  }

  return {
    get url() {
      return running.service.url!;
    },
    caller: { username: 'chatting', token },
    accountId,
    sql,
    network,
    platform,
    /** How often the platform took a message to each phone. */
    taken,
    /** Lines of the log. */
    logged,
    post,
    templateOf,
    /** Stops the service within so many milliseconds, and starts it again on the same database. */
    async restart(graceMs: number) {
      await running.service.stop(graceMs);
      running = await start();
    },
  };
}
