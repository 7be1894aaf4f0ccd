import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Waits until a condition is true. Throws an error with `what` when the time ends first. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  { withinMs = 30_000, everyMs = 20 } = {},
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain: ${what}`);
    await pause(everyMs);
  }
}

/**
 * Below the ports that systems use for outgoing connections (32768 and up on Linux, 49152 elsewhere), and above
 * well-known ones.
 */
const PORTS = { first: 20_000, count: 12_000 };

/** Returns a port of 127.0.0.1 without a listener that no outgoing connection can occupy. */
export const freePort = (): Promise<number> => freePorts(1);

/** Returns the first of `count` consecutive such ports. */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = PORTS.first + Math.floor(Math.random() * (PORTS.count - count));
    const servers = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const server = createServer();
        const isFree = await new Promise<boolean>((resolve) => {
          server.once('error', () => resolve(false)).listen(first + index, '127.0.0.1', () => resolve(true));
        });
        return { server, isFree };
      }),
    );
    for (const { server, isFree } of servers) {
      if (isFree) await new Promise((resolve) => server.close(resolve));
    }
    if (servers.every(({ isFree }) => isFree)) return first;
  }
}
