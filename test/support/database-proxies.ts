import { join } from 'node:path';
import type { Sql } from '../../server/database/connection.ts';
import { atEnd, type Server, serversOf } from './database.ts';
import { DatabaseProxy } from './database-proxy.ts';

/** Proxies in front of every server of a database: one or, if distributed, the coordinator and the workers. */
export interface DatabaseProxies {
  /** Starts a program that reaches the servers through the proxies; `start` gets the setting DATABASE_URL. */
  startBehind<T>(start: (url: string) => Promise<T>): Promise<T>;
  cut(): void;
  holdAnswersTo(text: string): void;
}

/** Starts them for the database of a test; they are stopped with the file. */
export async function startProxies(sql: Sql, { password, database }: Server): Promise<DatabaseProxies> {
  const servers = (await serversOf(sql)) as Server[];
  const proxies = await Promise.all(
    servers.map(({ host, port }) => DatabaseProxy.start(join(host, `.s.PGSQL.${port}`))),
  );
  for (const proxy of proxies) atEnd(() => proxy.stop());
  const ports = proxies.map((proxy) => proxy.port);
  // A process looks workers up when it starts, and again when one does not answer.
  const moveWorkers = async (from: readonly number[], to: readonly number[]) => {
    for (const [index, port] of from.entries()) {
      if (index === 0) continue;
      await sql`
        SELECT citus_update_node(nodeid, nodename, ${to[index]!}::integer) FROM pg_dist_node WHERE nodeport = ${port}`;
    }
  };
  const own = servers.map(({ port }) => port);
  return {
    async startBehind(start) {
      await moveWorkers(own, ports);
      try {
        return await start(
          `postgres://carillon:${encodeURIComponent(password)}@127.0.0.1:${ports[0]}/${database}`,
        );
      } finally {
        await moveWorkers(ports, own);
      }
    },
    cut() {
      for (const proxy of proxies) proxy.cut();
    },
    holdAnswersTo(text) {
      for (const proxy of proxies) proxy.holdAnswersTo(text);
    },
  };
}
