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
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
