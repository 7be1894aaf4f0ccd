import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { AUTHORITY_FILE, certificate } from './certificates.ts';
import { freePort } from './haproxy.ts';
import { waitFor } from './wait-for.ts';

/* nginx in front of a service, with deploy/nginx/carillon.conf. */

const configuration = new URL('../../deploy/nginx/carillon.conf', import.meta.url);

export interface Nginx {
  /** Port of TLS on 127.0.0.1; the certificate is one for `localhost` by `authority`. */
  readonly port: number;
  /** Port without TLS. */
  readonly plainPort: number;
  /** Certificate of the authority (PEM). */
  readonly authority: string;
  /** Content of nginx's access log. */
  accessLog(): Promise<string>;
}

/**
 * Starts nginx in front of the service at `upstream` (host and port), until the file ends. `ports` are those of TLS and of plain HTTP.
 * Throws with the errors of nginx if it ends.
 */
export async function startNginx(
  upstream: string,
  { port, plainPort }: { readonly port: number; readonly plainPort: number },
): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-nginx-'));
  const { key, cert } = certificate('valid');
  const at = (name: string) => join(folder, name);
  await writeFile(at('key.pem'), key);
  await writeFile(at('cert.pem'), cert);
  await writeFile(
    at('carillon.conf'),
    replaceAll(await readFile(configuration, 'utf8'), {
      'server 127.0.0.1:8080;': `server ${upstream};`,
      'listen 80;': `listen 127.0.0.1:${plainPort};`,
      'listen [::]:80;': '',
      'listen 443 ssl http2;': `listen 127.0.0.1:${port} ssl http2;`,
      'listen [::]:443 ssl http2;': '',
      '/etc/letsencrypt/live/sms.example.com/fullchain.pem': at('cert.pem'),
      '/etc/letsencrypt/live/sms.example.com/privkey.pem': at('key.pem'),
      '/var/log/nginx/carillon.access.log': at('access.log'),
      'https://sms.example.com$request_uri': `https://localhost:${port}$request_uri`,
      'server_name sms.example.com;': 'server_name localhost;',
    }),
  );
  await writeFile(at('nginx.conf'), mainConfiguration(folder));
  const child = spawn('nginx', ['-p', folder, '-c', at('nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  after(async () => {
    await end(child);
    await rm(folder, { recursive: true });
  });
  await waitFor('nginx answers', async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${errors}`);
    return fetch(`http://127.0.0.1:${plainPort}/`, { redirect: 'manual' }).then(
      () => true,
      () => false,
    );
  });
  return {
    port,
    plainPort,
    authority: await readFile(AUTHORITY_FILE, 'utf8'),
    accessLog: () => readFile(at('access.log'), 'utf8'),
  };
}

/** Returns two free ports, for TLS and for plain HTTP. */
export const nginxPorts = async () => ({ port: await freePort(), plainPort: await freePort() });

/** Replaces texts that have to be there, so that a change of the example does not go around the test. */
function replaceAll(text: string, replacements: Readonly<Record<string, string>>): string {
  let result = text;
  for (const [from, to] of Object.entries(replacements)) {
    assert.ok(result.includes(from), `deploy/nginx/carillon.conf has no ${from}`);
    result = result.replaceAll(from, to);
  }
  return result;
}

/** Parts of /etc/nginx/nginx.conf around the site file, with every path in `folder`. */
const mainConfiguration = (folder: string): string => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr info;
events { worker_connections 512; }
http {
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  access_log off;
  gzip on;
  include ${folder}/carillon.conf;
}
`;

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  // Shuts down in order: SIGKILL would leave the worker behind.
  child.kill('SIGTERM');
  await exit;
}
