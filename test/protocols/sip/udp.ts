import { createSocket, type Socket } from 'node:dgram';
import type { TestContext } from 'node:test';

const HOST = '127.0.0.1';

/** A UDP socket at a free port, closed with the test. */
export async function openUdp(t: TestContext): Promise<{ socket: Socket; port: number }> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, HOST, resolve));
  t.after(() => socket.close());
  return { socket, port: socket.address().port };
}

/** A port that nobody had a moment ago. */
export async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, HOST, resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(resolve));
  return port;
}
