import type { Server } from 'node:http';

/** Limits of open connections; 0 is no limit. */
export interface ConnectionLimits {
  readonly total: number;
  /** From one address. Where proxies bring everybody's requests it is 0. */
  readonly perAddress: number;
}

/** Closes connections beyond the limits as soon as they are made: before anything of them is read or kept. */
export function limitConnections(server: Server, { total, perAddress }: ConnectionLimits): void {
  if (total > 0) server.maxConnections = total;
  if (perAddress === 0) return;
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = socket.remoteAddress;
    // Undefined when it is gone already.
    if (address === undefined) return;
    const count = (open.get(address) ?? 0) + 1;
    if (count > perAddress) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const left = open.get(address)! - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}
