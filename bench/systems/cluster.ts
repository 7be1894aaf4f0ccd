import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cluster, makeSchema, startCluster } from '../support/citus.ts';
import { atTheEnd } from '../support/cleanup.ts';
import { cpuOfFamily } from '../support/proc.ts';
import { type Carillon, startCarillon } from './carillon.ts';
import type { Surroundings } from './system.ts';

const DATABASE = 'carillon';
/** Name in `cpu` of the server that receives all statements: for a plain PostgreSQL the only one. */
export const COORDINATOR = 'coordinator';
/** Prefix of the names of the others. */
export const WORKER = 'worker';

/** A service on a PostgreSQL that the bench manages. */
export interface OnCluster extends Carillon {
  readonly coordinator: Cluster['nodes'][number];
}

interface OnClusterOptions extends Surroundings {
  /** 0 for a plain PostgreSQL. */
  readonly workers: number;
  readonly shards: number;
}

/**
 * Starts PostgreSQL servers in `folder`, with fsync on, distributes the database over the workers, and starts a process
 * with all roles.
 */
export async function startOnCluster({
  workers,
  shards,
  ...surroundings
}: OnClusterOptions): Promise<OnCluster> {
  const { folder } = surroundings;
  const isPlain = workers === 0;
  const home = join(folder, 'nodes');
  await mkdir(home, { recursive: true });
  for (const path of [folder, home]) await chmod(path, 0o755);
  const cluster = await startCluster(home, { workers, database: DATABASE, isDurable: true, isPlain });
  const stopCluster = atTheEnd(() => cluster.stop());
  const [coordinator] = cluster.nodes as [Cluster['nodes'][number]];
  await makeSchema(coordinator, isPlain ? undefined : shards);
  const { host, port, password } = coordinator;
  const carillon = await startCarillon({
    ...surroundings,
    settings: {
      DATABASE_URL: `postgres://carillon:${encodeURIComponent(password)}@localhost:${port}/${DATABASE}?host=${encodeURIComponent(host)}`,
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
    words: ['serve', '--role', 'api,dispatch,jobs'],
  });
  return {
    ...carillon,
    coordinator,
    cpu() {
      const [first, ...others] = cluster.pids();
      return {
        server: carillon.cpu().server!,
        [COORDINATOR]: cpuOfFamily(first!),
        ...Object.fromEntries(others.map((pid, index) => [`${WORKER} ${index + 1}`, cpuOfFamily(pid)])),
      };
    },
    async stop() {
      await carillon.stop();
      await stopCluster();
    },
  };
}
