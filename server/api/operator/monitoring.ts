import { type AddressInfo, isIPv6 } from 'node:net';
import type { Health } from '../../run/health.ts';
import { closeHttpServer, createHttpServer } from '../http-server.ts';
import { operatorEndpoints } from './plugin.ts';

/** A separate server for Prometheus and supervisors, with its own address. */
export interface Monitoring {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `/metrics`, `/readyz` with its details, and `/healthz` to anyone who can reach the address, in a process of
 * any role. Throws if the address cannot be bound.
 */
export async function openMonitoring(options: {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly health: Health;
}): Promise<Monitoring> {
  const server = await createHttpServer({ proxies: undefined, https: false });
  const close = () => closeHttpServer(server, 1_000);
  try {
    await server.register(operatorEndpoints, { health: options.health, access: 'everybody' });
    await server.listen({ host: options.host, port: options.port });
  } catch (error) {
    await close();
    throw error;
  }
  const { address, port } = server.server.address() as AddressInfo;
  return { url: `http://${isIPv6(address) ? `[${address}]` : address}:${port}`, close };
}
