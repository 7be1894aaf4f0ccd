import { connect } from 'node:tls';
import { connectorFaultOf } from '../../kit/connector-faults.ts';
import { publicUrl } from '../app-context.ts';
import { type AnySchemaCheck, type Finding, fail, inTime, isLoopback, LOOK_MS, ok, warn } from './check.ts';

const DAY = 86_400_000;
/** Certificates are renewed 30 days before their end by most programs that do it. */
const RENEWED_DAYS = 14;

/** How the service is reached from outside: https with a certificate that is trusted, and this very service behind it. */
export const publicAddressCheck: AnySchemaCheck = {
  name: 'public-address',
  title: 'TLS and public address',
  about:
    'Terminate TLS at a proxy, name the proxy in `TRUST_PROXY`, and set `PUBLIC_URL` to the https address. Removal links, sign-in links and webhooks of the chat platform use it.',
  anySchema: true,
  async run({ config }) {
    const url = new URL(publicUrl(config));
    const findings: Finding[] = [];
    if (isLoopback(url.hostname)) {
      const todo = 'Set PUBLIC_URL to the public address of the service.';
      findings.push(fail(`${url.origin} is this machine`, todo));
    }
    if (url.protocol === 'https:') findings.push(await certificateOf(url));
    else if (!isLoopback(url.hostname)) {
      const todo =
        'Terminate TLS at a proxy and set PUBLIC_URL to https: tokens and texts cross the network.';
      findings.push(fail(`${url.origin} is not https`, todo));
    }
    findings.push(await answerOf(url));
    return findings;
  },
};

/** The certificate that is served: trusted, for the name, and not about to end. */
async function certificateOf({ hostname, port, host }: URL): Promise<Finding> {
  const { promise, resolve, reject } = Promise.withResolvers<Date>();
  const socket = connect(
    { host: hostname, port: Number(port || 443), servername: hostname, timeout: LOOK_MS },
    () => resolve(new Date(socket.getPeerCertificate().valid_to)),
  );
  socket.on('error', reject);
  socket.on('timeout', () => reject(new Error('no answer')));
  try {
    const end = await inTime(promise);
    const days = Math.floor((end.getTime() - Date.now()) / DAY);
    const found = `the certificate of ${host} is valid until ${end.toISOString().slice(0, 10)}`;
    if (days >= RENEWED_DAYS) return ok(found);
    return warn(found, `Renew it: it expires in ${days} days and should have been renewed by now.`);
  } catch (error) {
    const { reason, detail } = connectorFaultOf(error);
    if (reason === 'unknown-host' || reason === 'dns') {
      return fail(
        `DNS has no address for ${hostname}: ${detail}`,
        'Add a record for the name, or correct PUBLIC_URL.',
      );
    }
    const found = `the certificate of ${host} is not accepted: ${(error as Error).message}`;
    return fail(found, 'Install a certificate for this name that browsers trust, with its intermediates.');
  } finally {
    socket.destroy();
  }
}

/** Whether a Carillon that works answers there. */
async function answerOf(url: URL): Promise<Finding> {
  const address = new URL('/readyz', url);
  try {
    const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(LOOK_MS) });
    const text = await response.text();
    if (response.status === 200) return ok(`${address.href} answers 200`);
    const found = `${address.href} answers ${response.status}: ${text.slice(0, 200)}`;
    return fail(found, 'Start the service, and let the proxy pass requests on to HOST:PORT.');
  } catch (error) {
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    return fail(
      `${address.href} does not answer: ${why}`,
      'Start the service, and let DNS and the proxy lead to it.',
    );
  }
}
