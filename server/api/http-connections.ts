import type { Server } from 'node:http';
import { networkOf } from '../kit/http/addresses.ts';

/** Limits of open connections; 0 means no limit. */
export interface ConnectionLimits {
  readonly total: number;
  /**
   * From one address (IPv6: one /64 network). Must be 0 behind proxies, where all requests share their
   * addresses.
   */
  readonly perAddress: number;
}

/** Closes connections beyond the limits as soon as they are opened, before anything is read or stored. */
export function limitConnections(server: Server, { total, perAddress }: ConnectionLimits): void {
  if (total > 0) server.maxConnections = total;
  if (perAddress === 0) return;
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    // Undefined if the client has disconnected already.
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
