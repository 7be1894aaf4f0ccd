import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbedded } from '../../server/database/embedded.ts';
import { atTheEnd } from '../support/cleanup.ts';
import { childrenOf, cpuOfFamily } from '../support/proc.ts';
import { type Carillon, startCarillon } from './carillon.ts';
import type { LoadTarget } from './requests.ts';
import type { Surroundings, System } from './system.ts';

type Target = LoadTarget & { kind: 'carillon' };

/** Processes of the service on one database. */
export interface Processes extends System {
  readonly target: Target;
  /** Ports of all processes that accept requests. */
  readonly ports: readonly number[];
  /** Another account, without a push. */
  readonly other: Target;
}

/**
 * Roles of one process, and the name of its SMPP connector, which is also its system id: only one process at a time
 * holds a connector.
 */
export interface ProcessPlan {
  readonly roles: string;
  readonly connector: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Starts a PostgreSQL in `folder` with fsync on, and a process of the service for each plan. The first one has the role
 * `api`.
 */
export async function startProcesses(
  { folder, ...surroundings }: Surroundings,
  plans: readonly ProcessPlan[],
): Promise<Processes> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  const before = childrenOf(process.pid, 'postgres');
  const database = await startEmbedded(folder);
  const stopDatabase = atTheEnd(() => database.stop());
  const postgres = childrenOf(process.pid, 'postgres').find((pid) => !before.includes(pid))!;
  const { host, port, password } = database.target as { host: string; port: number; password: string };
  const settings = {
    DATABASE_URL: `postgres://carillon:${encodeURIComponent(password)}@localhost:${port}/carillon?host=${encodeURIComponent(host)}`,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  const started: Carillon[] = [];
  for (const [index, { roles, connector, settings: own }] of plans.entries()) {
    const target = started[0]?.target as Target | undefined;
    started.push(
      await startCarillon({
        ...surroundings,
        folder: join(folder, `process-${index}`),
        // The SMSC sends receipts to any session of a system id, so each connector has a separate one.
        settings: {
          ...settings,
          ...own,
          SMPP_URL: `smpp://${connector}:bench@127.0.0.1:${surroundings.smscPort}?name=${connector}`,
        },
        words: ['serve', '--role', roles],
        ...(target && { target }),
      }),
    );
  }
  const [first] = started;
  return {
    name: 'Carillon',
    target: first!.target as Target,
    ports: started.filter((_, index) => plans[index]!.roles.includes('api')).map(({ target }) => target.port),
    other: await first!.createAccount('other', false),
    cpu: () => ({
      server: started.reduce((sum, one) => sum + one.cpu().server!, 0),
      postgres: cpuOfFamily(postgres),
    }),
    async stop() {
      for (const one of started) await one.stop();
      await stopDatabase();
    },
  };
}
