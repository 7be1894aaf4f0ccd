import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { waitFor } from './wait-for.ts';

/* HAProxy in front of several processes, configured as in docs/scaling.md. */

/** Starts HAProxy in front of these ports of this machine, until the file ends; its address. */
export async function startBalancer(ports: readonly number[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-haproxy-'));
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration(port, ports));
  const child = spawn('haproxy', ['-db', '-f', file], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  after(async () => {
    await ended(child);
    await rm(folder, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await waitFor('a process answers behind HAProxy', async () => {
    if (child.exitCode !== null) throw new Error(`HAProxy ended: ${errors}`);
    return fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return url;
}

const configuration = (port: number, servers: readonly number[]): string => `
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 2s
  option redispatch
  # A request that no process has got is given to another one; one that may have been carried out is not repeated.
  retry-on conn-failure
  retries 3
frontend carillon
  bind 127.0.0.1:${port}
  default_backend api
backend api
  balance roundrobin
  option httpchk GET /readyz
  default-server inter 200ms fall 2 rise 1
${servers.map((server, index) => `  server api${index} 127.0.0.1:${server} check`).join('\n')}
`;

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exit;
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
