import { connect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import type { SmppConnectorSettings } from './settings.ts';

/** Starts connecting to an SMSC. With TLS, `secured` receives the socket before any of its events. */
export function openSocket(
  { host, port, tls }: Pick<SmppConnectorSettings, 'host' | 'port' | 'tls'>,
  secured: (socket: TLSSocket) => void = () => {},
): { readonly socket: Socket; readonly connected: 'connect' | 'secureConnect' } {
  if (tls === false) return { socket: connect({ host, port }), connected: 'connect' };
  const options = tls === true ? {} : tls;
  const servername = isIpAddress(host) ? undefined : host;
  const socket = connectTls({ host, port, servername, ...options } as ConnectionOptions);
  secured(socket);
  return { socket, connected: 'secureConnect' };
}

function isIpAddress(host: string): boolean {
  return /^[0-9.]+$/.test(host) || host.includes(':');
}
