import { channels } from '../../../server/channels/index.ts';
import type { Sql } from '../../../server/database/connection.ts';
import { AdjustableClock } from '../../../server/kit/clock.ts';
import { readConfig } from '../../../server/kit/config.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { roles } from '../../../server/kit/process-roles.ts';
import { CREDIT } from '../../../server/modules/accounts/money.ts';
import type { AppContext } from '../../../server/run/app-context.ts';
import { openAppContext } from '../../../server/run/open-app-context.ts';
import { startService } from '../../../server/run/service.ts';
import type { Caller, Network } from '../../faults/support.ts';
import { atEnd, createDatabase } from '../../support/database.ts';
import { databaseUrl } from '../../support/process.ts';
import { SECRET_KEY } from '../../support/secrets.ts';
import { waitFor } from '../../support/wait-for.ts';

/** The whole service in this process, on a network that is not its own, with a clock that can be moved on. */
export interface Dispatching {
  readonly url: string;
  readonly sql: Sql;
  readonly clock: AdjustableClock;
  readonly appContext: AppContext;
  account(username: string, credits: number): Promise<Caller & { id: number }>;
  stop(): Promise<void>;
}

export type TestDatabase = Awaited<ReturnType<typeof createDatabase>>;

/** Starts the service, stopped with the test file; on a `database` that another one has used before, or a fresh one. */
export async function startDispatching(
  network: Network,
  options: Readonly<Record<string, string | number>> = {},
  database?: TestDatabase,
  settings: Readonly<Record<string, string>> = {},
): Promise<Dispatching> {
  const { sql, target } = database ?? (await createDatabase());
  const clock = new AdjustableClock();
  const config = readConfig(
    {
      DATABASE_URL: databaseUrl(target),
      DATABASE_CONNECTIONS: '6',
      SECRET_KEY,
      SMPP_URL: network.url(options),
      PORT: '0',
      VERIFY_SOURCES: 'off',
      RATE_LIMIT_ACCOUNT: '0',
      RATE_LIMIT_ADDRESS: '0',
      ...settings,
    },
    channels,
  );
  const log = createLogger('silent');
  const appContext = await openAppContext(config, channels, log, async () => clock);
  const service = await startService(appContext, roles, undefined, (error) => {
    throw error;
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= service.stop(5_000);
    return stopped;
  };
  atEnd(stop);
  await waitFor('the connector is up', () => network.smsc.boundSessions > 0);
  return {
    url: service.url!,
    sql,
    clock,
    appContext,
    async account(username, credits) {
      const { accounts, wallets, tokens } = appContext;
      const { id } = await accounts.create({ username, name: username });
      await wallets.topUp(id, credits * CREDIT, 'test');
      const { token } = await tokens.mint(id);
      return { id, username, token };
    },
    stop,
  };
}
