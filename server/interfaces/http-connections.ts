import type { Server } from 'node:http';
import { networkOf } from '../http/addresses.ts';

/** Limits of open connections; 0 is no limit. */
export interface ConnectionLimits {
  readonly total: number;
  /** From one address (IPv6: one network of 64 bits). Where proxies bring everybody's requests it is 0. */
  readonly perAddress: number;
}

/** Closes connections beyond the limits as soon as they are made: before anything of them is read or kept. */
export function limitConnections(server: Server, { total, perAddress }: ConnectionLimits): void {
  if (total > 0) server.maxConnections = total;
  if (perAddress === 0) return;
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    // Undefined when it is gone already.
    if (socket.remoteAddress === undefined) return;
    const address = networkOf(socket.remoteAddress);
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
