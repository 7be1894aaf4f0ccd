import { spawn } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { after } from 'node:test';
import { freePort } from '../protocols/sip/udp.ts';
import { waitFor } from './wait-for.ts';

/** Records of a DNS server. */
export interface DnsRecords {
  /** Name and text without commas, of at most 255 characters a part. */
  readonly texts: readonly (readonly [name: string, ...parts: string[]])[];
  /** Domain and host. */
  readonly exchangers?: readonly (readonly [domain: string, host: string])[];
}

/** Starts a DNS server (dnsmasq) that knows these records and nothing else, until the file ends; its address with the port. */
export async function startDnsServer({ texts, exchangers = [] }: DnsRecords): Promise<string> {
  const port = await freePort();
  const known = [...texts.map(([name]) => name), ...exchangers.map(([domain]) => domain)];
  const child = spawn(
    'dnsmasq',
    [
      '--keep-in-foreground',
      '--no-resolv',
      '--no-hosts',
      '--no-daemon',
      '--conf-file=/dev/null',
      '--pid-file=',
      '--listen-address=127.0.0.1',
      '--bind-interfaces',
      `--port=${port}`,
      '--local=/example/',
      ...texts.map(([name, ...parts]) => `--txt-record=${name},${parts.join(',')}`),
      ...exchangers.map(([domain, host]) => `--mx-host=${domain},${host}`),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  after(async () => {
    child.kill();
    await ended;
  });
  const server = `127.0.0.1:${port}`;
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([server]);
  await waitFor('the DNS server to answer', async () => {
    if (child.exitCode !== null) throw new Error(`dnsmasq ended: ${errors}`);
    return resolver.resolveTxt(known[0]!).then(
      () => true,
      () => false,
    );
  });
  return server;
}
