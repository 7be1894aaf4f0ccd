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

/** A port of 127.0.0.1 that nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
