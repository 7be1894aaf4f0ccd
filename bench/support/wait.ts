import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Waits until a condition holds. Throws `what` when it does not within the time. */
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

/** Below what systems give to connections that go out (32768 and up on Linux, 49152 elsewhere), and above well-known ones. */
const PORTS = { first: 20_000, count: 12_000 };

/** A port of 127.0.0.1 that nobody listens on, and that no connection takes before somebody does. */
export const freePort = (): Promise<number> => freePorts(1);

/** The first of so many such ports in a row. */
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
