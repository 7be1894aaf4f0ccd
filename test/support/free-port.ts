import { createServer } from 'node:net';

/* Below the ports that systems give to outgoing connections, of which tests on both cores open thousands. */
const LOWEST = 15_000;
const HIGHEST = 32_000;

/** Returns a port of this machine that is free now, and that no outgoing connection will take. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
